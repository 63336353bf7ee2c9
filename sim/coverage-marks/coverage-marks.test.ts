import { describe, expect, test } from 'vitest'
import { loadScenario } from '../scenario/load.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { simulate } from '../run/simulate.ts'
import { pullRequests, scenarioOf } from '../testing/simulated.ts'
import { coverageMarks, CoverageRecorder } from './index.ts'

function reachedIn(scenario: Scenario): string[] {
  const recorder = new CoverageRecorder()
  simulate(scenario, { observers: [recorder.observer] })
  return recorder.reached
}

describe('coverage marks', () => {
  test('have a sentence each', () => {
    for (const { sentence } of coverageMarks) expect(sentence).toMatch(/^[A-Z].*\.$/)
  })

  test('given a run with merges only, are not reached', () => {
    expect(reachedIn(scenarioOf({ pullRequests: pullRequests(3) }))).toEqual([])
  })
})

describe('a scenario that shows a situation reaches its mark', () => {
  test.each([
    ['a-combination-is-tested-once', 'cache hit'],
    ['all-of-them-break', 'several culprits in a batch'],
    ['a-flake-in-a-batch-harms-nobody', 'batch failed by a flake'],
    ['a-flake-in-a-batch-harms-nobody', 'composition tested again'],
    ['a-member-leaves-in-mid-bisection', 'cancel in mid-bisection'],
    ['survivors-merge-with-no-further-run', 'survivors merged as proven'],
    ['survivors-return-as-one-group', 'survivors re-tested'],
    ['a-failure-waits-for-its-predecessors', 'failure not yet its own'],
    ['a-predecessor-leaves-and-the-failure-is-forgotten', 'failure forgotten'],
    ['anti-flake-protection', 'hold that ends in rescue'],
    ['anti-flake-protection', 'flake found out'],
    ['pending-failure-depth-holds', 'hold that ends in failure'],
    ['a-flaky-queue-holds-its-failures', 'failure not held'],
    ['a-test-in-quarantine-evicts-nobody', 'passed by quarantine'],
    ['main-fails-by-itself', 'branch at fault'],
    ['optimistic-merging-clears-everybody-ahead', 'optimistic merge'],
    ['a-conflict-that-the-build-finds', 'conflict found by a build'],
    ['a-conflict-in-a-batch-that-the-build-finds', 'conflict of a batch found by a build'],
    ['a-group-lands-in-one-push', 'group landed in one push'],
    ['a-part-of-a-push', 'rest of a push requested again'],
    ['urgent-interrupts', 'urgent interrupting'],
    ['a-full-batch-does-not-wait', 'batch filled'],
    ['a-batch-waits-to-fill', 'batch cut by wait time'],
    ['no-batch-of-a-member-takes-effect-at-its-next-start', 'split off to be tested alone'],
    ['a-text-conflict-waits-for-its-predecessor', 'text conflict'],
    ['a-text-conflict-waits-for-its-predecessor', 'text conflict with the branch'],
    ['a-text-conflict-resolves-itself', 'text conflict resolved'],
    ['direct-merge', 'direct merge'],
    ['a-hung-run-times-out', 'timeout'],
    ['a-lost-run-is-made-again', 'lost run retried'],
    ['a-push-to-the-branch', 'push to the branch'],
    ['a-refused-merge', 'merge refused'],
    ['draining-finishes-what-it-began', 'DRAINING finishes'],
    ['paused-keeps-results', 'result kept while PAUSED'],
  ])('%s: %s', (file, name) => {
    expect(reachedIn(loadScenario(`scenarios/${file}.json`))).toContain(name)
  })

  test('given three failing prefixes, each shorter, then a bisection is three deep', () => {
    const scenario = scenarioOf({
      queue: { batch: true, batchingMinSize: 8, concurrency: 1, bisectionConcurrency: 1 },
      pullRequests: pullRequests(8).map((entry) => ({ ...entry, breaks: entry.number === 1 })),
    })
    expect(reachedIn(scenario)).toContain('bisection three deep')
  })

  test('given an engine that crashes while the code host merges, then a crash is in mid-merge', () => {
    const slow = { pullRequests: pullRequests(2), faults: { mergeMinutes: 5, crashRate: 1 } }
    expect(reachedIn(scenarioOf(slow))).toContain('crash in mid-merge')
    expect(reachedIn(scenarioOf({ ...slow, faults: { mergeMinutes: 5 } }))).not.toContain(
      'crash in mid-merge',
    )
  })

  test('given a result and a cancel, their mark is reached only if they have the same instant', () => {
    const [result, cancel] = [
      'result and cancel at one instant',
      { do: 'cancel', number: 1 },
    ] as const
    const slow = {
      pullRequests: pullRequests(1),
      faults: { mergeMinutes: 5 },
      tieOrder: 'shuffled',
    } as const
    const at = (minute: number, seed: number): string[] =>
      reachedIn(scenarioOf({ ...slow, seed, events: [{ at: minute, ...cancel }] }))
    const seeds = [1, 2, 3, 4, 5, 6]
    expect(seeds.some((seed) => at(10, seed).includes(result))).toBe(true)
    expect(seeds.some((seed) => at(11, seed).includes(result))).toBe(false)
  })
})
