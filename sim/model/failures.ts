/** Chapters "Lost runs, timeouts and late results" and "Failures". */

import { begin } from './bisection.ts'
import { fail, restart, restartWithout } from './departures.ts'
import { isLeftOut, predecessors, targetsOf } from './groups.ts'
import { pass } from './merging.ts'
import { holdDepth, stepsAside } from './policy.ts'
import { cancelRun, move, without } from './state.ts'
import type { Bisection, Group, Model, PullRequest, Result, Run } from './state.ts'
import { endTip, isEnough, isOfOlderTip, isStopped, passesOn, testTip, waitsForTip } from './tip.ts'
import { areIn, findingOn, isDoubtful, matters, record } from './verdicts.ts'
import { wouldStartWith } from './waiting.ts'

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
export function endRun(model: Model, run: Run, its: Outcome, failed: readonly string[]): void {
  model.runs = without(model.runs, run)
  const isExcused = its === 'failed' && failed.length > 0 && areIn(model, failed) // E-271.
  if (isExcused) run.despite = failed
  const outcome = isExcused ? 'passed' : its
  const tests = isExcused ? [] : failed
  const { contents } = run
  const failures = outcome === 'failed' ? 1 : 0
  const result = { run, contents, reason: reasons[outcome], tests, failures, isConfirmed: false }
  if (outcome === 'passed' || outcome === 'failed') record(model, { ...result, tests: failed }) // E-181.
  const minutes = outcome === 'errored' ? [1, 5][run.attempt] : undefined // E-61.
  const notBefore = minutes === undefined ? null : model.at + minutes * 60_000
  const group = model.line.find(({ phase }) => phase.is === 'testing' && phase.run === run)
  if (group) endMain(model, group, result, notBefore)
  const of = model.bisections.find((one) => one === run.of && (!result.reason || matters(one, run)))
  if (of) endBisected(model, of, result, notBefore) // E-309: a pass is kept.
  if (!run.isOfTip) return
  if (notBefore === null) endTip(model, result)
  else model.tipRetry = { run, notBefore, attempt: run.attempt + 1 } // E-234.
}

function endMain(model: Model, group: Group, result: Result, notBefore: number | null): void {
  const { run, reason } = result
  const again = notBefore === null ? null : ({ is: 'waiting', run, notBefore } as const)
  if (again) return restart(model, group, 'TEST_RUNNER_ERROR', again)
  const isOnTop = run.isScreening && predecessors(model, group).length > 0
  if (reason === null && !isOnTop && !(run.isScreening && group.isOvertaken))
    return pass(model, group, run)
  if (reason === null) return screen(model, group)
  group.phase = { is: 'failed', run, failure: result, isAside: stepsAside(model, run) }
  move(model, group.members, 'PENDING_FAILURE')
  if (group.phase.isAside)
    restartWithout(model, group.members, 'PREREQUISITE_MERGE_ITEM_FAILED', group)
}

/** E-190: it passed alone, and waits for a run on top of its predecessors. */
function screen(model: Model, group: Group): void {
  group.phase = { is: 'waiting' }
  group.isScreened = true
  group.tiedTo.clear()
  group.targets = targetsOf(model, ...group.members)
  move(model, group.members, 'PENDING', 'SCREENING_TEST_RUN_PASSED')
}

function endBisected(model: Model, of: Bisection, result: Result, notBefore: number | null): void {
  const { run, contents, reason } = result
  const known = findingOn(of, contents)
  const others = of.findings.filter((each) => each !== known)
  const isLook = known?.run.of === null && !known.isConfirmed && !isDoubtful(model, of, known)
  if (isLook && reason === reasons.errored) {
    of.findings = [...others, { ...known, isConfirmed: true }] // E-142: it is not repeated.
  } else if (notBefore !== null) {
    of.retries = [...of.retries, { run, notBefore, attempt: run.attempt + 1 }] // E-83.
  } else {
    const failures = (known?.failures ?? 0) + result.failures
    of.findings = [...others, { ...result, failures, isConfirmed: known !== undefined }]
  }
}

