/** One result of one workflow, check or status context. */

import type { CheckRun, CommitStatus, WorkflowRun } from './records.ts'

export type Outcome = 'passed' | 'failed' | 'errored' | 'cancelled'

export type Result = {
  /** Results of one name are attempts of the same check. */
  readonly name: string
  readonly outcome: Outcome
  readonly startedAtMs: number
  readonly endedAtMs: number
}

/** What GitHub concludes; what is missing here says nothing about the commit. */
const outcomes: Readonly<Record<string, Outcome>> = {
  success: 'passed',
  failure: 'failed',
  error: 'failed',
  timed_out: 'errored',
  startup_failure: 'errored',
  stale: 'errored',
  cancelled: 'cancelled',
}

/** The events whose runs test the commit of a pull request, of a queue, or of the branch. */
const testingEvents = new Set(['merge_group', 'pull_request', 'push'])

/** Null if the run tests no commit, or has no result. */
export function resultOfRun(run: WorkflowRun): Result | null {
  const outcome = run.conclusion === null ? undefined : outcomes[run.conclusion]
  if (!outcome || !testingEvents.has(run.event)) return null
  const startedAtMs = Date.parse(run.run_started_at ?? run.created_at)
  return {
    // A push and a pull request may start the same workflow, and neither is an attempt of the other.
    name: `${run.event} ${run.name ?? ''}`,
    outcome,
    startedAtMs,
    endedAtMs: Math.max(startedAtMs, Date.parse(run.updated_at)),
  }
}

/** Null without a result. */
export function resultOfCheck(check: CheckRun): Result | null {
  const outcome = check.conclusion === null ? undefined : outcomes[check.conclusion]
  if (!outcome || check.started_at === null || check.completed_at === null) return null
  const startedAtMs = Date.parse(check.started_at)
  return {
    name: `check ${check.name}`,
    outcome,
    startedAtMs,
    endedAtMs: Math.max(startedAtMs, Date.parse(check.completed_at)),
  }
}

/** A context is pending, and then has a result; each result is one attempt. */
export function resultsOfStatuses(statuses: readonly CommitStatus[]): Result[] {
  const sorted = statuses.toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at))
  const pendingSince = new Map<string, number>()
  return sorted.flatMap(({ context, state, created_at }): Result[] => {
    const endedAtMs = Date.parse(created_at)
    const startedAtMs = pendingSince.get(context) ?? endedAtMs
    if (state === 'pending') {
      if (!pendingSince.has(context)) pendingSince.set(context, endedAtMs)
      return []
    }
    pendingSince.delete(context)
    const outcome = outcomes[state]
    return outcome ? [{ name: `status ${context}`, outcome, startedAtMs, endedAtMs }] : []
  })
}
