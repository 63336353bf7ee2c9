/** What somebody may have meant who has written a name that is not known. */

import { closest, distance } from 'fastest-levenshtein'

/** The distance takes time in proportion to the length, and a body may have a name of 20 MiB. */
const mostCompared = 100

/** The known name that is nearest, in any letter case; null: none is so near that it may be meant. */
export function nearestOf(written: string, known: readonly string[]): string | null {
  if (known.length === 0) return null
  const [name = '', ...names] = [written, ...known].map((each) =>
    each.slice(0, mostCompared).toLowerCase(),
  )
  const nearest = closest(name, names)
  const isNear = distance(name, nearest) <= Math.max(1, nearest.length / 3)
  return isNear ? (known[names.indexOf(nearest)] ?? null) : null
}

/** ` (did you mean --size?)`; empty for null. */
export const proposed = (nearest: string | null): string =>
  nearest === null ? '' : ` (did you mean ${nearest}?)`
