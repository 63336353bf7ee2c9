/**
 * Why the checks by truth have their exceptions: in each of these runs the engine is right, and
 * without the exception a property would be violated. `leftOut` counts the checks that it leaves
 * out (S-172). Exceptions that scenarios need as well are not here.
 */

import { describe, expect, test } from 'vitest'
import { judgedByTruth } from './judged-by-truth.ts'
import { serialOracle } from './serial-oracle.ts'
import {
  inLanes,
  drive,
  at,
  cancel,
  conflict,
  submit,
  submitAs,
  checkProperties,
} from './testing/scripted-queue.ts'
import type { ScriptedCommand, StreamSpec } from './testing/scripted-queue.ts'
import { trunkStaysGreen } from './trunk-stays-green.ts'
import type { Property } from '../observe/property.ts'

type Judgement = { readonly checks: number; readonly leftOut: number }

/** What a property judges of a world in which the real engine violates nothing. */
function judgementOf(property: Property, world: StreamSpec): Judgement {
  const { checks, leftOut, violations } = checkProperties([property], world, drive(world))
  expect(violations).toEqual([])
  return { checks, leftOut }
}

const byHand = (number: number) => ({ type: 'reportManualMerge', number }) as const
const batch = { batch: true, batchingMinSize: 2 } as const
const targets = (touched: Record<number, string[]>): ScriptedCommand[] =>
  Object.entries(touched).map(([number, each]) =>
    at(0, { type: 'setImpactedTargets', number: Number(number), targets: each }),
  )

/** 3 fixes 1. The run of 4 starts between their merges. */
const besideHalfABatch = inLanes([...submit(0, 1, 3), ...submit(10, 4)], {
  configuration: batch,
  facts: { breaks: [1], fixes: [[3, 1]] },
  mergeMinutes: 4,
})

/** 1 and 3 share a lane. 2, in a lane of its own, fixes 1 and merges before their bisection. */
const repairedFromOutside = inLanes(submit(0, 1, 3, 2), {
  configuration: batch,
  facts: { breaks: [1], fixes: [[2, 1]] },
  // The second look at the batch is lost.
  faultyRuns: { 4: 'errored' },
  runMinutes: [5, 30, 5],
})

/** 5 conflicts with 1 and with 2. It waits for 1, which breaks, and 2 merges in its own lane. */
const passedWhileLeftOut = inLanes([conflict(0, 5, 1, 2), ...submit(0, 1, 5, 2)], {
  facts: { breaks: [1], conflicts: [[5, 2]] },
  runMinutes: [5, 20],
})

// S-172
describe('judged-by-truth leaves out', () => {
  test('one tested on a change that a successor cleared and another lane repairs', () => {
    const world: StreamSpec = {
      configuration: { mode: 'parallel', concurrency: 4, canOptimisticallyMerge: true },
      facts: { breaks: [1], fixes: [[2, 1]] },
      // The run of 2 passes first. That of 3 holds 1 and not 2.
      runMinutes: [10, 30, 5],
      script: [...targets({ 1: ['web', 'core'], 2: ['core'], 3: ['web'] }), ...submit(0, 1, 2, 3)],
    }
    expect(judgementOf(judgedByTruth, world)).toEqual({ checks: 0, leftOut: 1 })
  })

  test('one tested on top of a pull request that breaks and that a person merges meanwhile', () => {
    // 1 is the next to merge, so nothing restarts. 4, in a lane of its own, merges in between.
    const world = inLanes([...submit(0, 1, 3, 4), at(15, byHand(1))], {
      configuration: { pendingFailureDepth: 1 },
      facts: { breaks: [1] },
      runMinutes: [5, 30, 20],
    })
    expect(judgementOf(judgedByTruth, world)).toEqual({ checks: 0, leftOut: 1 })
  })

  test('one tested on top of a pull request that merges while a person merges what it breaks with', () => {
    const world: StreamSpec = {
      facts: { pairs: [[1, 3]] },
      mergeMinutes: 20,
      script: [...submit(0, 1, 2, 3), at(11, byHand(3))],
    }
    expect(judgementOf(judgedByTruth, world)).toEqual({ checks: 0, leftOut: 1 })
  })

  test('one whose run tested a pull request that another lane repairs', () => {
    expect(judgementOf(judgedByTruth, repairedFromOutside)).toEqual({ checks: 0, leftOut: 1 })
  })
})

