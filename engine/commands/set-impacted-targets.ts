import type { SetImpactedTargets } from '../protocol/commands.ts'
import { setTargets, widenDependents, withTargetsBelow } from '../transitions/stack.ts'
import { reviewReadiness } from '../transitions/readiness.ts'
import type { Decide } from './decide.ts'

/**
 * Stores uploaded targets, also before the submission. They replace an earlier upload. A list that
 * contains the name `ALL` is `ALL`. A group in the line that shares more than before waits for those
 * that were tested without it. Those that depend on it impact them too. Rules: E-94, E-143, E-267.
 */
export const setImpactedTargets: Decide<SetImpactedTargets> = (step, { number, targets }) => {
  const isAll = targets === 'ALL' || targets.includes('ALL')
  const named = isAll ? 'ALL' : withoutDuplicates(targets)
  setTargets(step, number, withTargetsBelow(step.queue, number, named))
  reviewReadiness(step, number)
  widenDependents(step, number)
  return null
}

// Removal of duplicates from a list of names.
//
// A list of targets may be as long as a request, and a set of all names takes as much memory as
// their text. So a cheap hash sorts the names into classes, and each class is checked separately.

/** The approximate number of names in a set at once, if the hash spreads them evenly. */
const usualClass = 1 << 14

/** A class is one byte; the highest value marks a duplicate. */
const repeated = 255

/** Returns each name once, at its first position; the list itself if it has no duplicates. */
export function withoutDuplicates(
  names: readonly string[],
  namesPerClass = usualClass,
): readonly string[] {
  const classes = Math.min(repeated, Math.ceil(names.length / namesPerClass))
  const classOf = new Uint8Array(names.length)
  if (classes > 1) for (const [at, name] of names.entries()) classOf[at] = hashOf(name) % classes
  let repetitions = 0
  for (let each = 0; each < classes; each++) repetitions += markRepeated(names, classOf, each)
  return repetitions === 0 ? names : names.filter((_, at) => classOf[at] !== repeated)
}

/** Marks the duplicates within one class and returns their number. */
function markRepeated(names: readonly string[], classOf: Uint8Array, each: number): number {
  const seen = new Set<string>()
  let count = 0
  for (let at = classOf.indexOf(each); at !== -1; at = classOf.indexOf(each, at + 1)) {
    count++
    const name = names[at] ?? ''
    if (seen.has(name)) classOf[at] = repeated
    else seen.add(name)
  }
  return count - seen.size
}

/** The hash need not be secure: names that all fall into one class only make one set larger. */
function hashOf(name: string): number {
  let hash = 0
  for (let at = 0; at < name.length; at++) hash = (hash * 31 + name.charCodeAt(at)) >>> 0
  return hash
}
