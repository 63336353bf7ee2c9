import { describe, expect, test } from 'vitest'
import { rules } from '../../engine/index.ts'
import { withMisreadSettings } from '../run/altered-engines.ts'
import { oddsConvict } from './odds-convict.ts'
import { engineWithRules } from './testing/defects.ts'
import { submit, submitAs, update } from './testing/script.ts'
import { findingsOf } from './testing/watched.ts'

describe('odds-convict', () => {
  const configuration = { policy: 'adaptive' } as const
  const single = { configuration, facts: { breaks: [2] }, script: submit(0, 1, 2, 3) } as const
  const batched = {
    ...single,
    configuration: { ...configuration, batch: true, batchingMinSize: 3, bisectionConcurrency: 1 },
  }

  // E-200, E-201
  test('holds for single pull requests that break, flake, are urgent or time out', () => {
    const world = {
      ...single,
      faultyRuns: { 1: 'flakes', 5: 'hangs' } as const,
      script: [...single.script, submitAs(1, 4, { priority: 0 })],
    }
    const { checks, violations } = findingsOf(oddsConvict, world)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(1)
  })

  // E-202, E-205
  test('holds for batches, and when the setting changes', () => {
    const world = {
      ...batched,
      script: [...batched.script, update(12, { policy: 'documented' })],
    }
    expect(findingsOf(oddsConvict, batched)).toMatchObject({ violations: [] })
    expect(findingsOf(oddsConvict, world)).toMatchObject({ violations: [] })
  })

  // E-200, E-201
  test('is violated when a single pull request is FAILED for its first failure', () => {
    const wrong = engineWithRules({
      settleFailure: withMisreadSettings(rules.settleFailure, () => ({ policy: 'documented' })),
    })
    expect(findingsOf(oddsConvict, single, wrong).stories[0]).toMatch(
      /^Pull request 2 FAILED at minute \d+, although it is not 10 times as probable/,
    )
  })

  // E-202
  test('is violated when a bisection convicts a member too early', () => {
    const off = (): { policy: 'adaptive' | 'documented' } => ({ policy: 'documented' })
    const wrong = engineWithRules({
      advanceBisection: withMisreadSettings(rules.advanceBisection, off),
    })
    const world = { ...batched, facts: { breaks: [1] } }
    expect(findingsOf(oddsConvict, world, wrong).violations).toHaveLength(1)
  })

  // E-201
  test('is violated when a single pull request is looked at once more without need', () => {
    const wrong = engineWithRules({
      settleFailure: withMisreadSettings(rules.settleFailure, () => ({ policy: 'adaptive' })),
    })
    const world = { ...single, configuration: {} }
    expect(findingsOf(oddsConvict, world, wrong).stories[0]).toMatch(
      /^At minute \d+ pull request 2 is looked at once more, although its failure convicts it\.$/,
    )
  })
})
