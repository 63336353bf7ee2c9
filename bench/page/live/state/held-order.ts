/** The rows of the waiting table, and how a table that is held still differs from the present. */

import type { Row } from '../../../../server/page/frame.ts'
import type { PageState } from './fold.ts'

export type Shown = { readonly rows: readonly Row[] }

export function shownWaiting({ rows, waiting }: PageState): Shown {
  return { rows: waiting.order.flatMap((number) => rows.get(number) ?? []) }
}

const numbersOf = ({ rows }: Shown): number[] => rows.map(({ number }) => number)

export function isSameOrder(a: Shown, b: Shown): boolean {
  const order = numbersOf(b)
  return (
    a.rows.length === order.length && numbersOf(a).every((each, index) => each === order[index])
  )
}

/** How many have come or gone; at least one if only the order differs. */
export function changesBetween(shown: Shown, current: Shown): number {
  if (isSameOrder(shown, current)) return 0
  const before = new Set(numbersOf(shown))
  const after = new Set(numbersOf(current))
  const come = [...after].filter((each) => !before.has(each)).length
  const gone = [...before].filter((each) => !after.has(each)).length
  return Math.max(1, come + gone)
}
