/**
 * What the owner of a queue accepts, as a JSON Schema in this project's words. It has the names, types
 * and ranges of what is printed, and refuses all others: an owner's own schema has many more names.
 */

export type WholeSchema = {
  readonly type: 'integer'
  readonly minimum: number
  readonly maximum?: number
}

export type ChoiceSchema = { readonly enum: readonly string[] }

export type Owner = {
  readonly schema: object
  /** The published text with the facts, its version, and when it was compared with the schema. */
  readonly source: string
}

export function wholeFrom(minimum: number, maximum?: number): WholeSchema {
  return { type: 'integer', minimum, ...(maximum === undefined ? {} : { maximum }) }
}

/** An object with these names and no others. All are required unless it is said which are. */
export function closed(
  properties: Readonly<Record<string, object>>,
  required: readonly string[] = Object.keys(properties),
): object {
  return { type: 'object', additionalProperties: false, properties, required }
}

export function listOf(items: object, limits: object = {}): object {
  return { type: 'array', items, ...limits }
}

export const text = { type: 'string', minLength: 1 }

export const yesOrNo = { type: 'boolean' }
