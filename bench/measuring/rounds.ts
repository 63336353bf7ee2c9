/**
 * Short pieces of work, measured by tinybench in turns: A B A B, a little of each a round. Whatever
 * slows the machine down for a second then slows all of them, and ratios between them hold.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { Bench } from 'tinybench'
import type { Effort } from './measured.ts'
import { spreadOf, type Spread } from './spread.ts'

export type Task = {
  readonly name: string
  readonly run: () => unknown
  /** How many of the thing that is measured one call of `run` does; 1 if left out. */
  readonly calls?: number
}

/** Nanoseconds of each task, a number for each round: the median of its calls in that round. */
export type Rounds = ReadonlyMap<string, readonly number[]>

const full = { rounds: 15, timeMs: 60, iterations: 8 } as const
const quick = { rounds: 1, timeMs: 0, iterations: 2 } as const

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

/** Enough for the compiler to have made up its mind; short in the quick form. */
const warmup = { warmupTime: 0, warmupIterations: 16 } as const

/** The rounds of one task. Throws for a task that was not among them. */
export function roundsOf(rounds: Rounds, name: string): readonly number[] {
  const found = rounds.get(name)
  if (!found) throw new Error(`${name} was not measured`)
  return found
}

export function spreadIn(rounds: Rounds, name: string): Spread {
  return spreadOf(roundsOf(rounds, name))
}
