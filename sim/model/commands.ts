/** Chapters "Commands and events" and "Queue states": a command and all that follows from it. */

import type { Command, TestName } from '../../engine/index.ts'
import { advance, lookAgain, startRuns } from './bisection.ts'
import {
  cannotBuild,
  settleConflicting,
  formGroup,
  isSlotFree,
  letUrgentIn,
  startInLine,
} from './starting.ts'
import { cancel, followUpload, mergeByHand, push, restart, mergeSurvivors } from './departures.ts'
import {
  awaitsOthers,
  beginHolds,
  endRun,
  expire,
  repeatRuns,
  settleFailure,
  testBranch,
} from './failures.ts'
import { groupOf, isBeingMerged, tie } from './groups.ts'
import { hostHasAnswered, mergeDirectly, mergeNext } from './merging.ts'
import { hasBegun, pairOf, without, type Model, type PullRequest } from './state.ts'
import { isAnybodyThere, isStopped, isTipTested, testAnew } from './tip.ts'
import { isCycle, liveOf, onTopOf, priorityOf, raise, shareTargets, withBelow } from './stacks.ts'
import { endOfFirstWait, forget, review, submitNew, waiting } from './waiting.ts'

/** Takes a command. False if the specification refuses it: then nothing changes (E-3). */
export function take(model: Model, command: Command): boolean {
  model.at = command.at
  model.effects = []
  if (!obey(model, command)) return false
  for (let tries = 0; follow(model); tries++) {
    if (tries > 10_000) throw new Error('the model does not come to rest')
  }
  return true
}

/** What the command does by itself. */
function obey(model: Model, command: Command): boolean {
  if (command.type === 'finishTestRun') return finish(model, command)
  if (command.type === 'finishMerge') return hostHasAnswered(model, command)
  if (command.type === 'reportUnbuildable') return cannotBuild(model, command)
  if (command.type === 'attachHost') return attach(model, command)
  if (command.type === 'updateQueue') return update(model, command)
  if (command.type === 'submitPullRequest') return submit(model, command)
  if (command.type === 'setImpactedTargets') upload(model, command)
  else if (command.type === 'reportPullRequest') learn(model, command)
  else if (command.type === 'reportPush') push(model)
  else if (command.type === 'quarantineTest') return quarantine(model, command)
  else if (command.type === 'releaseTest') return model.quarantine.delete(nameOf(command.test))
  else if (command.type === 'forget') forget(model, command)
  else if (command.type === 'wake') giveTime(model, command)
  else return obeyAbout(model, command)
  return true
}

/** E-308: after a time in which nobody could receive it, a run gets its whole time again. */
function giveTime(model: Model, { isLate }: Of<'wake'>): void {
  const deadline = model.at + model.settings.testingTimeoutMinutes * 60_000
  if (isLate) for (const run of model.runs) run.deadline = Math.max(run.deadline, deadline)
}

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>
type About = Of<'cancelPullRequest' | 'restartTests' | 'reportManualMerge'>

/** E-46, E-106: these are about a pull request that is in the queue. */
function obeyAbout(model: Model, command: About): boolean {
  const one = liveOf(model, command.number)
  if (!one) return false
  if (command.type === 'restartTests') return testAgain(model, one)
  if (command.type === 'reportManualMerge') {
    mergeByHand(model, one)
    review(model) // E-261.
  } else if (isBeingMerged(model, one)) {
    one.leavingFor = command.reason
  } else cancel(model, one, command.reason)
  return true
}

