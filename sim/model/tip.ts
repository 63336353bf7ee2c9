/** Chapter "The branch by itself". */

import { cancelRun, isSame, startRun, without } from './state.ts'
import type { Bisection, Content, Group, Model, PullRequest, Result, Run } from './state.ts'
import { restart, returnToLine } from './departures.ts'
import { isConvincing } from './policy.ts'
import { areIn, compositionOf, isKnownToFlake, knownOf, nextOf, passOnBase } from './verdicts.ts'
import { inOrder } from './waiting.ts'

/** E-229. */
export const isTipTested = ({ settings: { tipTestMode, policy } }: Model): boolean =>
  tipTestMode === 'policy' ? policy === 'adaptive' : tipTestMode === 'always'

/** E-201: an urgent one would lose its place in a bisection. */
export const isEnough = (model: Model, { priority }: PullRequest, { reason }: Result): boolean =>
  reason !== 'TEST_RUN_REQUIRED_STATUS_FAILED' || priority === 0 || isConvincing(model, 1, 0.075)

/** E-232: the branch fails by itself. */
export const isStopped = (model: Model): boolean =>
  isTipTested(model) && model.tested?.hasFailed === true

/** The passes on this among the last verdicts. */
export const passesOn = ({ verdicts }: Model, contents: readonly Content[]): Result[] =>
  verdicts.filter((each) => each.reason === null && isSame(each.contents, contents))

/** E-278: the latest pass on this that counts now. */
const proofOn = (model: Model, contents: readonly Content[]): Result | undefined =>
  passesOn(model, contents).findLast(({ run }) => areIn(model, run.despite))

/** E-230: the first tip from which on the branch is known to pass by tests of itself. */
function soundFrom(model: Model): number {
  const { tested, pushedAt } = model
  const isPass = tested?.hasFailed === false && areIn(model, tested.despite)
  return isPass && pushedAt <= tested.tip ? tested.soundFrom : Infinity
}

/** E-230: a run passed on it, or on an earlier tip, and then came only what passed. E-236: `after` this run. */
function isSound(model: Model, tip: number, contents: readonly Content[], after: number): boolean {
  if ((proofOn(model, contents)?.run.id ?? 0) > after) return true
  return (model.tested?.run ?? 0) > after && soundFrom(model) <= tip
}

/** E-236: a timeout or a lost run counts only if the tip has passed later. */
const provenAfter = ({ reason, run }: Result): number =>
  reason === 'TEST_RUN_REQUIRED_STATUS_FAILED' ? 0 : run.id

/** E-230: nothing passed on which the first open member fails. */
export function isUnexplained(model: Model, of: Bisection): boolean {
  const { fail } = knownOf(of)
  if (!isTipTested(model) || !fail) return false
  const after = provenAfter(fail)
  const { id = 0, despite = [] } = passOnBase(of)?.run ?? {}
  return !(id > after && areIn(model, despite)) && !isSound(model, of.tip, of.branch, after) // E-278.
}

/** E-182. */
export const passWithout = (model: Model, of: Bisection): Result | undefined =>
  passOnBase(of) ?? (isTipTested(model) ? passesOn(model, compositionOf(of, [])).at(-1) : undefined)

/** E-230: nobody in the line is at fault before the branch has passed. */
export function waitsForTip(model: Model, group: Group): boolean {
  if (!isTipTested(model)) return false
  return isStopped(model) || model.runs.some(({ isOfTip }) => isOfTip) || needsTip(model, group)
}

function needsTip(model: Model, group: Group): boolean {
  const { members, phase, isOvertaken } = group
  const [first, ...others] = members
  const isToBeFailed = first && phase.failure && isEnough(model, first, phase.failure)
  if (!isToBeFailed || others.length > 0 || isOvertaken) return false
  const isUnknown = isOfOlderTip(model, group) && soundFrom(model) === Infinity
  return isUnknown || !isSound(model, model.branch.length, model.branch, provenAfter(phase.failure))
}

/** E-237: another lane has merged since its run began, and may have mended the branch. */
export function isOfOlderTip(model: Model, { phase: { run } }: Group): boolean {
  if (!isTipTested(model) || model.settings.mode === 'single' || !run) return false
  return run.tip < model.branch.length && run.tip < soundFrom(model)
}

