/** What verdicts say about who breaks the tests, before any draw. */

import type { Observed, ObservedVerdict } from './observed.ts'

export type Evidence = {
  /** Every submission whose fate is uncertain or that follows one, in order of submission. */
  readonly submissions: readonly number[]
  /** By position in `submissions`: it is in a run that passed, so it breaks nothing. */
  readonly isHealthy: readonly boolean[]
  /** Runs that passed. */
  readonly passes: number
  /** Failed runs that hold nobody in doubt: flakes. */
  readonly flakes: { readonly known: number; readonly other: number }
  /** Failed runs that hold somebody in doubt. */
  readonly failures: readonly UnclearFailure[]
  /** The tests that failed in runs that were surely flakes; an empty list where none was named. */
  readonly flakyTests: readonly (readonly string[])[]
}

export type UnclearFailure = {
  /** Positions in `submissions` of those who may have broken it. */
  readonly suspects: readonly number[]
  /** Only tests failed in it that are known to flake. */
  readonly onlyKnown: boolean
}

export type Suspicion = {
  /** The submissions that are in the queue. */
  readonly live: readonly number[]
  /** Those of them that the queue itself holds to be proven. */
  readonly proven: readonly number[]
  readonly isKnownFlake: (test: string) => boolean
}

/** A run that passed proves everybody in it. A failed one accuses those in it that nothing proves. */
export function evidenceOf(
  { verdicts, merged }: Observed,
  { live, proven, isKnownFlake }: Suspicion,
): Evidence {
  const healthy = new Set([...merged, ...proven])
  for (const { outcome, contents } of verdicts) {
    if (outcome === 'passed') for (const submission of contents) healthy.add(submission)
  }
  const all = new Set([...live, ...verdicts.flatMap(({ contents }) => contents)])
  const submissions = [...all].sort((a, b) => a - b)
  const positions = new Map(submissions.map((submission, position) => [submission, position]))
  const isOnlyKnown = ({ failedTests }: ObservedVerdict): boolean =>
    failedTests.length > 0 && failedTests.every(isKnownFlake)
  const failures: UnclearFailure[] = []
  const flakes = { known: 0, other: 0 }
  const flakyTests: (readonly string[])[] = []
  let passes = 0
  for (const verdict of verdicts) {
    if (verdict.outcome === 'passed') {
      passes++
      continue
    }
    const doubted = verdict.contents.filter((submission) => !healthy.has(submission))
    const suspects = doubted.flatMap((submission) => positions.get(submission) ?? [])
    const onlyKnown = isOnlyKnown(verdict)
    if (suspects.length > 0) failures.push({ suspects, onlyKnown })
    else {
      flakes[onlyKnown ? 'known' : 'other']++
      flakyTests.push(verdict.failedTests)
    }
  }
  const isHealthy = submissions.map((submission) => healthy.has(submission))
  return { submissions, isHealthy, passes, flakes, failures, flakyTests }
}
