import { describe, expect, test } from 'vitest'
import { SeenRecorder, type Seen } from '../coverage-marks/seen.ts'
import { sequenceOf } from '../random/draw.ts'
import { simulate } from '../run/simulate.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { unseenText, UnseenTotals } from './unseen.ts'

const nowhere: Seen['watermarks'] = {
  'runs of one bisection': 0,
  'restarts of one pull request': 0,
  'merges past one pull request': 0,
}

const seen = (steps: readonly string[], watermarks: Partial<Seen['watermarks']> = {}): Seen => ({
  steps,
  states: [],
  watermarks: { ...nowhere, ...watermarks },
})

// S-338
describe('the unseen', () => {
  test('is told by the runs that showed what no other run did', () => {
    const totals = new UnseenTotals()
    for (const [index, steps] of [['a', 'b'], ['a'], ['a', 'c', 'd'], ['b']].entries()) {
      totals.add(10 + index, seen(steps, { 'restarts of one pull request': index === 2 ? 7 : 1 }))
    }
    expect(totals.result()).toEqual({
      runs: 4,
      // Of the four only the third showed something of its own: c and d.
      chance: { steps: 0.25, states: 0 },
      growth: [
        { runs: 1, steps: 2, states: 0 },
        { runs: 2, steps: 2, states: 0 },
        { runs: 4, steps: 4, states: 0 },
      ],
      watermarks: [{ name: 'restarts of one pull request', most: 7, seed: 12 }],
    })
    expect(new UnseenTotals().result()).toBeNull()
  })

  test('is a sentence also of a single run', () => {
    const totals = new UnseenTotals()
    totals.add(1, seen(['a', 'b'], { 'restarts of one pull request': 1200 }))
    expect(unseenText(totals.result())).toBe(
      [
        '\nsteps            2 kinds seen; the next run shows a new one with chance 1',
        'states           0 kinds seen; the next run shows a new one with chance 0',
        'farthest         restarts of one pull request 1,200 (seed 1)\n',
      ].join('\n'),
    )
    totals.add(2, seen(['a']))
    expect(unseenText(totals.result())).toContain('2 kinds seen, 2 after 1 run; the next run')
  })

  test('given draws of which all chances are known, is as large as it says, within a tenth', () => {
    const next = sequenceOf(1, 'zipf')
    const weights = Array.from({ length: 2000 }, (_, index) => 1 / (index + 1))
    const sum = weights.reduce((all, each) => all + each, 0)
    const drawn = (): number => {
      let left = next() * sum
      return weights.findIndex((weight) => (left -= weight) < 0)
    }
    const totals = new UnseenTotals()
    const known = new Set<number>()
    for (let run = 0; run < 2000; run++) {
      const signature = drawn()
      known.add(signature)
      totals.add(run, seen([String(signature)]))
    }
    const unknown = weights.reduce(
      (all, each, index) => (known.has(index) ? all : all + each / sum),
      0,
    )
    const { chance } = totals.result() ?? { chance: { steps: NaN } }
    expect(unknown).toBeGreaterThan(0.1)
    expect(Math.abs(chance.steps / unknown - 1)).toBeLessThan(0.1)
  })

  test('is quiet only after so many runs that something new would have come', () => {
    const totals = new UnseenTotals()
    for (let run = 0; run < 30; run++) {
      expect(totals.isQuiet(0.1)).toBe(false)
      totals.add(run, seen(['a']))
    }
    expect(totals.isQuiet(0.1)).toBe(true)
    expect(totals.isQuiet(0.09)).toBe(false)
  })
})

function shownBy(scenario: Scenario): Seen {
  const recorder = new SeenRecorder()
  simulate(scenario, { observers: [recorder.observer] })
  return recorder.seen
}

// S-339
describe('what a run has shown', () => {
  const alone: Scenario = { name: 'alone', pullRequests: [{ number: 1 }] }

  test('does not depend on numbers and times', () => {
    const other: Scenario = { name: 'other', pullRequests: [{ number: 77, at: 5 }] }
    expect(shownBy(other)).toEqual(shownBy(alone))
    const pair: Scenario = { name: 'pair', pullRequests: [{ number: 1 }, { number: 2 }] }
    expect(shownBy(pair).states.length).toBeGreaterThan(shownBy(alone).states.length)
  })

  test('given an urgent one behind two that wait, counts the merges past them and their restarts', () => {
    const { watermarks } = shownBy({
      name: 'overtaken',
      queue: { policy: 'documented', concurrency: 2 },
      pullRequests: [{ number: 1 }, { number: 2 }, { number: 3, at: 1, priority: 'urgent' }],
    })
    expect(watermarks).toEqual({
      'runs of one bisection': 0,
      'restarts of one pull request': 1,
      'merges past one pull request': 1,
    })
  })

  test('given a batch of four of which one breaks, counts the runs of its bisection', () => {
    const { watermarks } = shownBy({
      name: 'bisected',
      queue: { policy: 'documented', batch: true, batchingMinSize: 4 },
      pullRequests: [{ number: 1 }, { number: 2 }, { number: 3, breaks: true }, { number: 4 }],
    })
    expect(watermarks['runs of one bisection']).toBeGreaterThanOrEqual(2)
  })
})
