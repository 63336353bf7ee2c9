import { describe, expect, test } from 'vitest'
import { Engine, newQueue, type TestRun } from '../../engine/index.ts'
import { drawsOf } from '../draw.ts'
import { nestedPolicy } from './nested-policy.ts'

/** Batch after batch through the real engine, one bisection slot, on truths drawn by key. */
class BatchAfterBatch {
  readonly #engine: Engine
  readonly #runs: TestRun[] = []
  readonly #breaking = new Set<number>()
  #submitted = 0
  #at = 0

  constructor(size: number) {
    const queue = newQueue({
      configuration: {
        batch: true,
        batchingMinSize: size,
        concurrency: 1,
        bisectionConcurrency: 1,
      },
    })
    this.#engine = new Engine(queue, {
      clock: { wakeAt: () => undefined },
      testRunner: { start: (run) => void this.#runs.push(run), cancel: () => undefined },
    })
  }

  get judged(): number {
    return this.#engine.queue.judged.count
  }

  /** Runs that one batch took, its own included. */
  runsOf(breaks: readonly boolean[]): number {
    for (const isBreaking of breaks) {
      this.#submitted++
      if (isBreaking) this.#breaking.add(this.#submitted)
      this.#engine.dispatch({ type: 'submitPullRequest', number: this.#submitted, at: this.#at })
    }
    let runs = 0
    for (let run = this.#runs.shift(); run; run = this.#runs.shift()) {
      runs++
      this.#at += 60_000
      const fails = [...run.base, ...run.tested].some((number) => this.#breaking.has(number))
      const outcome = fails ? 'failed' : 'passed'
      this.#engine.dispatch({ type: 'finishTestRun', testRun: run.id, outcome, at: this.#at })
    }
    return runs
  }
}

const rates = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3]
const histories = 20
const batchesEach = 100

/** Runs spent on some batches after a hundred judged pull requests, and runs the optimum needs. */
function spentAndNeeded(size: number, p: number, history: number): [number, number] {
  const optimal = nestedPolicy(p, size)
  const draw = drawsOf(history)
  const queue = new BatchAfterBatch(size)
  let spent = 0
  let needed = 0
  for (let batch = 0, measured = 0; measured < batchesEach; batch++) {
    const breaks = Array.from(
      { length: size },
      (_, member) => draw.unit('breaks', `${p}/${size}/${batch}/${member}`) < p,
    )
    const isWarm = queue.judged >= 100
    const runs = queue.runsOf(breaks)
    expect(runs).toBeLessThanOrEqual(2 * size - 1)
    if (!isWarm) continue
    measured++
    spent += runs
    needed += optimal(breaks)
  }
  return [spent, needed]
}

describe('a bisected batch, after 100 judged pull requests', () => {
  test.each([2, 3, 4, 6, 8, 12, 16])(
    'of %i costs within two per cent of the optimal nested policy that knows the rate',
    (size) => {
      for (const p of rates) {
        const each = Array.from({ length: histories }, (_, history) =>
          spentAndNeeded(size, p, history + 1),
        )
        const spent = each.reduce((sum, [runs]) => sum + runs, 0)
        const needed = each.reduce((sum, [, runs]) => sum + runs, 0)
        expect(spent / needed, `size ${size}, rate ${p}`).toBeLessThanOrEqual(1.02)
      }
    },
  )
})