/** E-20, E-46, E-227. False if it is refused. */
function submit(model: Model, submitted: Of<'submitPullRequest'>): boolean {
  const { number, sha, priority, noBatch, dependsOn } = submitted
  if (isCycle(model, number, dependsOn)) return false // E-260.
  const known = model.pullRequests.get(number)
  const isOther = sha !== undefined && known !== undefined && sha !== known.sha
  const one = liveOf(model, number)
  if (one && !isOther && !isOnOthers(one, submitted)) {
    Object.assign(one, { noBatch: noBatch ?? one.noBatch, leavingFor: null })
    one.priority = priority ?? one.priority
    if (waiting(model).includes(one)) one.priority = priorityOf(model, number, one.priority)
    raise(model, one, (each) => waiting(model).includes(each))
    return true
  }
  if (one && isBeingMerged(model, one)) return false
  if (one) cancel(model, one, isOther ? 'PR_PUSHED_TO' : 'USER_REQUESTED')
  if (isOther) model.green = without(model.green, number)
  const entered = submitNew(model, submitted)
  raise(model, entered, (each) => waiting(model).includes(each))
  shareTargets(model, [...onTopOf(model, number), entered], (each) => hasMoreTargets(model, each))
  review(model)
  return true
}

/** E-260. */
function isOnOthers(
  { dependsOn: before }: PullRequest,
  { dependsOn = before }: Of<'submitPullRequest'>,
): boolean {
  return without(dependsOn, ...before).length + without(before, ...dependsOn).length > 0
}

/** E-143: in the line it waits for those with which it shares a target by now. */
function hasMoreTargets(model: Model, one: PullRequest): void {
  const targets = model.targets.get(one.number) ?? []
  if (model.settings.mode === 'parallel') followUpload(model, one, targets)
}

/** E-59, E-84, E-107, E-108. */
function testAgain(model: Model, one: PullRequest): boolean {
  const bisection = model.bisections.find(({ open }) => open.includes(one))
  const group = groupOf(model, one)
  const hasRun = group?.phase.run && one.state !== 'PENDING' && !hasBegun(group)
  if (bisection) repeatRuns(model, bisection, one)
  else if (hasRun) restart(model, group, 'TESTS_RESTARTED_BY_API_REQUEST')
  return bisection !== undefined || hasRun === true
}

/** E-270, E-275. */
function quarantine(model: Model, { test, until = Infinity }: Of<'quarantineTest'>): boolean {
  const name = nameOf(test)
  if (!model.quarantine.has(name) && model.quarantine.size >= 1000) return false
  model.quarantine.set(name, until)
  testAnew(model)
  return true
}

/** E-223. */
function attach(model: Model, { codeHost }: Of<'attachHost'>): boolean {
  if (codeHost !== model.codeHost && !isLineEmpty(model)) return false
  model.codeHost = codeHost
  return true
}

/** E-94: a list that contains ALL is ALL. */
function upload(model: Model, { number, targets }: Of<'setImpactedTargets'>): void {
  const uploaded = targets.includes('ALL') ? 'ALL' : targets
  model.targets.set(number, uploaded)
  const one = liveOf(model, number)
  if (one) model.targets.set(number, withBelow(model, one))
  review(model)
  if (one) hasMoreTargets(model, one)
  shareTargets(model, onTopOf(model, number), (each) => hasMoreTargets(model, each))
}

/** E-9. */
function learn(model: Model, command: Of<'reportPullRequest'>): void {
  const { number, mergeable, greenOnTip, conflictsWith = [number] } = command
  if (mergeable === true) model.objected.delete(number)
  if (mergeable === false) model.objected.add(number)
  if (greenOnTip !== undefined) model.green = without(model.green, number) // E-157.
  if (greenOnTip === true) model.green = [...model.green, number]
  const isOver = (pair: readonly number[]) => conflictsWith.length === 0 && pair.includes(number)
  model.conflicts = model.conflicts.filter((pair) => !isOver(pair))
  const freed = model.line.filter((each) => isOver(pairOf(each).map((one) => one.number)))
  for (const each of freed) restart(model, each, 'MERGE_ITEM_NOW_READY') // E-68.
  for (const other of without(conflictsWith, number)) model.conflicts.push([number, other])
  for (const each of [number, ...conflictsWith]) model.reported.add(each)
  review(model)
}

