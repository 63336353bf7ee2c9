/** What the checks of a host's CI say about a test branch. */

import type { Verdict } from '../runner/verdict.ts'

/** A check run or a commit status. */
export type Check = {
  readonly name: string
  /** The suite of a check run; a commit status has none. */
  readonly suite: number | null
  readonly isOfWorkflow: boolean
  /** The App that wrote it; null: it was none, or the host does not tell. */
  readonly app: number | null
  readonly state: CheckState
  /** Milliseconds. A check that waits for a machine may have none. */
  readonly startedAt: number | null
  readonly url: string
}

/** A check that must pass. */
export type RequiredCheck = {
  readonly name: string
  /** The App that must have written it, by its number; null: anybody. */
  readonly app: number | null
}

export type CheckState = 'going' | 'passed' | 'skipped' | 'failed' | 'lost'

export type WorkflowRun = {
  readonly suite: number | null
  readonly name: string
  readonly state: CheckState
  readonly url: string
}

export type Seen = {
  readonly checks: readonly Check[]
  /** Of the test branch, so never of an earlier run on the same commit. */
  readonly workflowRuns: readonly WorkflowRun[]
}

/** Every check and every workflow run must pass. */
const everything = '*'

/** `failure` and whatever else people must look at; a run that the host has lost says nothing. */
const states: Readonly<Record<string, CheckState>> = {
  success: 'passed',
  // Neither a pass nor a failure: nothing was tested by it.
  neutral: 'skipped',
  skipped: 'skipped',
  failure: 'failed',
  error: 'failed',
  timed_out: 'failed',
  action_required: 'failed',
  cancelled: 'lost',
  stale: 'lost',
  startup_failure: 'lost',
}

/** The state of a conclusion; what a host may add one day is taken for a failure. */
export function stateOf(isOver: boolean, conclusion: string | null): CheckState {
  return isOver ? (states[conclusion ?? ''] ?? 'failed') : 'going'
}

type Judging = {
  /** When the run began, on the clock of the host. */
  readonly since: number
  /** True: a run in which every check was skipped has passed. */
  readonly isSkippedEnough: boolean
  /** No check of the run is still to appear, as far as anybody can know. */
  readonly isLate: boolean
}

/**
 * The verdict on a run; null if it is not over. All required checks must pass, and one that fails is enough. Where
 * every check is required, a quick one must not stand for a later one, so nothing passes until it is late. If
 * each of them was skipped, nothing was tested. Checks of an earlier run on the same commit do not count: those of
 * workflows are told apart by the branch, others by when they started.
 */
export function verdictOf(
  { checks, workflowRuns }: Seen,
  required: readonly RequiredCheck[],
  { since, isSkippedEnough, isLate }: Judging,
): Verdict | null {
  const mine = checksSince({ checks, workflowRuns }, since)
  const isEverything = required.some(({ name }) => name === everything)
  const wanted = required.flatMap((each) =>
    each.name === everything ? allOf(mine, workflowRuns) : named(each, mine, workflowRuns),
  )
  const failed = wanted.filter(({ state }) => state === 'failed')
  const lost = wanted.filter(({ state }) => state === 'lost')
  if (failed.length > 0) return verdict('failed', failed)
  if (lost.length > 0) return verdict('errored', lost)
  const isOver = wanted.length > 0 && wanted.every(({ state }) => state !== 'going')
  if (!isOver || (isEverything && !isLate)) return null
  const isTested = isSkippedEnough || wanted.some(({ state }) => state === 'passed')
  return isTested ? verdict('passed', wanted) : verdict('failed', wanted.map(nothingTested))
}

/** True once CI does something for this run; what it said of an earlier run on the same commit is not that. */
export function hasBegun(seen: Seen, since: number): boolean {
  return seen.workflowRuns.length > 0 || checksSince(seen, since).length > 0
}

