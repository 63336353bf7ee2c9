/**
 * What has landed on the target branch, as far back as any run that may still matter, and what
 * that means for such a run: whether the branch has become what the run has tested, as far as
 * those that share a target are concerned.
 */

import type { Content } from './composition.ts'
import { isSame } from './same.ts'
import { shareTarget, type Touched } from './targets.ts'
import type { RunRecord } from './test-runs.ts'

type Landed = { readonly content: Content; readonly touched: Touched }

export type History = {
  land(landed: Landed): void
  /** Drops what landed up to a tip. */
  forget(tip: number): void
  /** What landed after a tip, in order. */
  since(tip: number): readonly Landed[]
  /** How many commits are remembered. */
  readonly size: number
}

export function history(): History {
  const landed: Landed[] = []
  let oldest = 0
  return {
    land: (entry) => void landed.push(entry),
    forget(tip) {
      const gone = Math.max(0, tip - oldest)
      landed.splice(0, gone)
      oldest += gone
    },
    since: (tip) => landed.slice(Math.max(0, tip - oldest)),
    get size() {
      return landed.length
    },
  }
}

/** Of a run: what it is made of, in order, and what each of these touches. */
type Made = Pick<RunRecord, 'run' | 'contents' | 'touched'>

/**
 * What of a run has not landed yet; null when something has landed before what it should be on
 * top of: it shares a target with what has not landed yet, and the run has it later, or not at all.
 */
export function remainingOf(record: Made, past: History): Content[] | null {
  const { contents, run } = record
  const landed = past.since(run.tip)
  const isInOrder = landed.every(({ content }, place) => content === contents[place])
  // Nearly always all lands in order.
  return isInOrder ? contents.slice(landed.length) : remainingOutOfOrder(record, landed)
}

/**
 * Whether the branch is what the run has tested as far up as the last of these. What it has above
 * them may be on top of something else by now: it proved these with it, and is tested again.
 */
export function isProofOf(record: RunRecord, these: readonly Content[], past: History): boolean {
  const last = Math.max(...these.map((content) => record.contents.indexOf(content)))
  const contents = last === -1 ? record.contents : record.contents.slice(0, last + 1)
  return remainingOf({ ...record, contents }, past) !== null
}

function remainingOutOfOrder(record: Made, landed: readonly Landed[]): Content[] | null {
  const { contents } = record
  // `first` is the place up to which everything has landed, and only what landed ahead of its
  // turn is kept one by one.
  const landedEarly = new Set<number>()
  let first = 0
  for (const { content, touched } of landed) {
    const place = contents.indexOf(content, first)
    const end = place === -1 ? contents.length : place
    for (let above = first; above < end; above++) {
      const isMissing = !landedEarly.has(above)
      if (isMissing && shareTarget(touched, touchedAt(record, above))) return null
    }
    if (place === -1) continue
    if (place === first) first++
    else landedEarly.add(place)
    while (landedEarly.delete(first)) first++
  }
  const left = contents.slice(first)
  return landedEarly.size === 0 ? left : left.filter((_, place) => !landedEarly.has(first + place))
}

/** Whether two orders of the same contents of a run differ in nothing that shares a target. */
export function isSameOrder(
  record: RunRecord,
  some: readonly Content[],
  others: readonly Content[],
): boolean {
  if (isSame(some, others)) return true
  const places = others.map((content) => some.indexOf(content))
  if (some.length !== others.length || places.includes(-1)) return false
  const touched = others.map((content) => touchedAt(record, record.contents.indexOf(content)))
  return places.every((place, later) =>
    places
      .slice(0, later)
      .every((before, earlier) => before < place || !share(touched[earlier], touched[later])),
  )
}

const share = (some: Touched = 'ALL', others: Touched = 'ALL'): boolean => shareTarget(some, others)

function touchedAt({ touched }: Made, place: number): Touched {
  return touched[place] ?? 'ALL'
}
