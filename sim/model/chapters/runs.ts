/** Chapter "Lost runs, timeouts and late results", and how main runs start (E-12, E-24). */

import type { RunFailureReason } from '../../../engine/index.ts'
import { isDoubtful } from '../bisection/confirmation.ts'
import { matters } from '../bisection/knowledge.ts'
import { contentsOf, membersBelow, tiedByUploads } from '../line/predecessors.ts'
import { restart } from '../line/restarts.ts'
import { isSameContent, record } from '../line/verdicts.ts'
import { cancelRun, move, prOf, say, stopRun, textOfRun } from '../state/deeds.ts'
import type { Bisection, Failure, Group, Model, Retry, Run } from '../state/state.ts'
import { pass } from './merging.ts'

export type Outcome = 'passed' | 'failed' | 'errored' | 'timed_out'

/** E-12: the tip, all predecessors and the group itself. */
export function startMainRun(model: Model, group: Group): void {
  const base = membersBelow(model, group)
  const tested = [...group.members]
  const contents = [...model.branch, ...contentsOf(model, [...base, ...tested])]
  const run: Run = {
    id: 0,
    of: 'main',
    tip: model.branch.length,
    base,
    tested,
    contents,
    startedAt: model.at,
    deadline: model.at + model.settings.testingTimeoutMinutes * 60_000,
    attempt: attempt(model, group, contents),
  }
  say(model, 'main runs', textOfRun(run), 'E-12, E-22 to E-26', { numbers: tested, run })
  model.mainRuns.push(run)
  group.tiedTo = tiedByUploads(model, group)
  group.phase = { is: 'testing', run }
  move(model, tested, 'TESTING', null)
}

/** E-63: tries are counted for one composition; merges of others in the line do not change it. */
function attempt(model: Model, { phase }: Group, contents: readonly number[]): number {
  const retry = phase.is === 'waiting' ? phase.retry : null
  if (!retry) return 0
  const merged = (each: number): boolean => model.branch.includes(each)
  const open = (all: readonly number[]): number[] => all.filter((each) => !merged(each))
  return isSameContent(open(retry.run.contents), open(contents)) ? retry.attempt : 0
}

/** E-64: the first run that is overdue ends. True if there is one. */
export function expire(model: Model): boolean {
  const runs = [...model.mainRuns, ...model.bisectionRuns].sort((a, b) => a.id - b.id)
  const overdue = runs.find(({ deadline }) => deadline <= model.at)
  if (overdue) endRun(model, overdue, 'timed_out', [])
  return overdue !== undefined
}

/** A run is over: its group or its bisection learns the outcome. */
export function endRun(model: Model, run: Run, outcome: Outcome, tests: readonly string[]): void {
  stopRun(model, run)
  if (outcome === 'passed' || outcome === 'failed') record(model, run, outcome === 'passed', tests)
  const failure = { run, reason: reasonOf(outcome), tests }
  const group = model.line.find(({ phase }) => phase.is === 'testing' && phase.run === run)
  if (group) endMain(model, group, failure, outcome)
  const bisection = model.bisections.find((each) => isOf(each, run))
  if (bisection && matters(bisection, run)) endBisected(model, bisection, failure, outcome)
}

/** A bisection knows the runs of its own members on its own pin. */
function isOf(bisection: Bisection, run: Run): boolean {
  return run.of === 'bisection' && bisection.started.includes(run)
}

/** E-61: after 1 and after 5 minutes. */
function retryOf(model: Model, run: Run, outcome: Outcome): Retry | null {
  const minutes = [1, 5][run.attempt]
  if (outcome !== 'errored' || minutes === undefined) return null
  return { run, notBefore: model.at + minutes * 60_000, attempt: run.attempt + 1 }
}

function endMain(model: Model, group: Group, failure: Failure, outcome: Outcome): void {
  const { run } = failure
  const retry = retryOf(model, run, outcome)
  if (retry) {
    restart(model, group, 'TEST_RUNNER_ERROR', retry)
  } else if (outcome === 'passed') {
    pass(model, group, run)
  } else {
    group.phase = { is: 'failed', failure, heldUntil: null }
    move(model, group.members, 'PENDING_FAILURE', null)
  }
}

function endBisected(model: Model, bisection: Bisection, failure: Failure, outcome: Outcome): void {
  const { run } = failure
  const { contents } = run
  const known = bisection.findings.find((each) => isSameContent(each.contents, contents))
  // E-83: a second look that is lost is not repeated.
  const isUnconfirmed = known?.isOfBatch === true && !known.isConfirmed
  if (known && outcome === 'errored' && isUnconfirmed && !isDoubtful(model, known)) {
    bisection.findings = bisection.findings.map((each) =>
      each === known ? { ...known, isConfirmed: true } : each,
    )
    return
  }
  const retry = retryOf(model, run, outcome)
  if (retry) {
    bisection.retries.push(retry)
    return
  }
  const passed = outcome === 'passed'
  bisection.findings = [
    ...bisection.findings.filter((each) => each !== known),
    {
      contents,
      passed,
      failure: passed ? null : failure,
      run,
      isOfBatch: false,
      isConfirmed: known !== undefined,
    },
  ]
}

function reasonOf(outcome: Outcome): RunFailureReason {
  if (outcome === 'errored') return 'START_TEST_RUN_RETRY_EXHAUSTED'
  return outcome === 'timed_out' ? 'TEST_RUN_TIMEOUT' : 'TEST_RUN_REQUIRED_STATUS_FAILED'
}

/** E-84: runs that hold the open member are repeated. False if the request is refused. */
export function repeatRuns(model: Model, bisection: Bisection, number: number): boolean {
  const { content } = prOf(model, number)
  if (!bisection.open.includes(number)) return false
  const runs = bisection.underWay.filter(
    (run) => run.contents.includes(content) && matters(bisection, run),
  )
  for (const run of runs) {
    cancelRun(model, run, 'TESTS_RESTARTED_BY_API_REQUEST')
    bisection.retries.push({ run, notBefore: model.at, attempt: 0 })
  }
  return true
}