function checksSince({ checks, workflowRuns }: Seen, since: number): Check[] {
  const suites = new Set(workflowRuns.map(({ suite }) => suite))
  return newest(
    checks.filter(({ isOfWorkflow, suite, startedAt }) =>
      isOfWorkflow ? suites.has(suite) : startedAt === null || startedAt >= since,
    ),
  )
}

/** The required checks that are not there although all that is there is over, and the names of that; else null. */
export function absentOf(
  seen: Seen,
  required: readonly RequiredCheck[],
  since: number,
): { readonly absent: readonly string[]; readonly there: readonly string[] } | null {
  const mine = checksSince(seen, since)
  const isGoing = [...mine, ...seen.workflowRuns].some(({ state }) => state === 'going')
  if (isGoing || mine.length === 0) return null
  const absent = required
    .filter(({ name }) => name !== everything)
    .filter((each) => !mine.some((check) => isIt(check, each)))
    .map(({ name, app }) => (app === null ? name : `${name} of App ${app}`))
  const there = [...new Set(mine.map(({ name }) => name))].sort()
  return absent.length === 0 ? null : { absent, there }
}

function isIt(check: Check, { name, app }: RequiredCheck): boolean {
  return check.name === name && (app ?? check.app) === check.app
}

/** The name says it, because people see the names of what has failed. */
function nothingTested({ name, ...rest }: Wanted): Wanted {
  return { ...rest, name: `${name} (skipped: nothing was tested)` }
}

type Wanted = { readonly name: string; readonly state: CheckState; readonly url: string }

function allOf(checks: readonly Check[], runs: readonly WorkflowRun[]): Wanted[] {
  return [...checks.filter(({ isOfWorkflow }) => !isOfWorkflow), ...jobsFirst(checks, runs)]
}

/**
 * A failed job names the failure better than its workflow does. A workflow may allow a job to fail, so the
 * job alone says nothing.
 */
function jobsFirst(checks: readonly Check[], runs: readonly WorkflowRun[]): Wanted[] {
  const failed = new Set(runs.filter(({ state }) => state === 'failed').map(({ suite }) => suite))
  const jobs = checks.filter(({ suite, state }) => state === 'failed' && failed.has(suite))
  return [...jobs, ...runs.filter(({ suite }) => !jobs.some((job) => job.suite === suite))]
}

/**
 * A required check that is not there yet is going; one of another App than the branch asks for is not it. A name
 * may stand for several suites: all count.
 */
function named(
  required: RequiredCheck,
  checks: readonly Check[],
  runs: readonly WorkflowRun[],
): Wanted[] {
  const { name } = required
  const found = checks.filter((check) => isIt(check, required))
  if (found.length === 0) return [{ name, state: 'going', url: '' }]
  return found.map((check) => {
    const state = check.state === 'skipped' ? skippedState(check, runs) : check.state
    return { name, state, url: check.url }
  })
}

/**
 * A job is also skipped when a job that it needs has failed, and GitHub then takes it for a success. So a
 * skipped check is as good as its workflow.
 */
function skippedState({ suite }: Check, runs: readonly WorkflowRun[]): CheckState {
  return runs.find((run) => run.suite === suite)?.state ?? 'skipped'
}

/** The last of each name in a suite: an earlier one was run again. */
function newest(checks: readonly Check[]): Check[] {
  const last = new Map<string, Check>()
  for (const check of checks) {
    const key = `${check.suite ?? 'status'} ${check.name}`
    const known = last.get(key)
    if (!known || (check.startedAt ?? Infinity) >= (known.startedAt ?? Infinity)) {
      last.set(key, check)
    }
  }
  return [...last.values()]
}

function verdict(outcome: Verdict['outcome'], from: readonly Wanted[]): Verdict {
  const names = [...new Set(from.map(({ name }) => name))]
  const url = from.find((each) => each.url !== '')?.url
  return {
    outcome,
    failedTests: outcome === 'failed' ? names.map((name) => ({ name })) : [],
    flakyTests: [],
    words: `${names.join(', ')}: ${outcome}`,
    ...(url === undefined ? {} : { url }),
  }
}
