/**
 * Longer pieces of work, by the processor time that they take: others on the machine may delay
 * them, and that is not their cost.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Effort } from './measured.ts'

const nsPerUs = 1000

/** Processor time of this process for `work`, with that of its garbage collector, in nanoseconds. */
export function cpuNs<T>(work: () => T): { readonly ns: number; readonly answer: T } {
  const before = process.cpuUsage()
  const answer = work()
  const { user, system } = process.cpuUsage(before)
  return { ns: (user + system) * nsPerUs, answer }
}

/** Answers the cost of one of whatever it does, in nanoseconds. */
export type Work = () => number

/**
 * Does each piece of work in turns, `rounds` times; the first turn of each is to warm up and does
 * not count. The answer has the costs of each piece, in the order given.
 */
export async function costsInTurns(
  works: readonly Work[],
  rounds: number,
  { isQuick, signal }: Effort,
): Promise<readonly (readonly number[])[]> {
  const costs: number[][] = works.map(() => [])
  const warmups = isQuick ? 0 : 1
  for (let round = -warmups; round < (isQuick ? 1 : rounds) && !signal.aborted; round++) {
    for (const [index, work] of works.entries()) {
      const cost = work()
      if (round >= 0) costs[index]?.push(cost)
      await nextTurn()
    }
  }
  return costs
}
