/**
 * Measures longer functions by their processor time. Other processes on the machine may delay a
 * function, but that time is not part of its cost.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Effort } from './measurement.ts'

const nsPerUs = 1000

/**
 * Calls `work`. Returns its answer and the processor time of the process meanwhile, garbage
 * collection included, in nanoseconds.
 */
export function cpuNs<T>(work: () => T): { readonly ns: number; readonly answer: T } {
  const before = process.cpuUsage()
  const answer = work()
  const { user, system } = process.cpuUsage(before)
  return { ns: (user + system) * nsPerUs, answer }
}

/** Does the work and returns its cost per unit of work, in nanoseconds. */
export type MeasureOnce = () => number

export type TurnCounts = {
  /** Rounds that do not count: the just-in-time compiler still optimizes the code. */
  readonly warmups: number
  readonly rounds: number
}

const quick: TurnCounts = { warmups: 0, rounds: 1 }

/**
 * Calls the functions in turns: each one once per round. Returns a list of costs for each function,
 * in the order of `works`, in nanoseconds.
 */
export async function costsInTurns(
  works: readonly MeasureOnce[],
  turns: TurnCounts,
  { isQuick, signal }: Effort,
): Promise<readonly (readonly number[])[]> {
  const costs: number[][] = works.map(() => [])
  const { warmups, rounds } = isQuick ? quick : turns
  for (let round = -warmups; round < rounds && !signal.aborted; round++) {
    for (const [index, work] of works.entries()) {
      const cost = work()
      if (round >= 0) costs[index]?.push(cost)
      await nextTurn()
    }
  }
  return costs
}
