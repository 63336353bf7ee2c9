/** What came, short enough for one line of an error; objects by their type only. */

const longest = 80

export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value)
  return text.length <= longest ? text : `${text.slice(0, longest)}…`
}
