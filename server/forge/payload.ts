/** Reads fields of a webhook, whose shape nobody promises. */

export type Json = Readonly<Record<string, unknown>>

export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function recordIn(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

export function numberIn(value: unknown): number[] {
  const { number } = recordIn(value)
  return typeof number === 'number' ? [number] : []
}

export function shaIn(value: unknown): string[] {
  return typeof value === 'string' ? [value] : []
}
