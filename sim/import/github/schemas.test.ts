/** The schemas on recorded objects of GitHub itself. */

import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { checkOf, trim, type SchemaName } from './schemas.ts'

type Recorded = { readonly name: string; readonly examples: readonly unknown[] }

const require = createRequire(import.meta.url)
const recorded: readonly Recorded[] = require('@octokit/webhooks-examples')

/** What the recorded webhooks of an event are about. */
function objectsOf(event: string): object[] {
  const examples = recorded.find(({ name }) => name === event)?.examples ?? []
  return examples.flatMap((example) => {
    if (typeof example !== 'object' || example === null) return []
    const found: unknown = Object.entries(example).find(([field]) => field === event)?.[1]
    return typeof found === 'object' && found !== null ? [found] : []
  })
}

// S-256
test.each([
  ['pull_request', 'pull', 20],
  ['workflow_run', 'workflowRun', 3],
  ['check_run', 'checkRun', 5],
] as const)('every recorded %s is read', (event, schema, least) => {
  const objects = objectsOf(event)
  expect(objects.length).toBeGreaterThanOrEqual(least)
  const isItem = checkOf<SchemaName>(schema)
  for (const each of objects) {
    isItem(each)
    expect(isItem.errors).toBe(null)
  }
})

// S-257
test('what is not read of an object is removed', () => {
  const file: unknown = { filename: 'a.ts', patch: '+1', nested: { any: 1 } }
  expect(trim('changedFile', file)).toBe(true)
  expect(file).toEqual({ filename: 'a.ts' })
})
