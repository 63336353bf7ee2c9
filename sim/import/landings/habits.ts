/** The habits of a history in words: "437 bors batches, 8 with two or more". */

import { count } from '../../../server/terminal/text.ts'
import type { Landing } from './classify.ts'
import type { Rule } from './rule.ts'

/** One text per habit, the commonest first. */
export function habitsInWords(landings: readonly Landing[]): string[] {
  return [...byRule(landings)]
    .map(([rule, own]) => ({ rule, own, batches: batchesOf(rule, own) }))
    .sort((a, b) => b.own.length - a.own.length)
    .map(({ rule, own, batches }) => {
      const [one, many] = rule.names
      const isTimed = rule.batch !== 'commit'
      const all = isTimed ? own.length : batches.length
      const larger = batches.filter((size) => size > 1).length
      const groups = isTimed
        ? `${count(larger)} group${larger === 1 ? '' : 's'} of`
        : `${count(larger)} with`
      return `${count(all)} ${all === 1 ? one : many}${larger === 0 ? '' : `, ${groups} two or more`}`
    })
}

/** What the log cannot tell about the habits found, each sentence once. */
export function caveatsOf(landings: readonly Landing[]): string[] {
  const found = [...byRule(landings).keys()].flatMap(({ caveat }) => caveat ?? [])
  return [...new Set(found)]
}

function byRule(landings: readonly Landing[]): Map<Rule, Landing[]> {
  const found = new Map<Rule, Landing[]>()
  for (const landing of landings) {
    const own = found.get(landing.rule)
    if (own) own.push(landing)
    else found.set(landing.rule, [landing])
  }
  return found
}

/** The sizes of the batches, oldest first: pull requests of one commit, or close in time. */
function batchesOf({ batch }: Rule, landings: readonly Landing[]): number[] {
  const sizes: number[] = []
  let before: Landing | null = null
  for (const landing of landings) {
    const isSame: boolean =
      before !== null &&
      (batch === 'commit'
        ? before.commits[0].hash === landing.commits[0].hash
        : landing.atMs - before.atMs <= batch.withinMs)
    if (isSame) sizes.push((sizes.pop() ?? 0) + 1)
    else sizes.push(1)
    before = landing
  }
  return sizes
}
