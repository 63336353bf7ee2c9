import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { simulate } from './simulate.ts'
import { pullRequests, scenarioOf } from './testing/played.ts'

test('the trace has a line for each command and event, and its SHA-256 is the trace hash', () => {
  let trace = ''
  const scenario = scenarioOf({ pullRequests: pullRequests(300) })
  const outcome = simulate(scenario, { onTrace: (lines) => (trace += lines) })
  const lines = trace.trimEnd().split('\n')
  expect(lines).toHaveLength(outcome.commands + outcome.events)
  expect(lines[0]).toBe('{"command":{"type":"submitPullRequest","number":1,"at":0}}')
  expect(lines[1]).toMatch(/^\{"event":\{"type":"pullRequestSubmitted","number":1,/)
  expect(outcome.traceHash).toBe(createHash('sha256').update(trace).digest('hex'))
})
