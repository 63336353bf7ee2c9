/**
 * Measures short functions with tinybench in turns: A B A B, a few calls of each per round. If the
 * machine is slow for a second, all functions are equally slow, so the ratios between them are
 * valid.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { Bench } from 'tinybench'
import type { Effort } from './measurement.ts'
import { spreadOf, type Spread } from './spread.ts'

export type Task = {
  readonly name: string
  readonly run: () => unknown
  /** How many units of work one call of `run` does (1). */
  readonly calls?: number
}

/**
 * For each task one number per round: the median time of its calls in that round, in nanoseconds.
 */
export type Rounds = ReadonlyMap<string, readonly number[]>

const full = { rounds: 15, timeMs: 60, iterations: 8 } as const
const quick = { rounds: 1, timeMs: 0, iterations: 2 } as const

/** Measures the tasks in turns. Stops early if `effort.signal` aborts. */
export async function measureInTurns(tasks: readonly Task[], effort: Effort): Promise<Rounds> {
  const { rounds, timeMs, iterations } = effort.isQuick ? quick : full
  const found = new Map<string, number[]>(tasks.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds && !effort.signal.aborted; round++) {
    for (const task of tasks) {
      const bench = new Bench({
        time: timeMs,
        iterations,
        warmup: round === 0,
        throws: true,
        ...warmup,
      })
      bench.add(task.name, () => void task.run(), { async: false })
      bench.runSync()
      const { result } = bench.tasks[0] ?? {}
      if (result?.state !== 'completed') throw new Error(`${task.name} could not be measured`)
      found.get(task.name)?.push((result.latency.p50 * nsPerMs) / (task.calls ?? 1))
    }
    await nextTurn()
  }
  return found
}

const nsPerMs = 1e6

/** Enough calls for the just-in-time compiler to optimize the code. */
const warmup = { warmupTime: 0, warmupIterations: 16 } as const

/** Returns the times of one task. Throws if the task was not measured. */
export function roundsOf(rounds: Rounds, name: string): readonly number[] {
  const found = rounds.get(name)
  if (!found) throw new Error(`${name} was not measured`)
  return found
}

export function spreadIn(rounds: Rounds, name: string): Spread {
  return spreadOf(roundsOf(rounds, name))
}
