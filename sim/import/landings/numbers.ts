/** The numbers of pull requests in the scenario, where each number occurs once. */

import type { Landing } from './classify.ts'

export type Numbered = {
  readonly number: number
  /** What the history calls it, where the number is invented; else null. */
  readonly origin: string | null
}

/**
 * A pull request keeps its number. Where a number lands again, the later landing has a digit in
 * front: 7 is 1007. One without a number gets a number far above all others, or, if none has one,
 * its place in the history.
 */
export function numbersOf(landings: readonly Landing[]): Numbered[] {
  const own = landings.flatMap(({ change }) => change.number ?? [])
  const largest = own.reduce((most, number) => Math.max(most, number), 0)
  const step = 10 ** Math.max(3, String(largest).length)
  const times = new Map<number, number>()
  let invented = own.length === 0 ? 0 : 1000 * step
  return landings.map(({ change, commits }) => {
    if (change.number === null) {
      invented += 1
      return { number: invented, origin: originOf(change.name, commits[0].hash) }
    }
    const time = times.get(change.number) ?? 0
    times.set(change.number, time + 1)
    const origin = time === 0 ? null : `${change.number}, landed again`
    return { number: change.number + time * step, origin }
  })
}

const shortHash = 10

function originOf(name: string | undefined, hash: string): string {
  return name === undefined ? `commit ${hash.slice(0, shortHash)}` : `Change-Id ${name}`
}
