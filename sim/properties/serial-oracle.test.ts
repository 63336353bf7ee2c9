import { describe, expect, test } from 'vitest'
import { serialOracle } from './serial-oracle.ts'
import type { ImpactedTargets } from '../../engine/index.ts'
import type { ScriptedCommand } from './testing/drive.ts'
import { defectNamed } from '../defects/index.ts'
import { at, conflict, submit, submitAs, update } from './testing/script.ts'
import { findingsOf } from './testing/watched.ts'

describe('serial-oracle', () => {
  test('holds without batches, with pairs, fixes and text conflicts', () => {
    const world = {
      facts: { breaks: [4], pairs: [[2, 3]], fixes: [[5, 4]], conflicts: [[1, 6]] },
      script: [
        conflict(0, 1, 6),
        ...submit(0, 1, 2, 3, 4, 5, 6),
        submitAs(1, 7, { priority: 0 }),
        submitAs(1, 8, { priority: 200 }),
        ...submit(1, 9),
      ],
    } as const
    expect(findingsOf(serialOracle, world)).toMatchObject({ checks: 9, violations: [] })
  })

  test('holds with batches, where each pull request is judged by itself', () => {
    const configuration = { batch: true, batchingMinSize: 4 }
    const world = { configuration, facts: { breaks: [2, 5] }, script: submit(0, 1, 2, 3, 4, 5) }
    expect(findingsOf(serialOracle, world)).toMatchObject({ checks: 5, violations: [] })
  })

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

    test('the same pull requests merge when the mode changes during the run', () => {
      const facts = { breaks: [4], pairs: [[1, 3]] } as const
      const switching = [...script, update(1, { mode: 'single' }), ...submit(2, 6, 7)]
      const switched = { ...world, facts, script: switching }
      expect(findingsOf(serialOracle, switched)).toMatchObject({ checks: 7, violations: [] })
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
