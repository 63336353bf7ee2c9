/** The tests of one commit: a first round, and one more for each time that something ran again. */

import type { Outcome, Result } from './verdicts.ts'

export type Round = {
  readonly outcome: Outcome
  readonly startedAtMs: number
  readonly endedAtMs: number
}

/** What a round is, from what its checks are. */
const worstFirst: readonly Outcome[] = ['failed', 'errored', 'cancelled', 'passed']

/**
 * In round k every check has its k-th result, and one that did not run again has its last. A round lasts
 * from the start of the first to the end of the last check that ran in it.
 */
export function roundsOf(results: readonly Result[]): Round[] {
  const checks = new Map<string, Result[]>()
  for (const result of results.toSorted((a, b) => a.startedAtMs - b.startedAtMs)) {
    const known = checks.get(result.name)
    if (known) known.push(result)
    else checks.set(result.name, [result])
  }
  const all = [...checks.values()]
  const most = all.reduce((longest, { length }) => Math.max(longest, length), 0)
  return Array.from({ length: most }, (_, index) => {
    const ran = all.flatMap((attempts) => attempts[index] ?? [])
    const standing = new Set(all.map((attempts) => (attempts[index] ?? attempts.at(-1))?.outcome))
    return {
      outcome: worstFirst.find((each) => standing.has(each)) ?? 'cancelled',
      startedAtMs: ran.reduce((least, { startedAtMs }) => Math.min(least, startedAtMs), Infinity),
      endedAtMs: ran.reduce((latest, { endedAtMs }) => Math.max(latest, endedAtMs), 0),
    }
  })
}
