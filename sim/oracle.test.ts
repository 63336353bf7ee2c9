import { describe, expect, test } from 'vitest'
import { serialOracle } from './oracle.ts'
import { engineWith } from './properties/testing/defects.ts'
import { cancel, conflict, submit, submitAs } from './properties/testing/script.ts'
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
