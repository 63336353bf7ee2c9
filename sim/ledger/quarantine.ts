/** When the quarantine has changed: a test was put in it or released, or an entry has ended. Rules: E-270, E-275. */

import type { Millis, PullRequestNumber, QueueView } from '../../engine/index.ts'
import type { Handlers } from '../steps/handlers.ts'

export type QuarantineChanges = Handlers & {
  /** Whether it has changed since that instant. */
  changedSince(since: Millis, now: Millis): boolean
  /** Whether it has changed since the pull request was submitted: then its runs were judged by other lists. */
  changedFor(number: PullRequestNumber, now: Millis): boolean
  /** Whether it has changed since the first pull request was submitted. */
  hasChanged(now: Millis): boolean
  /** Whether a run in which only tests in quarantine failed is why it passed. */
  leansOn(number: PullRequestNumber): boolean
}

export function quarantineChanges(queue: QueueView): QuarantineChanges {
  const entries = Object.values(queue.quarantine?.tests ?? {})
  const changes: Millis[] = entries.flatMap(({ until }) => until ?? [])
  const leaning = new Set<PullRequestNumber>()
  let first = Infinity
  const changedSince = (since: Millis, now: Millis): boolean =>
    changes.some((at) => since <= at && at <= now)

  return {
    changedSince,
    changedFor: (number, now) => changedSince(queue.pullRequests[number]?.submittedAt ?? 0, now),
    hasChanged: (now) => changedSince(first, now),
    leansOn: (number) => leaning.has(number),
    on: {
      pullRequestSubmitted({ number }, { at }) {
        first = Math.min(first, at)
        leaning.delete(number)
      },
      pullRequestMoved({ number, to, quarantined }) {
        if (to === 'TESTS_PASSED' && quarantined) leaning.add(number)
        else if (to === 'TESTS_PASSED') leaning.delete(number)
      },
      testQuarantined({ entry: { until } }, { at }) {
        changes.push(at, ...(until === undefined ? [] : [until]))
      },
      testReleased: (_event, { at }) => void changes.push(at),
    },
  }
}
