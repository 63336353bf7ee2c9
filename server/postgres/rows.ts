/** Reads what PostgreSQL answers. Large numbers come as text, because a number of JavaScript may not hold them. */

export type Row = Readonly<Record<string, unknown>>

/** A number that is exact in JavaScript: sequences and instants are. Throws for anything else. */
export function bigNumber(value: unknown): number {
  const number = Number(value)
  if (value === null || !Number.isSafeInteger(number))
    throw new Error(`expected a whole number, got ${JSON.stringify(value)}`)
  return number
}

export const numberOrNull = (value: unknown): number | null =>
  value === null ? null : bigNumber(value)

export function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error(`expected a text, got ${JSON.stringify(value)}`)
  return value
}
