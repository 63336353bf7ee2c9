/**
 * Objects of a host's API: the fields that a test cares for, and for every other required field the
 * simplest value that its schema allows.
 */

import { isRecord, type Document, type Schema } from './document.ts'

export type Fields = Readonly<Record<string, unknown>>

/** Makes objects of the schemas of a document, with these fields. */
export function fillerOf(document: Document): (name: string, fields: Fields) => Fields {
  const componentAt = (ref: string): Schema => {
    const found = document.components.schemas[ref.split('/').at(-1) ?? '']
    if (!found) throw new Error(`the trimmed document has no ${ref}`)
    return found
  }
  return (name, fields) =>
    merged(simplest({ ...componentAt(name), nullable: false }, componentAt), fields)
}

/** Fields replace; within objects that both have, field by field. */
export function merged(
  base: unknown,
  fields: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const made: Record<string, unknown> = isRecord(base) ? { ...base } : {}
  for (const [name, value] of Object.entries(fields)) {
    made[name] = isRecord(value) && isRecord(made[name]) ? merged(made[name], value) : value
  }
  return made
}

/** The simplest value of a schema: null where that is allowed, else only what is required. */
export function simplest(schema: Schema, at: (ref: string) => Schema): unknown {
  const { $ref: ref, nullable, enum: choices, const: only, properties } = schema
  if (typeof ref === 'string') return simplest(at(ref), at)
  const types: readonly unknown[] = [schema['type']].flat()
  if (nullable === true || types.includes('null')) return null
  if (only !== undefined) return only
  if (Array.isArray(choices)) return choices[0]
  const parts = [schema['allOf'], schema['anyOf'], schema['oneOf']].flatMap((list) =>
    Array.isArray(list) ? list.filter(isRecord) : [],
  )
  if (Array.isArray(schema['allOf']) && parts.length > 1) {
    const values = parts.map((part) => simplest(part, at)).filter(isRecord)
    return values.reduce((all, value) => merged(all, value), {})
  }
  const [first] = parts
  if (first && !isRecord(properties)) return simplest(first, at)
  const [type] = types
  if (type === 'array') return []
  if (type === 'boolean') return false
  if (type === 'integer' || type === 'number') return 0
  return type === 'string' ? textOf(schema['format']) : objectOf(schema, at)
}

function objectOf({ properties, required }: Schema, at: (ref: string) => Schema): unknown {
  const names = Array.isArray(required) ? required.map(String) : []
  const known = isRecord(properties) ? properties : {}
  return Object.fromEntries(
    names.map((name) => {
      const property = known[name]
      return [name, isRecord(property) ? simplest(property, at) : {}]
    }),
  )
}

function textOf(format: unknown): string {
  if (format === 'uri') return 'https://host.example.com/'
  if (format === 'date-time') return '2026-01-05T09:00:00Z'
  return ''
}
