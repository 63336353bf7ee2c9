/**
 * The submissions of a pull request with the same commits. Each of them is a pull request of the scenario,
 * because commits that failed do not get better.
 */

import type { Attempt } from './attempts.ts'
import type { Pull } from './records.ts'
import type { Round, Place, Tested } from './tested.ts'

export type Content = {
  readonly pull: Pull
  /** In order, at least one. */
  readonly attempts: readonly [Attempt, ...Attempt[]]
  readonly outcome: 'merged' | 'failed' | 'cancelled' | 'open'
  /** How many of its tests failed, before one of the same commits passed. */
  readonly flaked: number
  /** How many minutes after a failure the same commits were tested again. */
  readonly repeatedAfter: readonly number[]
  /** Its rounds with a result, oldest first. */
  readonly rounds: readonly Round[]
  /** The length of its last round that passed, else of the longest; null if none was measured. */
  readonly minutes: number | null
  /** Merged, although its last round failed. */
  readonly isMergedRed: boolean
  /** Where it was tested; null if it was not. */
  readonly place: Place | null
}

type Judging = {
  /** What was tested for a pull request, oldest first. */
  readonly tested: readonly Tested[]
  /** True if a failure of the test says something about this pull request. */
  readonly isTelling: (number: number, tested: Tested) => boolean
}

/** Returns the contents of a pull request in order. */
export function contentsOf(pull: Pull, attempts: readonly Attempt[], judging: Judging): Content[] {
  const groups: [Attempt, ...Attempt[]][] = []
  let isNew = true
  for (const attempt of attempts) {
    const last = groups.at(-1)
    if (isNew || !last) groups.push([attempt])
    else last.push(attempt)
    isNew = attempt.isPushedAfter || attempt.end === 'pushed'
  }
  const ends = groups.map((group) => group.at(-1)?.endedAtMs ?? 0)
  return groups.flatMap((group, index) => {
    const isLast = index === groups.length - 1
    const toMs = isLast ? Infinity : (ends[index] ?? 0)
    const span = { fromMs: ends[index - 1] ?? 0, toMs, isLast }
    const tested = within(pull, judging.tested, span)
    const content = judged(pull, group, { ...judging, tested })
    // Commits that were replaced before a verdict were never really submitted.
    return group.at(-1)?.end === 'pushed' && content.outcome !== 'failed' ? [] : [content]
  })
}

type Span = { readonly fromMs: number; readonly toMs: number; readonly isLast: boolean }

/** The tests of these commits. */
function within(
  pull: Pull,
  tested: readonly Tested[],
  { fromMs, toMs, isLast }: Span,
): readonly Tested[] {
  const during = tested.filter(
    ({ rounds: [{ startedAtMs }] }) => startedAtMs >= fromMs && startedAtMs < toMs,
  )
  if (tested[0]?.place === 'queue') return during
  // Of the commits of a pull request only the last were submitted.
  const last = isLast ? tested.find(({ sha }) => sha === pull.head.sha) : during.at(-1)
  return last ? [last] : []
}

function judged(
  pull: Pull,
  attempts: [Attempt, ...Attempt[]],
  { tested, isTelling }: Judging,
): Content {
  const rounds = tested.flatMap((each) =>
    each.rounds.filter(({ outcome }) => outcome !== 'failed' || isTelling(pull.number, each)),
  )
  const verdicts = rounds.filter(({ outcome }) => outcome === 'passed' || outcome === 'failed')
  const lastPassed = verdicts.findLastIndex(({ outcome }) => outcome === 'passed')
  const hasFailedLast = verdicts.at(-1)?.outcome === 'failed'
  const end = attempts.at(-1)?.end ?? 'open'
  const isMerged = end === 'merged'
  const measured = verdicts[lastPassed] ?? verdicts.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0]
  return {
    pull,
    attempts,
    outcome: outcomeOf(end, hasFailedLast),
    flaked: verdicts.slice(0, Math.max(0, lastPassed)).filter(({ outcome }) => outcome === 'failed')
      .length,
    repeatedAfter: gapsOf(verdicts.slice(0, lastPassed + 1)),
    rounds,
    minutes: measured ? lengthOf(measured) : null,
    isMergedRed: isMerged && hasFailedLast,
    place: tested[0]?.place ?? null,
  }
}

/** A test that began before the other had failed did not come after it. */
function gapsOf(verdicts: readonly Round[]): number[] {
  return verdicts.flatMap(({ outcome, endedAtMs }, index) => {
    const next = verdicts[index + 1]
    if (outcome !== 'failed' || !next || next.startedAtMs < endedAtMs) return []
    return [(next.startedAtMs - endedAtMs) / 60_000]
  })
}

function outcomeOf(end: Attempt['end'], hasFailed: boolean): Content['outcome'] {
  if (end === 'merged') return 'merged'
  if (hasFailed) return 'failed'
  return end === 'open' ? 'open' : 'cancelled'
}

export function lengthOf({ startedAtMs, endedAtMs }: Round): number {
  return (endedAtMs - startedAtMs) / 60_000
}
