/** The place of each pull request: in what order they merge if all goes well. */

import { bisected } from './figures.ts'
import type { PageState } from './fold.ts'

/** Those in a bisection and those that are not ready have no place. */
export function placesOf({ line, waiting, rows }: PageState): ReadonlyMap<number, number> {
  const searched = bisected({ line })
  const order = [...line.groups.flatMap(({ members }) => members), ...waiting.order]
  const placed = order.filter(
    (number) => !searched.has(number) && rows.get(number)?.state !== 'NOT_READY',
  )
  return new Map(placed.map((number, index) => [number, index + 1]))
}

/** "1st", "22nd", "113th"; an empty text for none. */
export function ordinal(place: number | undefined): string {
  if (place === undefined) return ''
  const isTeen = Math.floor(place / 10) % 10 === 1
  const ending = isTeen ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' }[place % 10] ?? 'th')
  return `${place.toLocaleString('en-GB')}${ending}`
}