/** What a test is known by. */
export const nameOf = ({ name, file }: TestName) => [file, name].filter(Boolean).join(' > ')

/** E-65, E-82. */
function finish(model: Model, command: Of<'finishTestRun'>): boolean {
  const { testRun, outcome, failedTests = [], flakyTests = [] } = command
  const run = model.runs.find(({ id }) => id === testRun)
  if (!run) return false
  for (const test of flakyTests) model.flakyTests.add(nameOf(test))
  endRun(model, run, outcome, failedTests.map(nameOf))
  return true
}

const isLineEmpty = ({ line, bisections }: Model): boolean => line.length + bisections.length === 0

/** E-102 to E-104. False if it is refused. */
function update(model: Model, { set }: Of<'updateQueue'>): boolean {
  const modeToCome = model.nextMode ?? model.settings.mode
  const { state = model.state, mode = modeToCome, ...settings } = set
  const [isNewState, isNewMode] = [state !== model.state, mode !== modeToCome]
  if (model.state === 'SWITCHING_MODES' && (isNewState || isNewMode)) return false
  const mustSwitch = isNewMode && !isLineEmpty(model)
  if (mustSwitch && (model.state !== 'RUNNING' || isNewState)) return false
  if (mustSwitch) model.nextMode = mode
  const modeInForce = model.nextMode === null ? mode : model.settings.mode
  model.settings = { ...model.settings, ...settings, mode: modeInForce } // E-28.
  if (Object.keys(settings).length > 0) testAnew(model)
  enter(model, mustSwitch ? 'SWITCHING_MODES' : state)
  return true
}

function enter(model: Model, state: Model['state']): void {
  if (state !== model.state) model.effects.push({ is: 'queue', from: model.state, to: state })
  model.state = state
  review(model)
}

/** E-103: the mode changes when nothing is left in the line. */
function switchMode(model: Model): void {
  if (model.nextMode === null || !isLineEmpty(model)) return
  model.settings = { ...model.settings, mode: model.nextMode }
  model.nextMode = null
  enter(model, 'RUNNING')
}

/** E-6: verdicts, merges, departures and restarts come before starts. */
const rules = [
  ...[expire, mergeNext, settleConflicting, testBranch, settleFailure, mergeSurvivors, advance],
  ...[mergeDirectly, letUrgentIn, switchMode, startRuns, lookAgain, startInLine, formGroup],
  beginHolds,
]

/** Tries the rules in order. True if one has changed something. */
function follow(model: Model): boolean {
  tie(model)
  const { line, bisections, runs, tested, effects } = model
  const count = effects.length
  return rules.some((rule) => {
    rule(model)
    const isSame = model.line === line && model.bisections === bisections && model.runs === runs
    return !isSame || model.tested !== tested || effects.length > count
  })
}

/** E-8: when the next thing is due by itself; what is due already waits for a slot. */
export function nextWake(model: Model): number {
  const failed = model.line.filter(({ phase }) => phase.heldUntil !== undefined)
  const held = failed.filter((group) => awaitsOthers(model, group))
  const isForming = model.state === 'RUNNING' && !isStopped(model) && isSlotFree(model)
  const instants = [
    ...model.runs.map(({ deadline }) => deadline),
    ...model.bisections.flatMap(({ retries }) => retries.map(({ notBefore }) => notBefore)),
    ...model.line.map(({ phase }) => phase.notBefore ?? Infinity),
    ...held.map(({ phase }) => phase.heldUntil ?? Infinity),
    isForming ? endOfFirstWait(model) : Infinity,
    isTipTested(model) ? (model.tipRetry?.notBefore ?? Infinity) : Infinity,
    isStopped(model) && isAnybodyThere(model) ? (model.tested?.notBefore ?? Infinity) : Infinity,
  ]
  return Math.min(...instants.filter((each) => each > model.at))
}
