/** Chapter "Lost runs, timeouts and late results". */

import { matters } from './bisection-knowledge.ts'
import { cancelRun, move, without } from './deeds.ts'
import { isDoubtful, record } from './flakes.ts'
import { isSame } from './groups.ts'
import { pass } from './merging.ts'
import { restart } from './restarts.ts'
import type { Bisection, Group, Model, PullRequest, Result, Run } from './state.ts'

const reasons = {
  passed: null,
  failed: 'TEST_RUN_REQUIRED_STATUS_FAILED',
  timed_out: 'TEST_RUN_TIMEOUT',
  errored: 'START_TEST_RUN_RETRY_EXHAUSTED',
} as const

/** E-64: the first run that is overdue ends. True if there is one. */
export function expire(model: Model): boolean {
  const overdue = model.runs.filter(({ deadline }) => deadline <= model.at)
  const [run] = overdue.sort((a, b) => a.id - b.id)
  if (run) endRun(model, run, 'timed_out', [])
  return run !== undefined
}

/** A run is over: its group or its bisection learns the outcome. */
export function endRun(
  model: Model,
  run: Run,
  outcome: keyof typeof reasons,
  tests: readonly string[],
): void {
  model.runs = without(model.runs, run)
  const reason = reasons[outcome]
  const result = { run, contents: run.contents, reason, tests, isConfirmed: false }
  // E-181.
  if (outcome === 'passed' || outcome === 'failed') record(model, result)
  const group = model.line.find(({ phase }) => phase.is === 'testing' && phase.run === run)
  if (group) endMain(model, group, result)
  const bisection = model.bisections.find((each) => each === run.of && matters(each, run))
  if (bisection) endBisected(model, bisection, result)
}

/** E-61: when a lost run is made again, after 1 and after 5 minutes. */
function retryAt(model: Model, { run, reason }: Result): number | null {
  const minutes = [1, 5][run.attempt]
  if (reason !== reasons.errored || minutes === undefined) return null
  return model.at + minutes * 60_000
}

function endMain(model: Model, group: Group, result: Result): void {
  const { run } = result
  const notBefore = retryAt(model, result)
  if (notBefore !== null) {
    restart(model, group, 'TEST_RUNNER_ERROR', { is: 'waiting', run, notBefore })
  } else if (result.reason === null) {
    pass(model, group, run)
  } else {
    group.phase = { is: 'failed', run, failure: result }
    move(model, group.members, 'PENDING_FAILURE')
  }
}

function endBisected(model: Model, bisection: Bisection, result: Result): void {
  const { run, reason } = result
  const known = bisection.findings.find((each) => isSame(each.contents, run.contents))
  const keep = (one: Result): void => {
    bisection.findings = [...bisection.findings.filter((each) => each !== known), one]
  }
  const notBefore = retryAt(model, result)
  const isSecondLook = known?.run.of === null && !known.isConfirmed && !isDoubtful(model, known)
  if (isSecondLook && reason === reasons.errored) {
    // E-142: a second look that is lost is not repeated.
    keep({ ...known, isConfirmed: true })
  } else if (notBefore !== null) {
    // E-83.
    bisection.retries = [...bisection.retries, { run, notBefore, attempt: run.attempt + 1 }]
  } else {
    keep({ ...result, isConfirmed: known !== undefined })
  }
}

/** E-84: runs that hold the open member are repeated. */
export function repeatRuns(model: Model, bisection: Bisection, member: PullRequest): void {
  for (const run of model.runs) {
    if (run.of !== bisection || !run.contents.includes(member) || !matters(bisection, run)) continue
    cancelRun(model, run, 'TESTS_RESTARTED_BY_API_REQUEST')
    bisection.retries = [...bisection.retries, { run, notBefore: model.at, attempt: 0 }]
  }
}