// S-172
describe('trunk-stays-green leaves out', () => {
  test('a state of the branch with half a batch of another lane', () => {
    // 3 fixes 1. Number 2 merges after 1 and before 3.
    const world = inLanes(submit(0, 1, 3, 2), {
      configuration: batch,
      facts: { breaks: [1], fixes: [[3, 1]] },
      runMinutes: [5, 10, 6],
      mergeMinutes: 4,
    })
    // Of two groups the proof is checked, and of one of them the truth.
    expect(judgementOf(trunkStaysGreen, world)).toEqual({ checks: 2 + 1, leftOut: 1 })
  })
})

// S-46, S-172
describe('the serial oracle leaves out', () => {
  const oracle = (world: StreamSpec): Judgement => judgementOf(serialOracle, world)

  test('one that is cancelled, and judges the others', () => {
    // 2 breaks together with 1 and with nobody else.
    const world: StreamSpec = {
      facts: { pairs: [[1, 2]] },
      script: [...submit(0, 1, 2, 3), cancel(1, 1)],
    }
    expect(oracle(world)).toEqual({ checks: 2, leftOut: 1 })
  })

  test('one that a person merged out of turn, and judges the others on top of it', () => {
    const world: StreamSpec = {
      facts: { pairs: [[1, 3]] },
      script: [...submit(0, 1, 2, 3), at(1, byHand(3))],
    }
    expect(oracle(world)).toEqual({ checks: 2, leftOut: 1 })
  })

  test('one that had merged in its lane before a person broke the branch together with it', () => {
    // 1 comes first and is slow, so the place of 2 has not come when 4 merges.
    const world = inLanes([...submit(0, 1, 2), ...submit(6, 4), at(6, byHand(4))], {
      facts: { pairs: [[2, 4]] },
      runMinutes: [30, 30, 5],
    })
    expect(oracle(world)).toEqual({ checks: 1, leftOut: 2 })
  })

  test('one tested in a lane while another lane had landed half a batch', () => {
    expect(oracle(besideHalfABatch)).toEqual({ checks: 0, leftOut: 3 })
  })

  test('one whose run tested a pull request that another lane repairs', () => {
    expect(oracle(repairedFromOutside)).toEqual({ checks: 0, leftOut: 3 })
  })

  test('one whose merging had begun when a person broke the branch', () => {
    const world: StreamSpec = {
      facts: { breaks: [2] },
      mergeMinutes: 20,
      script: [...submit(0, 1, 2), at(11, byHand(2))],
    }
    expect(oracle(world)).toEqual({ checks: 0, leftOut: 2 })
  })

  test('one that breaks and was cleared by the run of its successor', () => {
    const world: StreamSpec = {
      configuration: { canOptimisticallyMerge: true, concurrency: 2, pendingFailureDepth: 1 },
      facts: { breaks: [1], fixes: [[2, 1]] },
      script: submit(0, 1, 2),
    }
    expect(oracle(world)).toEqual({ checks: 1, leftOut: 1 })
  })

  test('one in a batch that another one fixes, and judges the others', () => {
    const facts = { breaks: [1], fixes: [[2, 1]] } as const
    const world = { configuration: batch, facts, script: submit(0, 1, 2, 3) }
    expect(oracle(world)).toEqual({ checks: 1, leftOut: 2 })
  })

  test('those of two lanes that break together and share no target, and judges the others', () => {
    const world = inLanes(submit(0, 4, 1, 2), { facts: { pairs: [[1, 2]] } })
    expect(oracle(world)).toEqual({ checks: 1, leftOut: 2 })
  })

  test('one that conflicts with one that merged while it waited for a third', () => {
    expect(oracle(passedWhileLeftOut)).toEqual({ checks: 2, leftOut: 1 })
  })

  test('one that merges in its lane while another lane has broken the branch', () => {
    const world = inLanes([...submit(0, 1, 2), submitAs(0, 3, {}), at(1, byHand(1))], {
      facts: { breaks: [1] },
      runMinutes: [10],
    })
    expect(oracle(world).leftOut).toBeGreaterThan(1)
  })
})
