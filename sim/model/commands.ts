/** Chapter "Commands and events": one command and everything that follows from it. */

import type { Command } from '../../engine/index.ts'
import { endOfFirstWait } from './batches.ts'
import { advance, lookAgain, startRuns } from './bisection.ts'
import { cancel, mergeByHand, push } from './departures.ts'
import { awaitsOthers, settleFailure } from './failures.ts'
import { bisectionOf, groupOf, hasBegun } from './groups.ts'
import { endRun, expire, repeatRuns } from './lost-runs.ts'
import { hostHasAnswered, mergeDirectly, mergeNext } from './merging.ts'
import { tie } from './parallel-mode.ts'
import { liveOf, review, submit } from './pull-request-states.ts'
import { switchMode, update } from './queue-states.ts'
import { restart } from './restarts.ts'
import { formGroup, isSlotFree, letUrgentIn, startInLine } from './starting.ts'
import type { Model, PullRequest } from './state.ts'
import { mergeSurvivors } from './survivors.ts'
import { settleConflicting } from './text-conflicts.ts'
import { nameOf } from './words.ts'

/** Takes a command. False if the specification refuses it: then nothing has changed (E-3). */
export function take(model: Model, command: Command): boolean {
  const before = model.at
  model.at = command.at
  model.deeds = []
  if (!obey(model, command)) {
    model.at = before
    return false
  }
  for (let tries = 0; follow(model); tries++) {
    if (tries > 10_000) throw new Error('the model does not come to rest')
  }
  return true
}

/** What the command does by itself. */
function obey(model: Model, command: Command): boolean {
  switch (command.type) {
    case 'submitPullRequest':
      submit(model, command)
      return true
    case 'setImpactedTargets': {
      // E-94: a list that contains ALL is ALL.
      const { number, targets } = command
      model.targets.set(number, targets.includes('ALL') ? 'ALL' : targets)
      review(model, number)
      return true
    }
    case 'reportPullRequest':
      learn(model, command)
      return true
    case 'reportPush':
      push(model)
      return true
    case 'finishTestRun':
      return finish(model, command)
    case 'finishMerge':
      return hostHasAnswered(model, command.number, command.refused)
    case 'updateQueue':
      return update(model, command)
    case 'wake':
      return true
    default: {
      // E-106.
      const one = liveOf(model, command.number)
      return one !== undefined && obeyAbout(model, one, command)
    }
  }
}

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>

function obeyAbout(
  model: Model,
  one: PullRequest,
  command: Of<'cancelPullRequest' | 'restartTests' | 'reportManualMerge'>,
): boolean {
  if (command.type === 'restartTests') return testAgain(model, one)
  if (command.type === 'reportManualMerge') mergeByHand(model, one)
  // E-46.
  else if (groupOf(model, one)?.phase.merging === one) one.leavingFor = command.reason
  else cancel(model, one, command.reason)
  return true
}

/** E-59, E-84, E-107, E-108. */
function testAgain(model: Model, one: PullRequest): boolean {
  const bisection = bisectionOf(model, one)
  if (bisection) {
    if (!bisection.open.includes(one)) return false
    repeatRuns(model, bisection, one)
    return true
  }
  const group = groupOf(model, one)
  if (!group || hasBegun(group) || one.state === 'PENDING' || !group.phase.run) return false
  restart(model, group, 'TESTS_RESTARTED_BY_API_REQUEST')
  return true
}

/** E-9. */
function learn(model: Model, command: Of<'reportPullRequest'>): void {
  const { number, mergeable, greenOnTip, conflictsWith = [] } = command
  if (mergeable === true) model.objected.delete(number)
  if (mergeable === false) model.objected.add(number)
  if (greenOnTip !== undefined) {
    const others = model.green.filter((each) => each !== number)
    model.green = greenOnTip ? [...others, number] : others
  }
  for (const other of conflictsWith) {
    addConflict(model, number, other)
    addConflict(model, other, number)
  }
  review(model, number)
}

function addConflict({ conflicts }: Model, number: number, other: number): void {
  conflicts.set(number, [...new Set([...(conflicts.get(number) ?? []), other])])
}

/** E-65, E-82. */
function finish(model: Model, command: Of<'finishTestRun'>): boolean {
  const { testRun, outcome, failedTests = [], flakyTests = [] } = command
  const run = model.runs.find(({ id }) => id === testRun)
  if (!run) return false
  for (const test of flakyTests) model.flakyTests.add(nameOf(test))
  endRun(model, run, outcome, failedTests.map(nameOf))
  return true
}

/** E-6: verdicts, merges, departures and restarts come before starts. */
function follow(model: Model): boolean {
  tie(model)
  return (
    expire(model) ||
    mergeNext(model) ||
    settleConflicting(model) ||
    settleFailure(model) ||
    mergeSurvivors(model) ||
    model.bisections.some((bisection) => advance(model, bisection)) ||
    mergeDirectly(model) ||
    letUrgentIn(model) ||
    switchMode(model) ||
    startRuns(model) ||
    lookAgain(model) ||
    startInLine(model) ||
    formGroup(model)
  )
}

/** E-8: the instant at which the next thing is due by itself; infinite for never. */
export function nextWake(model: Model): number {
  const retries = model.bisections.flatMap((bisection) => bisection.retries)
  const held = model.line.filter((group) => awaitsOthers(model, group))
  const mayStart = model.state === 'RUNNING' && isSlotFree(model)
  const instants = [
    ...model.runs.map(({ deadline }) => deadline),
    ...retries.map(({ notBefore }) => notBefore),
    ...model.line.map(({ phase }) => phase.notBefore ?? Infinity),
    ...held.map(({ phase }) => phase.heldUntil ?? Infinity),
    mayStart ? endOfFirstWait(model) : Infinity,
  ]
  // A retry that is due already waits for a slot, not for an instant.
  return Math.min(...instants.filter((each) => each > model.at))
}
