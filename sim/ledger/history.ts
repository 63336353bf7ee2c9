/**
 * The commits on the target branch since the tip of the oldest run that may still matter. They show
 * whether the branch has become what such a run tested. Only commits that share a target with the
 * run count.
 */

import type { Content } from './composition.ts'
import { shareTarget, type TargetSet } from './targets.ts'
import type { RunRecord } from './test-runs.ts'

type LandedContent = {
  readonly content: Content
  /** The impacted targets with which it was merged. */
  readonly touched: TargetSet
  /** And those uploaded while it merged. */
  readonly uploaded: TargetSet
}

export type LandedHistory = {
  land(landed: LandedContent): void
  /** Removes the commits up to a tip. */
  forget(tip: number): void
  /**
   * The number of commits after a tip, if they are the first of these contents in their order; null
   * if they are not.
   */
  inOrderSince(tip: number, contents: readonly Content[], end?: number): number | null
  /** The commits after a tip, in order. */
  since(tip: number): readonly LandedContent[]
  /** The number of commits that are kept. */
  readonly size: number
}

export function history(): LandedHistory {
  const landed: LandedContent[] = []
  let oldest = 0
  return {
    land: (entry) => void landed.push(entry),
    forget(tip) {
      const gone = Math.max(0, tip - oldest)
      landed.splice(0, gone)
      oldest += gone
    },
    inOrderSince(tip, contents, end = contents.length) {
      const start = Math.max(0, tip - oldest)
      const count = Math.max(0, landed.length - start)
      if (count > end) return null
      for (let index = 0; index < count; index++) {
        if (landed[start + index]?.content !== contents[index]) return null
      }
      return count
    },
    since: (tip) => landed.slice(Math.max(0, tip - oldest)),
    get size() {
      return landed.length
    },
  }
}

/** The contents of a run, in order, and the impacted targets of each. */
type ComposedRun = Pick<RunRecord, 'run' | 'contents' | 'touched'>

/**
 * The contents of a run that have not landed yet. Null when a commit has landed out of order: it
 * shares a target with a content that has not landed yet, and the run has it after that content, or
 * not at all.
 */
export function remainingOf(record: ComposedRun, past: LandedHistory): Content[] | null {
  const { contents, run } = record
  // Nearly always everything lands in order.
  const inOrder = past.inOrderSince(run.tip, contents)
  return inOrder === null
    ? remainingOutOfOrder(record, past.since(run.tip))
    : contents.slice(inOrder)
}

/**
 * Whether the branch is what the run tested, up to the last of these contents. Contents of the run
 * above them do not count: they are tested again if their base has changed.
 */
export function isProofOf(
  { run, contents: all, touched }: RunRecord,
  these: readonly Content[],
  past: LandedHistory,
): boolean {
  let end = 0
  for (const content of these) end = Math.max(end, all.indexOf(content) + 1)
  if (end === 0) end = all.length
  if (past.inOrderSince(run.tip, all, end) !== null) return true
  return (
    remainingOutOfOrder({ run, contents: all.slice(0, end), touched }, past.since(run.tip)) !== null
  )
}

function remainingOutOfOrder(
  record: ComposedRun,
  landed: readonly LandedContent[],
): Content[] | null {
  const { contents } = record
  const counts = countingIn(record)
  // Everything up to index `first` has landed. The set holds contents that landed before their turn.
  const landedEarly = new Set<number>()
  let first = 0
  for (const { content, touched } of landed) {
    const index = contents.indexOf(content, first)
    const end = index === -1 ? contents.length : index
    for (let above = first; above < end; above++) {
      const isMissing = !landedEarly.has(above)
      if (isMissing && counts[above] && shareTarget(touched, touchedAt(record, above))) return null
    }
    if (index === -1) continue
    if (index === first) first++
    else landedEarly.add(index)
    while (landedEarly.delete(first)) first++
  }
  const left = contents.slice(first)
  return landedEarly.size === 0 ? left : left.filter((_, index) => !landedEarly.has(first + index))
}

/**
 * Which contents count for what the run tests: those that share a target with it, or with what counts.
 * Others were below it through a third one, which has fewer targets by now (E-154).
 */
function countingIn(record: ComposedRun): boolean[] {
  const { contents, run } = record
  const counts = contents.map((_, index) => index >= run.base.length)
  for (let index = Math.min(run.base.length, contents.length) - 1; index >= 0; index--) {
    counts[index] =
      index === contents.length - 1 ||
      contents.some(
        (_, above) =>
          above > index &&
          counts[above] &&
          shareTarget(touchedAt(record, index), touchedAt(record, above)),
      )
  }
  return counts
}

function touchedAt({ touched }: ComposedRun, index: number): TargetSet {
  return touched[index] ?? 'ALL'
}
