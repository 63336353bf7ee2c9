import { describe, expect, test } from 'vitest'
import { rules } from '../../engine/index.ts'
import { bisectionStaysCheap } from './bisection-stays-cheap.ts'
import { engineWithRules, withMisreadQueue } from '../run/altered-engines.ts'
import { submit, update } from './testing/script.ts'
import { findingsOf } from './testing/watched.ts'

describe('bisection-stays-cheap', () => {
  const world = {
    configuration: { batch: true, batchingMinSize: 4, bisectionConcurrency: 1 },
    facts: { breaks: [1, 2, 3, 4] },
    script: submit(0, 1, 2, 3, 4),
  }

  // E-76
  test('holds when every member is a culprit', () => {
    const { checks, violations } = findingsOf(bisectionStaysCheap, world)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(3)
  })

  test('checks nothing when there is more than one slot', () => {
    const script = [...world.script, update(11, { bisectionConcurrency: 3 })]
    expect(findingsOf(bisectionStaysCheap, { ...world, script }).violations).toEqual([])
  })

  test('is violated when several members are tested together for too long', () => {
    const wrong = engineWithRules({
      startBisectionRuns: withMisreadQueue(rules.startBisectionRuns, ({ bisections }) => ({
        // As if failures were rare and the batch large, so that many runs are allowed.
        judged: { count: 1000, failed: 0 },
        bisections: bisections.map((bisection) => ({ ...bisection, size: 100 })),
      })),
    })
    expect(findingsOf(bisectionStaysCheap, world, wrong).stories[0]).toBe(
      'Run 8 was number 8 for the failed batch of pull requests 1, 2, 3 and 4, but 7 are enough.',
    )
  })
})
