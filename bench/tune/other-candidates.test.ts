import { describe, expect, test } from 'vitest'
import { scenarioOf } from '../../sim/testing/simulated.ts'
import { otherQueue } from '../queues/index.ts'
import { usualValues } from '../queues/parameters.ts'
import { combinations } from './axes.ts'
import { candidatesOf } from './candidates.ts'
import { OtherCandidates, otherLadders } from './other-candidates.ts'

const scenario = scenarioOf({ queue: { concurrency: 4 } })
const github = otherQueue('github')
const usual = usualValues(github)

describe('the ladders of another queue', () => {
  test("try no more runs than twice the scenario's slots, but today's value", () => {
    const [builds] = otherLadders(github, scenario, { ...usual, max_entries_to_build: 30 })
    expect(builds?.values.map(({ label }) => label)).toEqual(['1', '2', '5', '30'])
  })

  test('leave out parameters without effect on the model', () => {
    const names = otherLadders(github, scenario, usual).map(({ name }) => name)
    expect(names).not.toContain('merge_method')
    expect(names).toHaveLength(5)
  })
})

describe('the settings of another queue', () => {
  const axes = otherLadders(github, scenario, usual)
  const made = new OtherCandidates(github, scenario, usual, axes)

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
