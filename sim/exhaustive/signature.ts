/**
 * The signature of a state: two states with the same one go on alike. It does not know the numbers of
 * pull requests, runs and groups, what has left without a trace, or how much time has passed. Rule: S-342.
 */

import type { QueueView, TestRun } from '../../engine/index.ts'
import { shortDigest } from '../random/digest.ts'
import { pullRequestFields } from '../steps/fields.ts'

/** What the branch holds and how the signature calls everybody. */
export type AroundIt = {
  /** The submissions on the branch, in order; a push has 0. */
  readonly branch: readonly number[]
  /** The submissions in each composition that was tested. */
  readonly contents: ReadonlyMap<TestRun['composition'], readonly number[]>
  /** The name of a pull request; null if it has left without a trace. */
  readonly nameOf: (number: number) => string | null
  readonly numberOf: (submission: number) => number
}

/** How the fields of pull requests, groups, bisections and runs are written. One that is not here is written as it is. */
const fields = {
  /** By their names. */
  pullRequests: pullRequestFields.join(' '),
  /** By their places. */
  groups: 'group partOf',
  bisections: 'bisection provenBy',
  /** By how many commits have come since. */
  tips: 'tip',
  /** Whether there is one. */
  facts: 'heldUntil verifiedBy',
  /** It has passed with time, is a number of its own, or follows from the rest. */
  nothing: `id place composition prefixes submission submissions underWay began turn
    startedAt deadline notBefore stateChangedAt submittedAt reason evidence leftWith`,
} as const

const kinds = new Map(
  Object.entries(fields).flatMap(([kind, names]) => names.split(/\s+/).map((name) => [name, kind])),
)

/** Returns a short text; `truth` is what the queue does not know. */
export function signatureOf(queue: QueueView, around: AroundIt, truth: string): string {
  const { slots, judged, flakyTests, quarantine, tipRetry, line, groups, bisections } = queue
  const { testRuns, pullRequests, hostFacts, now } = queue
  const { nameOf } = around
  const lowestTip = lowestTipIn(queue)
  const text = (value: unknown): string => JSON.stringify(value, written(queue, nameOf))
  const known = Object.values(pullRequests)
    .filter(({ number }) => nameOf(number) !== null)
    .toSorted((one, other) => (one.turn ?? one.submission) - (other.turn ?? other.submission))
  const parts = [
    [
      truth,
      Object.values(slots),
      judged,
      Object.keys(flakyTests),
      Object.keys(quarantine?.tests ?? {}),
    ],
    soundnessOf(queue, lowestTip),
    tipRetry,
    verdictsIn(queue, around, lowestTip),
    known.map((one) => ({
      ...one,
      conflictsWith: hostFacts[one.number]?.conflictsWith,
      pendingSince: one.pendingSince === now,
    })),
    line.map((id) => groups[id]),
    bisections.map((each) => ({ ...each, verdicts: Object.values(each.verdicts) })),
    Object.values(testRuns).map(text).toSorted(),
  ]
  const named = text(parts).replaceAll(
    /pull request (\d+) breaks/g,
    (_, number) => `${nameOf(Number(number))} breaks`,
  )
  return shortDigest(named)
}

/** Writes fields without what the signature does not know. */
function written({ line, bisections, tip }: QueueView, nameOf: AroundIt['nameOf']) {
  const other = (kind: string, value: number): unknown => {
    if (kind === 'pullRequests') return nameOf(value) ?? 'gone'
    if (kind === 'groups') return line.indexOf(value)
    if (kind === 'bisections') return bisections.findIndex(({ id }) => id === value)
    return tip.number - value
  }
  return (name: string, value: unknown): unknown => {
    const kind = kinds.get(name)
    if (kind === undefined) return value
    if (kind === 'nothing') return undefined
    if (kind === 'facts') return value !== null
    if (Array.isArray(value)) return value.map((one) => other(kind, Number(one)))
    return typeof value === 'number' ? other(kind, value) : value
  }
}

/** Those that can come again one by one; of the others only how many there are. */
function verdictsIn({ verdicts }: QueueView, around: AroundIt, lowestTip: number): string[] {
  const kept = verdicts.map(({ composition, outcome, contradicted, failedTests }) => {
    const contents = contentsOf(composition, around, lowestTip)
    return JSON.stringify([contents, outcome, contradicted, contents === null ? [] : failedTests])
  })
  return kept.toSorted()
}

/** A composition seen from the tip; null if no run can have it again. */
function contentsOf(
  composition: TestRun['composition'],
  { branch, contents, numberOf, nameOf }: AroundIt,
  lowestTip: number,
): string | null {
  const submissions = contents.get(composition)
  if (!submissions) return null
  const differsAt = submissions.findIndex((each, at) => each !== branch[at])
  const common = differsAt === -1 ? submissions.length : differsAt
  const above = submissions.slice(common).map((each) => nameOf(numberOf(each)))
  if (common < lowestTip || above.includes(null)) return null
  return `${branch.length - common} ${above.join()}`
}

/** Whether the branch is known to pass, from where on. */
function soundnessOf({ tip: now, tipTest, pushedAt = 0 }: QueueView, lowestTip: number): unknown {
  if (!tipTest) return null
  const { tip, failure, soundFrom = tip, leansOn } = tipTest
  if (failure !== null) return [now.number - tip, failure.times]
  if (tip < pushedAt) return false
  return [soundFrom <= lowestTip || now.number - soundFrom, leansOn]
}

/** The lowest tip on which a run stands, or can stand from now on. */
function lowestTipIn({ tip, bisections, testRuns, groups }: QueueView): number {
  const held = Object.values(groups).flatMap(({ phase }) =>
    'run' in phase && phase.run ? [phase.run] : [],
  )
  const all = [...bisections, ...Object.values(testRuns), ...held]
  return Math.min(tip.number, ...all.map((each) => each.tip))
}
