/** Chapter "Commands and events": one command and everything that follows from it. */

import type { Command, TestName } from '../../../engine/index.ts'
import { advance, lookAgain, startRuns } from '../bisection/search.ts'
import { mayMerge, mergeAsProven } from '../bisection/survivors.ts'
import { bisectionOf, groupOf, hasBegun, tie } from '../line/predecessors.ts'
import { restart } from '../line/restarts.ts'
import { learnFlakes } from '../line/verdicts.ts'
import { prOf } from '../state/deeds.ts'
import type { Model } from '../state/state.ts'
import { cancel, mergeByHand, push } from './departures.ts'
import { settleFailure } from './failures.ts'
import { hostHasAnswered, mergeDirectly, mergeNext } from './merging.ts'
import { hasLeft, review, submit } from './order.ts'
import { switchMode, update } from './queue-states.ts'
import { endRun, expire, repeatRuns } from './runs.ts'
import { formGroup, letUrgentIn, settleConflicting, startInLine } from './starting.ts'

/** Takes a command. False if the specification refuses it. */
export function take(model: Model, command: Command): boolean {
  model.at = command.at
  model.deeds = []
  if (!obey(model, command)) return false
  for (let tries = 0; follow(model); tries++) {
    if (tries > 10_000) throw new Error('the model does not come to rest')
  }
  return true
}

function obey(model: Model, command: Command): boolean {
  switch (command.type) {
    case 'submitPullRequest':
      submit(model, command)
      return true
    case 'cancelPullRequest':
      return leave(model, command)
    case 'restartTests':
      return testAgain(model, command.number)
    case 'setImpactedTargets':
      upload(model, command)
      return true
    case 'reportPullRequest':
      learn(model, command)
      return true
    case 'reportManualMerge':
      if (hasLeft(model, command.number)) return false
      mergeByHand(model, command.number)
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
  }
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
    (model.state !== 'PAUSED' && startRuns(model)) ||
    lookAgain(model) ||
    startInLine(model) ||
    formGroup(model)
  )
}

function mergeSurvivors(model: Model): boolean {
  const bisection = model.bisections.find((each) => mayMerge(model, each))
  if (bisection) mergeAsProven(model, bisection)
  return bisection !== undefined
}

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>

/** E-46, E-105, E-106. */
function leave(model: Model, { number, reason }: Of<'cancelPullRequest'>): boolean {
  if (hasLeft(model, number)) return false
  const phase = groupOf(model, number)?.phase
  if (phase?.is === 'passed' && phase.merging === number) prOf(model, number).leavingFor = reason
  else cancel(model, number, reason)
  return true
}

/** E-59, E-84, E-107, E-108. */
function testAgain(model: Model, number: number): boolean {
  if (hasLeft(model, number)) return false
  const bisection = bisectionOf(model, number)
  if (bisection) return repeatRuns(model, bisection, number)
  const group = groupOf(model, number)
  if (!group || hasBegun(group) || prOf(model, number).state === 'PENDING') return false
  if (group.phase.is === 'waiting' || group.phase.is === 'conflicting') return false
  restart(model, group, 'TESTS_RESTARTED_BY_API_REQUEST')
  return true
}

/** E-94, E-95: a list that contains ALL is ALL. */
function upload(model: Model, { number, targets }: Of<'setImpactedTargets'>): void {
  const isAll = targets === 'ALL' || targets.includes('ALL')
  model.targets.set(number, isAll ? 'ALL' : [...new Set(targets)])
  review(model, number)
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

function addConflict(model: Model, number: number, other: number): void {
  const known = model.conflicts.get(number) ?? []
  if (!known.includes(other)) model.conflicts.set(number, [...known, other])
}

/** E-65, E-82. */
function finish(model: Model, command: Of<'finishTestRun'>): boolean {
  const { testRun, outcome, failedTests = [], flakyTests = [] } = command
  const run = [...model.mainRuns, ...model.bisectionRuns].find(({ id }) => id === testRun)
  if (!run) return false
  learnFlakes(model, flakyTests.map(nameOf))
  endRun(model, run, outcome, failedTests.map(nameOf))
  return true
}

const nameOf = ({ name, file = '' }: TestName): string => (file === '' ? name : `${file} > ${name}`)
