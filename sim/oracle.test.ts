import { describe, expect, test } from 'vitest'
import { serialOracle } from './oracle.ts'
import { engineWith } from './properties/testing/defects.ts'
import type { ImpactedTargets } from '../engine/index.ts'
import type { Scripted } from './properties/testing/drive.ts'
import { at, cancel, conflict, submit, submitAs, update } from './properties/testing/script.ts'
import { find } from './properties/testing/watched.ts'
import { failAtOnce, formOfTheLast } from './properties/testing/wrong-rules.ts'

describe('serial-oracle', () => {
  // 2 and 3 break together: whoever comes first merges.
  const pair = { facts: { pairs: [[2, 3]] }, script: submit(0, 1, 2, 3, 4) } as const

  test('holds for one at a time, in order, with pairs, fixes and text conflicts', () => {
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
    expect(find(serialOracle, world)).toMatchObject({ checks: 9, violations: [] })
  })

  test('holds with batches, where each pull request is judged by itself', () => {
    const configuration = { batch: true, batchingMinSize: 4 }
    const world = { configuration, facts: { breaks: [2, 5] }, script: submit(0, 1, 2, 3, 4, 5) }
    expect(find(serialOracle, world)).toMatchObject({ checks: 5, violations: [] })
  })

  test('says nothing about batches in which one mends another', () => {
    const configuration = { batch: true, batchingMinSize: 2 }
    const facts = { breaks: [1], fixes: [[2, 1]] } as const
    const world = { configuration, facts, script: submit(0, 1, 2) }
    expect(find(serialOracle, world)).toMatchObject({ checks: 0, violations: [] })
  })

  test('says nothing once somebody is cancelled, or where tests lie', () => {
    const cancelled = { ...pair, script: [...pair.script, cancel(1, 4)] }
    expect(find(serialOracle, cancelled)).toMatchObject({ checks: 0 })
    expect(find(serialOracle, { ...pair, oddRuns: { 1: 'lies' } })).toMatchObject({ checks: 0 })
  })

  describe('with lanes', () => {
    const lanes = (touched: Record<number, ImpactedTargets>): Scripted[] =>
      Object.entries(touched).map(([number, targets]) =>
        at(0, { type: 'setImpactedTargets', number: Number(number), targets }),
      )
    const configuration = { mode: 'parallel', concurrency: 4 } as const
    const script = [
      ...lanes({ 1: ['a'], 2: ['b'], 3: ['a', 'b'], 4: ['c'], 5: 'ALL' }),
      ...submit(0, 1, 2, 3, 4, 5),
    ]
    // The later of each lane is through first.
    const world = { configuration, runMinutes: [30, 30, 5, 10, 5], script }

    test('the same merge, whichever lane is faster', () => {
      const facts = { breaks: [4], pairs: [[1, 3]], fixes: [[5, 4]], conflicts: [[2, 5]] } as const
      expect(find(serialOracle, { ...world, facts })).toMatchObject({ checks: 5, violations: [] })
    })

    test('and when the mode is switched under way', () => {
      const facts = { breaks: [4], pairs: [[1, 3]] } as const
      const switching = [...script, update(1, { mode: 'single' }), ...submit(2, 6, 7)]
      const switched = { ...world, facts, script: switching }
      expect(find(serialOracle, switched)).toMatchObject({ checks: 7, violations: [] })
    })

    test('until two have started that matter to each other and share no target', () => {
      const facts = { pairs: [[1, 2]] } as const
      expect(find(serialOracle, { ...world, facts })).toMatchObject({ checks: 0, violations: [] })
    })
  })

  test('is violated when somebody is overtaken by one that excludes him', () => {
    const wrong = engineWith({ formGroup: formOfTheLast })
    const world = { ...pair, configuration: { concurrency: 1 } }
    expect(find(serialOracle, world).violations).toEqual([])
    expect(find(serialOracle, world, wrong).stories).toEqual([
      'Pull request 2 FAILED, and in a queue that tests one at a time it would have merged.',
    ])
  })

  test('is violated when an innocent is evicted', () => {
    const wrong = engineWith({ settleFailure: failAtOnce })
    const world = { facts: { breaks: [1] }, runMinutes: [5, 10], script: submit(0, 1, 2) }
    expect(find(serialOracle, world).violations).toEqual([])
    expect(find(serialOracle, world, wrong).stories).toEqual([
      'Pull request 2 FAILED, and in a queue that tests one at a time it would have merged.',
    ])
  })
})
