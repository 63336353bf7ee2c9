/**
 * Lists of impacted targets, from clients and from commands. Work on a list is one command of the engine, so its
 * length limits how long a command holds the event loop.
 */

import { count } from '../terminal/text.ts'

/** More different names than this, or more characters in them together, are refused. */
export const mostTargets = 8000
export const mostCharacters = 500_000

const perSlice = 10_000

/** A list that is too long, in words. */
export class TooLong {
  readonly text: string

  constructor(what: string) {
    this.text = `impactedTargets has ${what} or more: send fewer, or "ALL", which impacts everything`
  }
}

const tooManyNames = new TooLong(`${count(mostTargets + 1)} different names`)
const tooManyCharacters = new TooLong(`${count(mostCharacters + 1)} characters in different names`)

/** Returns each name once, `ALL`, or why the list is refused. Yields at the end of each slice. A-140 */
export function* targetsInForce(
  targets: readonly string[],
): Generator<undefined, readonly string[] | 'ALL' | TooLong> {
  const names = new Set<string>()
  let characters = 0
  for (const [index, name] of targets.entries()) {
    if (index % perSlice === perSlice - 1) yield
    if (name === 'ALL') return 'ALL'
    if (names.has(name)) continue
    names.add(name)
    characters += name.length
    if (names.size > mostTargets) return tooManyNames
    if (characters > mostCharacters) return tooManyCharacters
  }
  return [...names]
}
