import { describe, expect, test } from 'vitest'
import { rules } from '../../engine/index.ts'
import { withMisreadSettings } from '../run/altered-engines.ts'
import { secondLooksCostNobody } from './second-looks-cost-nobody.ts'
import { engineWithRules } from './testing/defects.ts'
import { at, submit } from './testing/script.ts'
import { findingsOf } from './testing/watched.ts'

describe('second-looks-cost-nobody', () => {
  const world = {
    configuration: { batch: true, batchingMinSize: 2, bisectionConcurrency: 1 },
    faultyRuns: { 1: 'flakes' } as const,
    script: submit(0, 1, 2),
  }
  /** Two bisections at once, which share one slot. */
  const twoBatches = {
    configuration: {
      ...world.configuration,
      concurrency: 2,
      bisectionConcurrency: 1,
      canOptimisticallyMerge: true,
    },
    facts: { breaks: [2, 4] },
    script: submit(0, 1, 2, 3, 4),
  }

  // E-141
  test('holds when a batch that failed by a flake is looked at once more', () => {
    const { checks, violations } = findingsOf(secondLooksCostNobody, world)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  // E-74, E-141
  test('holds when no slot is left over, and a member is convicted without a second look', () => {
    const { checks, violations } = findingsOf(secondLooksCostNobody, twoBatches)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  // E-141
  test('holds when another bisection looks once more while one awaits its second look', () => {
    // Run 3 tests 1 and flakes. Run 4 proves 1 and 2, so the slow second look decides on 3. Meanwhile
    // the bisection of 4 to 6 begins.
    const awaited = {
      configuration: { batch: true, batchingMinSize: 3, concurrency: 2, bisectionConcurrency: 6 },
      facts: { breaks: [3, 5] },
      faultyRuns: { 3: 'flakes' },
      runMinutes: [10, 10, 10, 5, 6, 90, 10, 10, 10, 10, 10, 10],
      script: submit(0, 1, 2, 3, 4, 5, 6),
    } as const
    const { checks, violations } = findingsOf(secondLooksCostNobody, awaited)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  // E-80, E-141
  test('holds when another bisection looks once more while one waits for a confirmation', () => {
    // In run 1 of the batch 1 to 3 only a known flake fails, so that batch is tested again first.
    const failed = [{ name: 'clock' }]
    const flake = {
      type: 'finishTestRun',
      testRun: 1,
      outcome: 'failed',
      failedTests: failed,
    } as const
    const confirmed = {
      configuration: { batch: true, batchingMinSize: 3, concurrency: 2, bisectionConcurrency: 6 },
      facts: { breaks: [5] },
      runMinutes: [10, 10, 10, 90],
      script: [...submit(0, 1, 2, 3, 4, 5, 6), at(5, { ...flake, flakyTests: failed })],
    } as const
    const { checks, violations } = findingsOf(secondLooksCostNobody, confirmed)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  // E-85, E-141
  test('holds when a batch is looked at once more after a failure that could change nothing', () => {
    // Run 3 proves 1 to 4 before run 2 of 1 and 2 flakes. Run 4 proves 5, and 6 is left.
    const moot = {
      configuration: { batch: true, batchingMinSize: 6, bisectionConcurrency: 2 },
      facts: { breaks: [6] },
      faultyRuns: { 2: 'flakes' },
      runMinutes: [10, 10, 12, 10, 10, 10],
      script: submit(0, 1, 2, 3, 4, 5, 6),
    } as const
    const { checks, violations } = findingsOf(secondLooksCostNobody, moot)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  test('is violated when a member is convicted although a slot is left over', () => {
    const wrong = engineWithRules({
      lookOnceMore: withMisreadSettings(rules.lookOnceMore, () => ({ bisectionConcurrency: 0 })),
    })
    expect(findingsOf(secondLooksCostNobody, world, wrong).stories[0]).toBe(
      'Pull request 2 FAILED by elimination at minute 20 without a second look, which had a slot left over.',
    )
  })

  test('is violated when a second look starts before a run that the other bisection wants', () => {
    const wrong = engineWithRules({
      advanceBisection: (step) => rules.advanceBisection(step) || rules.lookOnceMore(step),
    })
    const configuration = { ...twoBatches.configuration, bisectionConcurrency: 2 }
    const stream = { ...twoBatches, configuration }
    expect(findingsOf(secondLooksCostNobody, stream, wrong).stories[0]).toMatch(
      /^Run \d+ looks once more at the failed batch at minute \d+, although the bisection of pull requests . and . wants the slot\.$/,
    )
  })

  test('is violated when a slot is left over and nothing looks once more', () => {
    const configuration = { ...world.configuration, bisectionConcurrency: 3 }
    const wrong = engineWithRules({ lookOnceMore: () => false })
    expect(findingsOf(secondLooksCostNobody, { ...world, configuration }, wrong).stories[0]).toBe(
      'At minute 10 a slot is left over, and nothing looks once more at the failed batch of pull requests 1 and 2.',
    )
  })
})
