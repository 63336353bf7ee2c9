import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { loadScenario } from '../scenario/load.ts'
import type { Expect } from '../scenario/scenario.ts'
import { simulated } from '../testing/simulated.ts'
import { agreesWithTheModel } from './agrees-with-the-model.ts'
import { runAndJudge } from './run-scenario.ts'
import { propertiesOf } from './source.ts'
import { storyOf } from './verdict.ts'

const filesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((file) => /^[^.]+\.json$/.test(file))
    .sort()
    .map((file) => `${folder}/${file}`)

const files = [...filesIn('scenarios'), ...filesIn('scenarios/negative')]

describe('every scenario holds, and a second run is identical', () => {
  test.each(files)('%s', (file) => {
    const scenario = loadScenario(file)
    const properties = propertiesOf({ kind: 'file', file, scenario }, scenario)
    const { failures } = runAndJudge(scenario, { properties, once: false })
    expect(failures.map(storyOf)).toEqual([])
  })

  // S-77
  test.each([
    [400, true],
    [401, false],
  ])('a file of %i pull requests is compared with the model: %s', (count, isCompared) => {
    const scenario = { name: 'long', traffic: { count, arrivals: { perHour: 10 } } }
    const properties = propertiesOf({ kind: 'file', file: 'long.json', scenario }, scenario)
    expect(properties.includes(agreesWithTheModel)).toBe(isCompared)
  })

  test.each(files)('%s has the name of its file and a description', (file) => {
    const { name, description } = loadScenario(file)
    expect(file.endsWith(`/${name}.json`)).toBe(true)
    expect(description).toMatch(/\w+.*[.?]$/)
  })
})

/** Judges expectations of a run: 2 merges at minute 10, 7 fails at 20, 1 is cancelled at 5. */
function judged(expected: Expect): [string, unknown, unknown, boolean][] {
  const { expectations } = simulated({
    queue: { concurrency: 1 },
    pullRequests: [{ number: 2 }, { number: 7, breaks: true }, { number: 1, at: 1 }],
    events: [{ at: 5, do: 'cancel', number: 1 }],
    expect: expected,
  })
  return expectations.map(({ name, expected: wanted, actual, holds }) => [
    name,
    wanted,
    actual,
    holds,
  ])
}

describe('expectations', () => {
  test('outcomes can be expected as lists in any order or as counts', () => {
    expect(judged({ merged: [2], failed: [], cancelled: { max: 0 } })).toEqual([
      ['merged', [2], [2], true],
      ['failed', [], [7], false],
      ['cancelled', { max: 0 }, 1, false],
    ])
    expect(judged({ merged: 1, failed: { min: 1, max: 3 } })).toEqual([
      ['merged', 1, 1, true],
      ['failed', { min: 1, max: 3 }, 1, true],
    ])
  })

  test('the order matters for mergeOrder, but not for lists of outcomes', () => {
    const { expectations } = simulated({
      pullRequests: [{ number: 9 }, { number: 3, at: 1 }],
      expect: { merged: [9, 3], mergeOrder: [3, 9] },
    })
    expect(expectations.map(({ name, holds }) => [name, holds])).toEqual([
      ['merged', true],
      ['mergeOrder', false],
    ])
    expect(expectations[1]?.actual).toEqual([9, 3])
  })

  test('a state is expected at an instant, after all events of that instant', () => {
    expect(
      judged({
        states: [
          { at: 10, number: 2, is: 'MERGED' },
          { at: 9.999, number: 2, is: 'TESTING' },
          { at: 0.5, number: 1, is: 'PENDING' },
          { at: 4, number: 1, is: 'PENDING' },
          { at: 99, number: 7, is: 'FAILED' },
        ],
      }),
    ).toEqual([
      ['state of 2 at 10', 'MERGED', 'MERGED', true],
      ['state of 2 at 9.999', 'TESTING', 'TESTING', true],
      ['state of 1 at 0.5', 'PENDING', null, false],
      ['state of 1 at 4', 'PENDING', 'PENDING', true],
      ['state of 7 at 99', 'FAILED', 'FAILED', true],
    ])
  })

  test('figures are expected exactly or within inclusive bounds', () => {
    expect(
      judged({
        testRuns: 2,
        maxTestRuns: 1,
        p95TimeInQueueMinutes: { max: 10 },
        healthyEvicted: { max: 0 },
        endedAtMinutes: { min: 20, max: 20 },
        runsPerMerge: { min: 2.5 },
        unprovenMerges: 0,
      }),
    ).toEqual([
      ['maxTestRuns', 1, 2, false],
      ['testRuns', 2, 2, true],
      ['healthyEvicted', { max: 0 }, 0, true],
      ['unprovenMerges', 0, 0, true],
      ['runsPerMerge', { min: 2.5 }, 2, false],
      ['p95TimeInQueueMinutes', { max: 10 }, 10, true],
      ['endedAtMinutes', { min: 20, max: 20 }, 20, true],
    ])
  })

  test('a figure without a value meets no bound', () => {
    const { expectations } = simulated({ expect: { p95TimeInQueueMinutes: { max: 60 } } })
    expect(expectations).toEqual([
      { name: 'p95TimeInQueueMinutes', expected: { max: 60 }, actual: null, holds: false },
    ])
  })

  // S-258
  test('all events of a type are expected in order, each by the fields that are named', () => {
    const moves = (...to: string[]) =>
      judged({ events: { tipMoved: to.map((each) => ({ number: Number(each) })) } })
    expect(moves('2')).toEqual([['events of tipMoved', [{ number: 2 }], [{ number: 2 }], true]])
    expect(moves('3')[0]?.[3]).toBe(false)
    expect(moves('2', '7')[0]?.[3]).toBe(false)
    expect(judged({ events: { tipMoved: [] } })[0]?.[3]).toBe(false)
    expect(judged({ events: { groupScreened: [] } })[0]?.[3]).toBe(true)
    const run = { owner: { kind: 'main' }, tested: [2] }
    const started = judged({ events: { testRunStarted: [{ run }, { run: { tested: [7] } }] } })
    expect(started[0]?.slice(2)).toEqual([[{ run }, { run: { tested: [7] } }], true])
    expect(judged({ events: { tipMoved: [{ number: 2, unknown: 1 }] } })[0]?.[3]).toBe(false)
  })

  // S-258
  test('all refused commands are expected in order, with the reason of the refusal', () => {
    const refused = (...codes: string[]) =>
      simulated({
        pullRequests: [{ number: 1 }, { number: 2, at: 90 }],
        events: [
          { at: 20, do: 'cancel', number: 1 },
          { at: 21, do: 'restart', number: 2 },
        ],
        expect: { refused: codes.map((code) => ({ code })) },
      }).expectations[0]?.holds
    expect(refused('not in queue', 'not in queue')).toBe(true)
    expect(refused('not in queue')).toBe(false)
    expect(refused('not in queue', 'nothing to restart')).toBe(false)
  })
})
