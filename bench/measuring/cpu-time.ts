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

export type Turns = {
  /** Turns of each that do not count: the compiler has yet to make up its mind. */
  readonly warmups: number
  readonly rounds: number
}

const quick: Turns = { warmups: 0, rounds: 1 }

/** Does each piece of work in turns. The answer has the costs of each piece, in the order given. */
export async function costsInTurns(
  works: readonly Work[],
  turns: Turns,
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
