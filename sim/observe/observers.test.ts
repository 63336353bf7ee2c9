/** Properties look at several steps together, and must not notice it. */

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { simulate } from '../run/simulate.ts'
import { pullRequests, scenarioOf } from '../testing/simulated.ts'
import type { Handlers, Step } from '../steps/step.ts'
import type { ObservedRun, Property } from './property.ts'

const watching = (watch: (run: ObservedRun) => Handlers): Property => ({
  name: 'watching',
  sentence: 'Watches.',
  watch,
})

/** A run of more commands than properties look at together. */
const long = scenarioOf({
  pullRequests: pullRequests(60),
  suiteFlakes: { perRun: 0.3 },
  faults: { duplicateResultRate: 0.5 },
})

test('at each step a property sees what the queue showed then, though it has gone on', () => {
  const shown: unknown[] = []
  const seen: unknown[] = []
  const property = watching(({ ledger: { queue } }) => ({
    atRest: () => void seen.push(structuredClone(queue)),
  }))
  simulate(long, {
    properties: [property],
    observers: [
      () =>
        ({ queue }) =>
          void shown.push(structuredClone(queue)),
    ],
  })
  expect(seen.length).toBeGreaterThan(64)
  expect(seen).toEqual(shown)
})

test('a property gets refused commands between the steps, in order', () => {
  const received: string[] = []
  const happened: string[] = []
  const property = watching(() => ({
    atRest: ({ step }) => void received.push(`${step.sequence} ${step.command.type}`),
    atRefusal: (command, sequence) => void received.push(`${sequence} refused ${command.type}`),
  }))
  let events = 0
  simulate(long, {
    properties: [property],
    observers: [
      () => (step) => {
        happened.push(`${step.sequence} ${step.command.type}`)
        events = step.sequence + step.events.length
      },
    ],
    onRejection: (command) => void happened.push(`${events} refused ${command.type}`),
  })
  expect(happened.filter((line) => line.includes('refused')).length).toBeGreaterThan(5)
  expect(received).toEqual(happened)
})

test('a listener for violations gets each before the next step', () => {
  const happened: string[] = []
  const property = watching(({ check }) => ({
    atRest: (point) =>
      check(point.sequence > 100, point, () => ({ story: 'early.', pullRequests: [] })),
  }))
  simulate(long, {
    properties: [property],
    observers: [() => () => void happened.push('step')],
    onViolation: () => void happened.push('violation'),
  })
  const violations = happened.filter((each) => each === 'violation').length
  expect(violations).toBe(20)
  const first = Array.from({ length: violations }, () => ['step', 'violation'])
  expect(happened.slice(0, 2 * violations)).toEqual(first.flat())
})

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
