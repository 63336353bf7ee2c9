import { expect, test, describe } from 'vitest'
import { scenarioOf } from '../../sim/testing/simulated.ts'
import { otherQueue } from '../queues/index.ts'
import { FakeRunner } from './testing/trials.ts'
import { usualValues } from '../queues/queue.ts'
import { bestSetting, fitsIn, splitAxis } from './best-setting.ts'
import { combinations, otherLadders } from './axes.ts'
import { candidatesOf, otherCandidates } from './candidates.ts'

test('all slots are divided, half of them for bisections at most', () => {
  const labels = splitAxis(10).values.map(({ label }) => label)
  expect(labels).toEqual(['10 and 1', '9 and 1', '8 and 2', '7 and 3', '5 and 5'])
})

test.each([
  [{ batch: false, concurrency: 10, bisectionConcurrency: 1 }, true],
  [{ batch: true, concurrency: 10, bisectionConcurrency: 1 }, false],
  [{ batch: true, concurrency: 9, bisectionConcurrency: 1 }, true],
  [{ batch: true, concurrency: 10 }, false],
] as const)('%j fits in ten slots: %s', (queue, fits) => {
  expect(fitsIn(scenarioOf({ queue, pullRequests: [] }), 10)).toBe(fits)
})

test('of the few lengths of a train the best is found, as no final follows', async () => {
  // The shorter of two trains lands sooner.
  const runner = new FakeRunner(({ slots }) => slots)
  const scenario = scenarioOf({ queue: { concurrency: 10 } })
  const budget = { text: '10s', seconds: 10 }
  const queue = otherQueue('gitlab')
  const { name } = await bestSetting(runner, { scenario, queue, budget, firstSeed: 1 })
  expect(name).toBe('pipelines of a train 1')
})

const scenario = scenarioOf({ queue: { concurrency: 4 } })
const github = otherQueue('github')
const usual = usualValues(github)
const today = { queue: github, values: usual }

describe('the ladders of another queue', () => {
  test("try no more runs than twice the scenario's slots, but today's value", () => {
    const [builds] = otherLadders(
      {
        queue: github,
        values: { ...usual, max_entries_to_build: 30 },
      },
      scenario,
    )
    expect(builds?.values.map(({ label }) => label)).toEqual(['1', '2', '5', '30'])
  })

  test('leave out parameters without effect on the model', () => {
    const names = otherLadders(today, scenario).map(({ name }) => name)
    expect(names).not.toContain('merge_method')
    expect(names).toHaveLength(5)
  })
})

describe('the settings of another queue', () => {
  const axes = otherLadders(today, scenario)
  const made = otherCandidates(today, scenario, axes)

  test('are named by what differs, in the words of the axes', () => {
    const found = made.with({ grouping_strategy: 'HEADGREEN', min_entries_to_merge: 2 })
    expect(found).toMatchObject({
      name: 'grouping HEADGREEN, group at least 2',
      assignments: { grouping_strategy: 'HEADGREEN', min_entries_to_merge: 2 },
      kinds: ['cleared-by-successor'],
      slots: 5,
      isToday: false,
    })
    expect(made.today).toMatchObject({ name: "today's setting", assignments: {}, isToday: true })
  })

  test('that act alike are one', () => {
    expect(made.with({ max_entries_to_merge: 10 })).toBe(made.today)
    expect(made.with({ min_entries_to_merge_wait_minutes: 10 })).toBe(made.today)
    const all = candidatesOf(made, axes, { most: 1000, isAllowed: () => true })
    expect(all.length).toBeLessThan(combinations(axes).length / 2)
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  })

  test("have slots of their own, up to twice the scenario's", () => {
    expect(made.with({ max_entries_to_build: 2 }).slots).toBe(2)
    expect(made.with({ max_entries_to_build: 20 }).slots).toBe(8)
  })
})
