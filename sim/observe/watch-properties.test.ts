/** Properties look at several steps together, and must not notice it. */

import { expect, test } from 'vitest'
import { simulate } from '../run/simulate.ts'
import { pullRequests, scenarioOf } from '../testing/simulated.ts'
import type { Handlers } from '../steps/handlers.ts'
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

test('a property knows of each failure whether it was a flake, though the world has forgotten', () => {
  const flakes: number[] = []
  const known: number[] = []
  const property = watching(({ isFlake }) => ({
    on: {
      testRunFinished: ({ testRun }) => void (isFlake(testRun) && known.push(testRun)),
    },
  }))
  simulate(long, {
    properties: [property],
    observers: [
      ({ isFlake }) =>
        ({ events }) => {
          for (const event of events) {
            if (event.type !== 'testRunFinished' || event.outcome !== 'failed') continue
            if (isFlake(event.testRun)) flakes.push(event.testRun)
          }
        },
    ],
  })
  expect(flakes.length).toBeGreaterThan(5)
  expect(known).toEqual(flakes)
})

test('a property hears of refused commands between the steps, in order', () => {
  const heard: string[] = []
  const happened: string[] = []
  const property = watching(() => ({
    atRest: ({ step }) => void heard.push(`${step.sequence} ${step.command.type}`),
    atRefusal: (command, sequence) => void heard.push(`${sequence} refused ${command.type}`),
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
  expect(heard).toEqual(happened)
})

test('whoever listens for violations hears of each before the next step', () => {
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
