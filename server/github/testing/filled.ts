/**
 * Objects of GitHub's API: the fields that a test cares for, and for every other required field the
 * simplest value that its schema allows.
 */

import { document, isRecord } from './document.ts'

type Schema = Readonly<Record<string, unknown>>

/** An object of a schema of GitHub's document, with these fields. */
export function filled(name: string, fields: Readonly<Record<string, unknown>>) {
  const schema = document.components.schemas[name]
  if (!schema) throw new Error(`the trimmed document has no schema ${name}`)
  return merged(simplest({ ...schema, nullable: false }), fields)
}

/** Fields replace; within objects that both have, field by field. */
function merged(base: unknown, fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const made: Record<string, unknown> = isRecord(base) ? { ...base } : {}
  for (const [name, value] of Object.entries(fields)) {
    made[name] = isRecord(value) && isRecord(made[name]) ? merged(made[name], value) : value
  }
  return made
}

/** The simplest value of a schema: null where that is allowed, else only what is required. */
function simplest(schema: Schema): unknown {
  const { $ref: ref, nullable, enum: choices, type, format, properties, required } = schema
  if (typeof ref === 'string') {
    const target = document.components.schemas[ref.split('/').at(-1) ?? '']
    if (!target) throw new Error(`the trimmed document has no ${ref}`)
    return simplest(target)
  }
  if (nullable === true) return null
  if (Array.isArray(choices)) return choices[0]
  const [first] = [schema['allOf'], schema['anyOf'], schema['oneOf']].flatMap((list) =>
    Array.isArray(list) ? list.filter(isRecord) : [],
  )
  if (first && !isRecord(properties)) return simplest(first)
  if (type === 'array') return []
  if (type === 'boolean') return false
  if (type === 'integer' || type === 'number') return 0
  if (type === 'string') return textOf(format)
  const names = Array.isArray(required) ? required.map(String) : []
  const known = isRecord(properties) ? properties : {}
  return Object.fromEntries(
    names.map((name) => {
      const property = known[name]
      return [name, isRecord(property) ? simplest(property) : {}]
    }),
  )
}

function textOf(format: unknown): string {
  if (format === 'uri') return 'https://api.github.com/'
  if (format === 'date-time') return '2026-01-05T09:00:00Z'
  return ''
}
