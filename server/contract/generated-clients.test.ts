/**
 * Types that generators make from the document must accept what the server accepts. Generators such as
 * `openapi-typescript` make a field required that has a `default`, because a response contains it.
 */

import { expect, test } from 'vitest'
import { openApi, type Schema } from './openapi.ts'

/** The schemas that a request body contains, directly or by reference, with their names. */
function requestSchemas(): Map<string, Schema> {
  const found = new Map<string, Schema>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      const name = key === '$ref' && typeof inner === 'string' ? inner.split('/')[3] : undefined
      const schema = name === undefined ? undefined : openApi.components.schemas[name]
      if (name === undefined || !schema || found.has(name)) visit(inner)
      else {
        found.set(name, schema)
        visit(schema)
      }
    }
  }
  for (const { post } of Object.values(openApi.paths)) visit(post?.requestBody)
  return found
}

function fieldsWithDefault(value: unknown, where: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'default' ? [where] : fieldsWithDefault(inner, `${where}/${key}`),
  )
}

//
test('no field of a request has a default, so that clients may leave it out', () => {
  const schemas = requestSchemas()
  expect([...schemas.keys()]).toEqual(expect.arrayContaining(['QueueSettings', 'ListPullRequests']))
  const named = [...schemas].flatMap(([name, schema]) => fieldsWithDefault(schema, name))
  expect(named).toEqual([])
})
