import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Step } from '../steps/step.ts'
import { simulate } from '../run/simulate.ts'
import { pullRequests, scenarioOf } from '../testing/simulated.ts'

const scenario = scenarioOf({ pullRequests: pullRequests(300) })

test('the trace has a line for each command and event', () => {
  let trace = ''
  const outcome = simulate(scenario, { onTrace: (lines) => (trace += lines) })
  const lines = trace.trimEnd().split('\n')
  expect(lines).toHaveLength(outcome.commands + outcome.events)
  expect(lines[0]).toBe('{"command":{"type":"submitPullRequest","number":1,"at":0}}')
  expect(lines[1]).toMatch(/^\{"event":\{"type":"pullRequestSubmitted","number":1,/)
})

test('the hash is the SHA-256 of each command with its events', () => {
  const whole = createHash('sha256')
  const read = ({ command, events }: Step): void => {
    whole.update(JSON.stringify([command, events]))
  }
  const { traceHash } = simulate(scenario, { observers: [() => read] })
  expect(traceHash).toBe(whole.digest('hex'))
})

test('an unhashed run has the hash of the empty text', () => {
  const { traceHash } = simulate(scenario, { isUnhashed: true })
  expect(traceHash).toBe(createHash('sha256').digest('hex'))
})
