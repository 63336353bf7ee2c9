/**
 * Long lists of impacted targets. Work on a list is one command of the engine, so its length limits
 * how long a command holds the event loop.
 */

import { mostElements } from '../http/limits.ts'

/** Shorter lists need no slices. */
const shortLength = 1000
/** More different names than this, or more characters in them together, mean `ALL`. */
export const mostTargets = 8000
export const mostCharacters = 500_000

const perSlice = 10_000

export function isLongList(targets: readonly string[]): boolean {
  return targets.length > shortLength
}

/**
 * Returns each name once, or `ALL` for a list that is too long: it impacts everything, which is safe
 * and only tests more pull requests on top of each other. Yields at the end of each slice. A-140
 */
export function* targetsInForce(
  targets: readonly string[],
): Generator<undefined, readonly string[] | 'ALL'> {
  // The rest of such a list was not kept.
  if (targets.length >= mostElements) return 'ALL'
  const names = new Set<string>()
  let characters = 0
  for (const [index, name] of targets.entries()) {
    if (index % perSlice === perSlice - 1) yield
    if (name === 'ALL') return 'ALL'
    if (names.has(name)) continue
    names.add(name)
    characters += name.length
    if (names.size > mostTargets || characters > mostCharacters) return 'ALL'
  }
  return [...names]
}