/** E-84: runs that hold the open member are repeated, and those that were lost wait no longer. */
export function repeatRuns(model: Model, of: Bisection, member: PullRequest): void {
  const again = { notBefore: model.at, attempt: 0 }
  const isOf = ({ contents }: Run): boolean => contents.includes(member)
  of.retries = of.retries.map((each) => (isOf(each.run) ? { ...each, ...again } : each))
  for (const run of model.runs.filter((one) => one.of === of && isOf(one) && matters(of, one))) {
    cancelRun(model, run, 'TESTS_RESTARTED_BY_API_REQUEST')
    of.retries = [...of.retries, { run, ...again }]
  }
}

/** E-58, E-60, E-201: acts on the first failure that is due. */
export function settleFailure(model: Model): void {
  const group = model.line.find((each) => isDue(model, each) && !waitsForTip(model, each))
  const failure = group?.phase.failure
  if (!group || !failure?.reason) return
  const single = group.members.length === 1 ? group.members[0] : undefined
  if (single?.priority === 0 && group.isOvertaken) {
    restart(model, group, 'PREREQUISITE_MERGE_ITEM_FAILED') // E-193, E-306.
  } else if (single && !group.isOvertaken && isEnough(model, single, failure)) {
    if (isOfOlderTip(model, group)) return restart(model, group, 'TARGET_BRANCH_FAILED') // E-237.
    const passed = passesOn(model, model.branch).at(-1) // E-182.
    fail(model, single, failure.reason, { failure, passed })
  } else {
    begin(model, group, failure)
    restartWithout(model, group.members, 'PREREQUISITE_MERGE_ITEM_FAILED')
  }
}

const isDue = (model: Model, group: Group): boolean =>
  isItsOwn(model, group) && isHoldOver(model, group)

/** E-229: before anybody is FAILED. */
export const testBranch = (model: Model): void => testTip(model, (each) => isDue(model, each))

/** E-54, E-192: every pull request below it in that run has merged, and what a screening run left out. */
function isItsOwn(model: Model, group: Group): boolean {
  const { is, run } = group.phase
  if (is !== 'failed' || (run?.isScreening && predecessors(model, group).length > 0)) return false
  return run?.base.every((each) => model.branch.includes(each)) === true
}

/** E-56, E-57, E-134: d successors have given a verdict on top of it, or none is left that can. */
function isHoldOver(model: Model, group: Group): boolean {
  const depth = holdDepth(model)
  if (depth === 0 || group.phase.isAside) return true
  const onTop = model.line.filter((other) => {
    const { is, run } = other.phase
    if (other === group || is === 'waiting' || !run) return false
    const isOwn = run.tested.some((each) => other.members.includes(each))
    return isOwn && group.members.every((each) => run.contents.includes(each))
  })
  const phases = onTop.map(({ phase }) => phase.is)
  const verdicts = phases.filter((is) => is === 'passed' || is === 'failed')
  return verdicts.length >= depth || !(phases.includes('testing') || awaitsOthers(model, group))
}

/** E-133: what is not acted upon at once is held from now on. */
export function beginHolds(model: Model): void {
  for (const group of model.line) {
    const { run, heldUntil } = group.phase
    if (!run || heldUntil !== undefined) continue
    if (!isItsOwn(model, group) || isHoldOver(model, group)) continue
    const until = model.at + model.settings.testingTimeoutMinutes * 60_000
    group.phase.heldUntil = until
    model.effects.push({ is: 'hold', run, until })
  }
}

/** E-131 to E-133: whether successors without a run are awaited. */
export function awaitsOthers(model: Model, group: Group): boolean {
  const { heldUntil = Infinity } = group.phase
  if (heldUntil <= model.at) return false
  const successors = model.line.filter((other) => {
    return !isLeftOut(other) && predecessors(model, other).includes(group)
  })
  const isAwaited = ({ phase: { is, run } }: Group): boolean =>
    is === 'waiting' || (is === 'testing' && run?.isScreening === true) // E-195.
  if (successors.some(isAwaited)) return true
  const targets = [group, ...successors].map((each) => each.targets)
  return model.state === 'RUNNING' && !isStopped(model) && wouldStartWith(model, targets)
}
