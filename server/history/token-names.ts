/**
 * The names of tokens as small numbers, because half a million steps of timelines name one. The
 * numbers exist in memory only; the disk has the names.
 */

const names: (string | null)[] = [null]
const numbers = new Map<string | null, number>([[null, 0]])

/** 0 if no token is named. */
export function numberOfToken(name: string | null): number {
  const known = numbers.get(name)
  if (known !== undefined) return known
  numbers.set(name, names.length)
  return names.push(name) - 1
}

export function tokenOfNumber(number: number): string | null {
  return names[number] ?? null
}
