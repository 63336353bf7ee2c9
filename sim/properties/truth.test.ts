import { describe, expect, test } from 'vitest'
import { defectNamed } from '../defects/index.ts'
import {
  cancel,
  submit,
  update,
  conflict,
  submitAs,
  at,
  findingsOf,
  type ScriptedCommand,
} from './testing/scripted-queue.ts'
import { engineParts, type ImpactedTargets } from '../../engine/index.ts'
import { simulate } from '../run/simulate.ts'
import { loadScenario } from '../scenario/load.ts'
import { trunkStaysGreen } from './trunk-stays-green.ts'
import { judgedByTruth } from './judged-by-truth.ts'
import { serialOracle } from './serial-oracle.ts'

describe('trunk-stays-green', () => {
  // 2 fixes 1: without 2, 1 must never merge.
  const facts = { breaks: [1], fixes: [[2, 1]] } as const
  const world = { configuration: { concurrency: 2 }, facts, script: submit(0, 1, 2) }

  test('accepts a run that contains the state with optimistic merging', () => {
    const configuration = { concurrency: 2, canOptimisticallyMerge: true, pendingFailureDepth: 1 }
    expect(findingsOf(trunkStaysGreen, { ...world, configuration })).toMatchObject({
      checks: 2 + 1,
      violations: [],
    })
  })

  test('is violated when a successor clears its predecessor without optimistic merging', () => {
    const wrong = defectNamed('optimistic-unasked').parts
    // The run of the successor ends first.
    const hasty = { ...world, runMinutes: [5, 10] }
    expect(findingsOf(trunkStaysGreen, hasty, wrong).stories).toEqual([
      'After pull request 1 merged because of run 2, the branch is not what that run tested.',
      'After pull request 1 merged because of run 2, the branch is broken: its tests would fail.',
    ])
  })

  test('excepts a batch with a refused member until the batch is tested again', () => {
    const refused = {
      configuration: { batch: true, batchingMinSize: 3 },
      mergeMinutes: 1,
      refuses: [2],
      script: [...submit(0, 1, 2, 3), update(0, { concurrency: 1 })],
    }
    // Only 3 is checked, because it was tested again without 2.
    expect(findingsOf(trunkStaysGreen, refused)).toMatchObject({ checks: 2, violations: [] })
  })
})

describe('judged-by-truth', () => {
  const world = { facts: { breaks: [1] }, script: submit(0, 1, 2) }

  // E-47, E-111
  test('excepts one tested on a member that merges while the one that fixes it leaves the batch', () => {
    const halved = {
      configuration: { batch: true, batchingMinSize: 2 },
      facts: { breaks: [1], fixes: [[2, 1]] },
      mergeMinutes: 20,
      script: [...submit(0, 1, 2), submitAs(1, 3, { noBatch: true })],
    } as const
    expect(findingsOf(judgedByTruth, halved)).toMatchObject({ checks: 0, violations: [] })
    // The code host merges 1 already. 3 is tested again on top of it, and is FAILED.
    const cancelled = { ...halved, script: [...halved.script, cancel(15, 2)] }
    expect(findingsOf(judgedByTruth, cancelled).violations).toEqual([])
  })

  // E-54, E-112
  test('is violated when a failure counts before the predecessor has left', () => {
    const wrong = defectNamed('failed-at-once').parts
    const hasty = { ...world, runMinutes: [5, 10] }
    expect(findingsOf(judgedByTruth, hasty, wrong).stories).toEqual([
      'Pull request 2 FAILED for run 2, but does not break its base: tip 0 with 1.',
    ])
  })

  test('is violated when a conflict counts before the other pull request has merged', () => {
    const conflicting = {
      facts: { conflicts: [[1, 2]] },
      script: [conflict(0, 1, 2), ...submit(0, 1, 2)],
    } as const
    const wrong = defectNamed('conflict-fails-at-once').parts
    expect(findingsOf(judgedByTruth, conflicting).violations).toEqual([])
    expect(findingsOf(judgedByTruth, conflicting, wrong).stories).toEqual([
      'Pull request 2 FAILED for a text conflict, but conflicts with nothing on the branch.',
    ])
  })
})

// E-229, E-230
describe('where the branch is tested by itself', () => {
  const scenario = loadScenario('scenarios/main-fails-by-itself.json')
  const storiesOf = (parts = engineParts): string[] =>
    simulate(scenario, { properties: [judgedByTruth], parts })
      .properties.filter(({ name }) => name === judgedByTruth.name)
      .flatMap(({ violations }) => violations.map(({ story }) => story))

  test('nobody is FAILED for what a push broke', () => {
    const wrong = defectNamed('tip-unasked-in-bisections').parts
    expect(storiesOf()).toEqual([])
    expect(storiesOf(wrong)[0]).toMatch(
      /^Pull request \d+ FAILED for run \d+, but does not break its base/,
    )
  })
})

describe('serial-oracle', () => {
  // E-201
  test('holds when one that is bisected alone loses its place', () => {
    const configuration = { policy: 'adaptive', canOptimisticallyMerge: true } as const
    const facts = { pairs: [[1, 2]] } as const
    const faultyRuns = { 1: 'flakes' } as const
    const world = { configuration, facts, faultyRuns, script: submit(0, 1, 2, 3) }
    expect(findingsOf(serialOracle, world).violations).toEqual([])
  })

  describe('with lanes', () => {
    const lanes = (touched: Record<number, ImpactedTargets>): ScriptedCommand[] =>
      Object.entries(touched).map(([number, targets]) =>
        at(0, { type: 'setImpactedTargets', number: Number(number), targets }),
      )
    const configuration = { mode: 'parallel', concurrency: 4 } as const
    const script = [
      ...lanes({ 1: ['a'], 2: ['b'], 3: ['a', 'b'], 4: ['c'], 5: 'ALL' }),
      ...submit(0, 1, 2, 3, 4, 5),
    ]
    // In each lane the run of the later one ends first.
    const world = { configuration, runMinutes: [30, 30, 5, 10, 5], script }

    test('the same pull requests merge, whichever lane is faster', () => {
      const facts = { breaks: [4], pairs: [[1, 3]], fixes: [[5, 4]], conflicts: [[2, 5]] } as const
      const reported = { ...world, facts, script: [conflict(0, 2, 5), ...script] }
      expect(findingsOf(serialOracle, reported)).toMatchObject({ checks: 5, violations: [] })
    })

    // S-46, E-267
    test('one that waits for another one that waits stays behind it', () => {
      const stack = [
        ...lanes({ 1: [], 2: ['web'], 3: ['web'] }),
        ...submit(0, 1),
        submitAs(0, 2, { dependsOn: [1] }),
        submitAs(1, 3, { dependsOn: [2], priority: 0 }),
      ]
      const waiting = { configuration, facts: { pairs: [[2, 3]] }, script: stack } as const
      expect(findingsOf(serialOracle, waiting)).toMatchObject({ checks: 3, violations: [] })
    })
  })

  test('is violated when a healthy pull request is evicted', () => {
    const wrong = defectNamed('failed-at-once').parts
    const world = { facts: { breaks: [1] }, runMinutes: [5, 10], script: submit(0, 1, 2) }
    expect(findingsOf(serialOracle, world).violations).toEqual([])
    expect(findingsOf(serialOracle, world, wrong).stories).toEqual([
      'Pull request 2 FAILED, but in a queue that tests one at a time it would have merged.',
    ])
  })
})
