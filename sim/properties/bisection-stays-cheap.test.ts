import { describe, expect, test } from 'vitest'
import { rules } from '../../engine/index.ts'
import { bisectionStaysCheap } from './bisection-stays-cheap.ts'
import { engineWith, mistaking } from './testing/defects.ts'
import { submit, update } from './testing/script.ts'
import { find } from './testing/watched.ts'

describe('bisection-stays-cheap', () => {
  const world = {
    configuration: { batch: true, batchingMinSize: 4, bisectionConcurrency: 1 },
    facts: { breaks: [1, 2, 3, 4] },
    script: submit(0, 1, 2, 3, 4),
  }

  test('holds when everybody is a culprit', () => {
    const { checks, violations } = find(bisectionStaysCheap, world)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(3)
  })

  test('has nothing to say once there are more slots than one', () => {
    const script = [...world.script, update(11, { bisectionConcurrency: 3 })]
    expect(find(bisectionStaysCheap, { ...world, script }).violations).toEqual([])
  })

  test('is violated when several are tried together for longer than can pay', () => {
    const wrong = engineWith({
      startBisectionRuns: mistaking(rules.startBisectionRuns, ({ bisections }) => ({
        // As if failures were rare, and the batch so large that there were runs to spare.
        judged: { count: 1000, failed: 0 },
        bisections: bisections.map((bisection) => ({ ...bisection, size: 100 })),
      })),
    })
    expect(find(bisectionStaysCheap, world, wrong).stories[0]).toBe(
      'Run 8 was number 8 for the failed batch of pull requests 1, 2, 3 and 4, where 7 must do.',
    )
  })
})
