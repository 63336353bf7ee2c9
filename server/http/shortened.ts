/** Shows a value in an error message: long values are cut, objects are shown by type only. */

const longest = 80

export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  // JSON cannot represent Infinity, which a number beyond the range of doubles is parsed to.
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value)
  return text.length <= longest ? text : `${text.slice(0, longest)}…`
}
