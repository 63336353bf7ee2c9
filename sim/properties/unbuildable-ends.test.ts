import { describe, expect, test } from 'vitest'
import type { PullRequestNumber } from '../../engine/index.ts'
import { engineOf } from './testing/planted.ts'
import { drive } from './testing/drive.ts'
import { at, submit } from './testing/script.ts'
import { altered, checkProperties, findingsOf } from './testing/watched.ts'
import { unbuildableEnds } from './unbuildable-ends.ts'

// E-215 to E-217
describe('unbuildable-ends', () => {
  const unbuildable = (conflictsWith: PullRequestNumber | 'tip') => ({
    configuration: { concurrency: 2 },
    script: [
      ...submit(0, 1, 2),
      at(1, { type: 'reportUnbuildable', testRun: 2, number: 2, conflictsWith }),
    ],
  })

  test('holds when the later one waits, and is FAILED when the earlier one merges', () => {
    const { checks, violations } = findingsOf(unbuildableEnds, unbuildable(1))
    expect(violations).toEqual([])
    expect(checks).toBe(3)
  })

  test('is violated when the run is made again, or counts as failed', () => {
    const again = engineOf('unbuildable-starts-again')
    expect(findingsOf(unbuildableEnds, unbuildable(1), again).stories[0]).toBe(
      'Run 3 started at minute 1 with the same composition as run 2, which git could not build.',
    )
    const failed = engineOf('unbuildable-counts-as-failed')
    expect(findingsOf(unbuildableEnds, unbuildable(1), failed).stories[0]).toBe(
      'Run 2 has a verdict at minute 1, but git could not build it.',
    )
  })

  test.each(['tip', 1] as const)('is violated when it merges all the same: %s', (other) => {
    const world = unbuildable(other)
    const merged = altered(drive(world), (event) =>
      event.type === 'pullRequestMoved' && event.number === 2 && event.to === 'FAILED'
        ? [{ ...event, to: 'MERGED', reason: 'MERGE_GRAPH_MERGE' }]
        : [event],
    )
    const minute = other === 'tip' ? 1 : 10
    expect(checkProperties([unbuildableEnds], world, merged).stories).toEqual([
      `Pull request 2 merged at minute ${minute}, although git could not put it on the branch.`,
    ])
  })
})