/** E-229: one run of the branch by itself at a time. `isDue`: its failure is to be acted upon. */
export function testTip(model: Model, isDue: (group: Group) => boolean): void {
  if (!isTipTested(model)) return
  const { tested, branch, bisections, pushedAt } = model
  const isOfOther = tested?.hasFailed === true && tested.tip !== branch.length
  const passed = isOfOther ? proofOn(model, branch) : undefined
  if (passed) return tipHasPassed(model, passed.run, branch.length)
  const underWay = model.runs.find(({ isOfTip }) => isOfTip)
  const isPinned = bisections.some((each) => underWay && isSame(each.branch, underWay.contents))
  if (underWay && (underWay.tip >= pushedAt || isPinned)) return
  if (underWay) cancelRun(model, underWay, 'MANUAL_PUSH_TO_TARGET_BRANCH')
  const wanted = wantedTip(model, isDue)
  if (wanted && model.state !== 'PAUSED') startTip(model, wanted)
}

function startTip(model: Model, wanted: Pick<Bisection, 'tip' | 'branch'>): void {
  const again = [model.tipRetry].find((it) => it && isSame(it.run.contents, wanted.branch))
  const { notBefore = 0, attempt = 0 } = again ?? {}
  if (notBefore > model.at) return
  model.tipRetry = null
  const plan = { of: null, tip: wanted.tip, base: [], tested: [], attempt, isOfTip: true }
  startRun(model, wanted.branch, plan)
}

function wantedTip(model: Model, isDue: (group: Group) => boolean) {
  const { tested, branch, line, bisections } = model
  const current = { tip: branch.length, branch }
  if (tested?.hasFailed) {
    const isLater = tested.notBefore <= model.at && isAnybodyThere(model)
    return tested.tip !== branch.length || isLater ? current : undefined
  }
  if (line.some((group) => needsTip(model, group) && isDue(group))) return current
  const of = bisections.find((each) => awaitsTip(model, each))
  if (of) return of
  return tested?.tip !== branch.length && failsAlike(model) ? current : undefined
}

const awaitsTip = (model: Model, of: Bisection): boolean =>
  isUnexplained(model, of) && ['look', 'convict'].includes(nextOf(model, of))

export const isAnybodyThere = (model: Model): boolean =>
  model.line.length + model.bisections.length + inOrder(model).length > 0

/** E-231: one test fails in two runs without a pull request in common. */
function failsAlike(model: Model): boolean {
  const inLine = model.line.flatMap(({ phase: { failure } }) => failure ?? [])
  const failures = [...inLine, ...model.bisections.flatMap(({ findings }) => findings)]
  const held = ({ run }: Result): readonly PullRequest[] => [...run.base, ...run.tested]
  const isAlike = (one: Result, other: Result): boolean =>
    one.tests.some((test) => other.tests.includes(test) && !isKnownToFlake(model, test)) &&
    !held(one).some((each) => held(other).includes(each))
  return failures.some((one, at) => failures.slice(at + 1).some((other) => isAlike(one, other)))
}

/** E-232, E-234: the branch was tested by itself. */
export function endTip(model: Model, { run, reason }: Result): void {
  if (reason === null) return tipHasPassed(model, run, run.tip)
  const times = model.tested?.hasFailed ? model.tested.times : 0
  const notBefore = model.at + Math.min(2 ** times, 60) * 60_000
  const isOlder = model.tested?.hasFailed && run.tip < model.tested.tip
  if (run.tip === model.branch.length && !isOlder) {
    const failed = { run: run.id, hasFailed: true, times: times + 1, notBefore }
    model.tested = { ...failed, tip: run.tip, soundFrom: 0, despite: [] }
  }
  for (const of of model.bisections) {
    const isForTip = isSame(of.branch, run.contents) && awaitsTip(model, of)
    if (isSame(compositionOf(of, []), run.contents) || isForTip) giveUp(model, of)
  }
}

/** E-236: other settings may mend it. */
export function testAnew(model: Model): void {
  const { tested } = model
  if (tested?.hasFailed) model.tested = { ...tested, times: 0, notBefore: model.at }
}

/** E-233, E-234: what has failed while the branch failed is tested again. */
function tipHasPassed(model: Model, { id: run, despite }: Run, tip: number): void {
  const wasStopped = isStopped(model)
  const { tested, pushedAt } = model
  if (tip < pushedAt || (tested?.hasFailed && tip < tested.tip)) return
  const from = Math.min(soundFrom(model), tip)
  model.tested = { run, tip, soundFrom: from, despite, hasFailed: false, times: 0, notBefore: 0 }
  const failed = model.line.filter(({ phase }) => wasStopped && phase.is === 'failed')
  for (const group of failed) restart(model, group, 'TARGET_BRANCH_FAILED')
}

/** E-235. */
function giveUp(model: Model, of: Bisection): void {
  for (const run of model.runs) if (run.of === of) cancelRun(model, run, 'TARGET_BRANCH_FAILED')
  model.bisections = without(model.bisections, of)
  returnToLine(model, [...of.proven, ...of.open], 'TARGET_BRANCH_FAILED')
}
