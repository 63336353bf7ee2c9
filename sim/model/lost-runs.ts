/** Chapter "Lost runs, timeouts and late results". */

import { cancelRun, move } from './deeds.ts'
import { pass } from './merging.ts'
import { restart } from './restarts.ts'
import { without } from './state.ts'
import type { Bisection, Group, Model, PullRequest, Result, Run } from './state.ts'
import { findingOn, isDoubtful, matters, record } from './verdicts.ts'

const reasons = {
  passed: null,
  failed: 'TEST_RUN_REQUIRED_STATUS_FAILED',
  timed_out: 'TEST_RUN_TIMEOUT',
  errored: 'START_TEST_RUN_RETRY_EXHAUSTED',
} as const

type Outcome = keyof typeof reasons

/** E-64: the first run that is overdue ends. */
export function expire(model: Model): void {
  const overdue = model.runs.filter(({ deadline }) => deadline <= model.at)
  const [run] = overdue.sort((a, b) => a.id - b.id)
  if (run) endRun(model, run, 'timed_out', [])
}

/** A run is over: its group or its bisection learns the outcome. */
export function endRun(model: Model, run: Run, outcome: Outcome, tests: readonly string[]): void {
  model.runs = without(model.runs, run)
  const { contents } = run
  const result = { run, contents, reason: reasons[outcome], tests, isConfirmed: false }
  // E-181.
  if (outcome === 'passed' || outcome === 'failed') record(model, result)
  // E-61: a lost run is made again after 1 and after 5 minutes.
  const minutes = outcome === 'errored' ? [1, 5][run.attempt] : undefined
  const notBefore = minutes === undefined ? null : model.at + minutes * 60_000
  const group = model.line.find(({ phase }) => phase.is === 'testing' && phase.run === run)
  if (group) endMain(model, group, result, notBefore)
  const bisection = model.bisections.find((each) => each === run.of && matters(each, run))
  if (bisection) endBisected(model, bisection, result, notBefore)
}

function endMain(model: Model, group: Group, result: Result, notBefore: number | null): void {
  const { run } = result
  if (notBefore !== null) {
    restart(model, group, 'TEST_RUNNER_ERROR', { is: 'waiting', run, notBefore })
  } else if (result.reason === null) {
    pass(model, group, run)
  } else {
    group.phase = { is: 'failed', run, failure: result }
    move(model, group.members, 'PENDING_FAILURE')
  }
}

function endBisected(model: Model, of: Bisection, result: Result, notBefore: number | null): void {
  const { run, contents, reason } = result
  const known = findingOn(of, contents)
  const others = of.findings.filter((each) => each !== known)
  const isLook = known?.run.of === null && !known.isConfirmed && !isDoubtful(model, known)
  if (isLook && reason === reasons.errored) {
    // E-142: a second look that is lost is not repeated.
    of.findings = [...others, { ...known, isConfirmed: true }]
  } else if (notBefore !== null) {
    // E-83.
    of.retries = [...of.retries, { run, notBefore, attempt: run.attempt + 1 }]
  } else {
    of.findings = [...others, { ...result, isConfirmed: known !== undefined }]
  }
}

/** E-84: runs that hold the open member are repeated. */
export function repeatRuns(model: Model, of: Bisection, member: PullRequest): void {
  const runs = model.runs.filter((run) => run.of === of && run.contents.includes(member))
  for (const run of runs.filter((each) => matters(of, each))) {
    cancelRun(model, run, 'TESTS_RESTARTED_BY_API_REQUEST')
    of.retries = [...of.retries, { run, notBefore: model.at, attempt: 0 }]
  }
}
