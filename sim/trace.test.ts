import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Moment } from './moment.ts'
import { simulate } from './simulate.ts'
import { pullRequests, scenarioOf } from './testing/played.ts'

const scenario = scenarioOf({ pullRequests: pullRequests(300) })

test('the trace has a line for each command and event', () => {
  let trace = ''
  const outcome = simulate(scenario, { onTrace: (lines) => (trace += lines) })
  const lines = trace.trimEnd().split('\n')
  expect(lines).toHaveLength(outcome.commands + outcome.events)
  expect(lines[0]).toBe('{"command":{"type":"submitPullRequest","number":1,"at":0}}')
  expect(lines[1]).toMatch(/^\{"event":\{"type":"pullRequestSubmitted","number":1,/)
})

test('its hash is the SHA-256 of each command with its events', () => {
  const whole = createHash('sha256')
  const read = ({ command, events }: Moment): void => {
    whole.update(JSON.stringify([command, events]))
  }
  const { traceHash } = simulate(scenario, { readers: [() => read] })
  expect(traceHash).toBe(whole.digest('hex'))
})

test('a run of which nobody asks the hash has that of nothing', () => {
  const { traceHash } = simulate(scenario, { isUnhashed: true })
  expect(traceHash).toBe(createHash('sha256').digest('hex'))
})
