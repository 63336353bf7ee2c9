/** What came, short enough for one line of an error; objects by their type only. */

const longest = 80

export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  // JSON has no word for a number that was too large to be read.
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value)
  return text.length <= longest ? text : `${text.slice(0, longest)}…`
}
