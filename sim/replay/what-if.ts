/** Runs the scenario of a recording with the recorded settings and with changed settings. */

import { isTerminal, upgraded } from '../../engine/index.ts'
import type {
  Command,
  Event,
  EventOf,
  ImpactedTargets,
  Millis,
  PullRequestNumber,
  QueueView,
  Reason,
  UpdateQueue,
} from '../../engine/index.ts'
import { type EndedRun, RunTracker } from '../result/result-projection.ts'
import type { Step } from '../steps/step.ts'
import { type JudgedRun, runAndJudge } from '../judge/run-scenario.ts'
import { properties } from '../properties/index.ts'
import { checkScenario } from '../scenario/check.ts'
import { numberingOf } from '../scenario/scenario.ts'
import type { PullRequestEntry, Scenario, ScenarioEvent, Suite } from '../scenario/scenario.ts'
import { applySettings } from '../scenario/settings.ts'
import { toMinutes } from '../scenario/time.ts'
import { failingLengthOf, passingLengths, suiteOf } from '../statistics/run-lengths.ts'
import type { Recording } from './recording.ts'
import { type Exactness, scenarioNameOf, settingsAt } from './check-recording.ts'

// The submissions, commands and test runs of a recording, from which a scenario is derived.

/** What names a submission. */
type SubmissionName = {
  readonly number: PullRequestNumber
  /** 1 for the first submission of this number. */
  readonly time: number
}

type Submission = SubmissionName & {
  readonly at: Millis
  /** Null if the submission set none. */
  readonly priority: number | null
  readonly noBatch: boolean
  /** The impacted targets known at the submission; null if none. */
  readonly targets: ImpactedTargets | null
  /** What it waits for: submissions that were in force, or that came later. */
  readonly dependsOn: readonly SubmissionName[]
  /** Those with which git could not build it. */
  readonly conflictsWith: SubmissionName[]
  /** Whether it FAILED by its tests, and not by a flake. */
  breaks: boolean
  /** Whether it FAILED or was CANCELLED. */
  isGone: boolean
}

/** A command, and the submission in force at that instant; null if it is about the whole queue. */
type HistoryCommand = { readonly command: Command; readonly about: Submission | null }

type RecordedRunEnd = {
  readonly lengthMs: Millis
  readonly outcome: 'passed' | 'failed' | 'errored' | 'timed_out'
  readonly isFlake: boolean
}

type CancelledRun = { readonly lengthMs: Millis; readonly held: readonly Submission[] }

const machineCommands: ReadonlySet<string> = new Set(['wake', 'finishTestRun', 'forget'])

/** Errors of the runner, conflicts and refused merges do not mean that the pull request breaks. */
const testReasons: ReadonlySet<Reason | null> = new Set<Reason>([
  'TEST_RUN_REQUIRED_STATUS_FAILED',
  'TEST_RUN_TIMEOUT',
  'TEST_RUN_FAILED_BY_OPTIMIZATION',
])

type SubmittedFields = Omit<EventOf<'pullRequestSubmitted'>, 'type' | 'state'>

export class RecordedHistory {
  readonly submissions: Submission[] = []
  readonly commands: HistoryCommand[] = []
  readonly runs: RecordedRunEnd[] = []
  readonly cancelled: CancelledRun[] = []
  /** Whether text conflicts were found when a branch was built, and not beforehand. */
  conflictsFoundByBuild = false
  readonly #latest = new Map<PullRequestNumber, Submission>()
  /** By the sequence number of the submission. */
  readonly #bySequence = new Map<number, Submission>()
  readonly #runs = new RunTracker(() => false)
  readonly #flakes: Exactness['flakes']

  /** Pull requests that are in the queue at the start count as submitted at time 0. */
  constructor({ begin }: Recording, { flakes }: Pick<Exactness, 'flakes'>) {
    this.#flakes = flakes
    const before = Object.values(begin.queue.pullRequests)
      .filter(({ state }) => !isTerminal(state))
      .sort((a, b) => a.submission - b.submission)
    for (const pullRequest of before) this.#submit(pullRequest, 0, begin.queue)
  }

  readonly read = ({ command, events, queue }: Step): void => {
    const number = 'number' in command ? command.number : null
    const isFirst = events.some(({ type }) => type === 'pullRequestSubmitted')
    const about = number === null ? null : this.#latest.get(number)
    // Commands up to the first submission become fields of the pull request in the scenario.
    const isByPerson = !machineCommands.has(command.type)
    if (isByPerson && about !== undefined && !isFirst) this.commands.push({ command, about })
    if (about && isFirst) this.#leave(about, command.at, events)
    for (const event of events) this.#follow(event, command.at, queue)
    this.#noteConflicts(command)
  }

  /** One in the queue leaves when it is submitted with other content, or to depend on others. */
  #leave(about: Submission, at: Millis, events: readonly Event[]): void {
    const { number } = about
    for (const event of events) {
      if (event.type !== 'pullRequestMoved' || event.number !== number) continue
      if (event.to !== 'CANCELLED') continue
      const reason = event.reason === 'PR_PUSHED_TO' ? event.reason : 'USER_REQUESTED'
      this.commands.push({ command: { type: 'cancelPullRequest', number, reason, at }, about })
    }
  }

  #follow(event: Event, at: Millis, queue: QueueView): void {
    if (event.type === 'pullRequestSubmitted') this.#submit(event, at, queue)
    else if (event.type === 'pullRequestMoved') this.#move(event)
    else this.#end(this.#runs.onEvent(event, at))
  }

  #submit(submitted: SubmittedFields, at: Millis, queue: QueueView): void {
    const { number, priority, priorityAsked, noBatch, dependsOn = [] } = submitted
    const submission: Submission = {
      number,
      time: (this.#latest.get(number)?.time ?? 0) + 1,
      at,
      priority: priorityAsked ? priority : null,
      noBatch,
      targets: queue.impactedTargets[number] ?? null,
      dependsOn: dependsOn.map((other) => this.#awaited(other)),
      conflictsWith: [],
      breaks: false,
      isGone: false,
    }
    this.submissions.push(submission)
    this.#latest.set(number, submission)
    this.#bySequence.set(submitted.submission, submission)
  }

  #move({ number, to, reason, evidence }: EventOf<'pullRequestMoved'>): void {
    const submission = this.#latest.get(number)
    if (!submission) return
    const isByFlake = this.#flakes.has(evidence?.failedIn ?? 0)
    if (to === 'FAILED') submission.breaks = testReasons.has(reason) && !isByFlake
    submission.isGone = to === 'FAILED' || to === 'CANCELLED'
  }

  /** The submission for which a dependent waits: one that has left is awaited until it comes again. */
  #awaited(number: PullRequestNumber): SubmissionName {
    const latest = this.#latest.get(number)
    if (!latest) return { number, time: 1 }
    return latest.isGone ? { number, time: latest.time + 1 } : latest
  }

  /** A conflict with the branch names nobody, and is left out. */
  #noteConflicts(command: Command): void {
    if (command.type !== 'reportUnbuildable' && command.type !== 'reportPullRequest') return
    const submission = this.#latest.get(command.number)
    const { conflictsWith = [] } = command
    if (command.type === 'reportUnbuildable') this.conflictsFoundByBuild = true
    for (const each of [conflictsWith].flat()) {
      const other = each === 'tip' ? undefined : this.#latest.get(each)
      if (other) submission?.conflictsWith.push(other)
    }
  }

  #end(ended: EndedRun | null): void {
    if (!ended) return
    const { run, lengthMs, outcome } = ended
    if (outcome === 'cancelled') {
      const held = run.submissions.flatMap((each) => this.#bySequence.get(each) ?? [])
      this.cancelled.push({ lengthMs, held })
    } else this.runs.push({ lengthMs, outcome, isFlake: this.#flakes.has(run.id) })
  }
}

export type WhatIf = { readonly baseline: JudgedRun; readonly tried: JudgedRun }

/** The scenario derived from a recording, with the settings applied. */
export function derivedScenario(
  recording: Recording,
  history: RecordedHistory,
  settings: readonly string[],
): Scenario {
  return applySettings(scenarioOf(recording, history, overriddenBy(settings)), settings)
}

/**
 * Runs the scenario with the recorded settings, to show how close it is to the recording, and with
 * the changed ones.
 */
export function tryOut(
  recording: Recording,
  history: RecordedHistory,
  settings: readonly string[],
): WhatIf {
  const baseline = derivedScenario(recording, history, [])
  const tried = derivedScenario(recording, history, settings)
  return {
    baseline: runAndJudge(baseline, { properties, once: true }),
    tried: runAndJudge(tried, { properties, once: false }),
  }
}

// Derives a scenario from a recording (S-52): the same pull requests at the same instants. The
// recorded outcomes are taken as the truth. So settings can be tried on recorded traffic.
//
// - Each submission becomes a separate pull request, because a resubmission usually has new
//   commits: number 7 submitted again is 1007, then 2007.
// - A pull request breaks if and only if it FAILED by its tests, and not by a flake (S-400).
// - Any run of the scenario flakes at the rate of those that flaked or passed.
// - Runs are lost, and hang, at the recorded rates. Their lengths have the recorded median and 95th percentile, and failing
//   runs the recorded ratio to passing ones, as in an import (S-275). What was cancelled would have lasted longer (S-401).
// - It depends on the submissions that it waited for, and conflicts with those with which git could
//   not build it.
// - Actions of people come at the same instants, if they still apply.

/** Returns the scenario. Recorded changes do not touch the queue settings named in `overridden`. */
function scenarioOf(
  recording: Recording,
  { submissions, commands, runs, cancelled, conflictsFoundByBuild }: RecordedHistory,
  overridden: ReadonlySet<string>,
): Scenario {
  const numberAt = numberingOf(submissions.map(({ number }) => number))
  const numberOf: Numbering = ({ number, time }) => numberAt(number, time - 1)
  const kept = ableToEnter(submissions, numberOf)
  const isKept = new Set(kept)
  const name = scenarioNameOf(recording)
  const scenario: Scenario = {
    name,
    description: `Derived from the recording of ${recording.name}, to try other settings.`,
    queue: settingsAt(recording.begin),
    suite: suiteIn(runs, cancelled),
    pullRequests: kept.map((each) => entryOf(each, numberOf)),
    ...(conflictsFoundByBuild ? { codeHost: { conflictsFoundByBuild } } : {}),
    suiteFlakes: { perRun: flakeRateOf(runs) },
    events: commands
      .filter(({ about }) => about === null || isKept.has(about))
      .flatMap((each) => eventOf(each, numberOf, overridden) ?? []),
    faults: {
      lostRunRate: rate(runs, ({ outcome }) => outcome === 'errored'),
      hangRate: rate(runs, ({ outcome, isFlake }) => outcome === 'timed_out' && isFlake),
    },
  }
  return checkScenario(JSON.parse(JSON.stringify(scenario)), name)
}

/** Those whose predecessors all came: the others were never in the line, because something below them was not submitted. */
function ableToEnter(submissions: readonly Submission[], numberOf: Numbering): Submission[] {
  const known = new Set(submissions.map(numberOf))
  const kept = submissions.filter(({ dependsOn }) =>
    dependsOn.every((each) => known.has(numberOf(each))),
  )
  return kept.length === submissions.length ? kept : ableToEnter(kept, numberOf)
}

function entryOf(submission: Submission, numberOf: Numbering): PullRequestEntry {
  const { at, priority, noBatch, targets, breaks } = submission
  const dependsOn = submission.dependsOn.map(numberOf)
  const conflictsWith = submission.conflictsWith.map(numberOf)
  return {
    number: numberOf(submission),
    at: toMinutes(at),
    ...(breaks ? { breaks } : {}),
    ...(priority === null ? {} : { priority }),
    ...(noBatch ? { noBatch } : {}),
    ...(targets === null ? {} : { targets }),
    ...(dependsOn.length > 0 ? { dependsOn } : {}),
    ...(conflictsWith.length > 0 ? { conflictsWith } : {}),
  }
}

/**
 * As an import reads them; runs of no length are not unknown here. More of the long ones are cancelled. Had they gone on,
 * those that held one that breaks would have failed (S-401).
 */
function suiteIn(ended: readonly RecordedRunEnd[], cancelled: readonly CancelledRun[]): Suite {
  const runs = ended.map(({ outcome, lengthMs }) => ({ outcome, minutes: toMinutes(lengthMs) }))
  const cut = cancelled.map(({ held, lengthMs }) => {
    const outcome = held.some(({ breaks }) => breaks) ? 'failed' : 'passed'
    return { outcome, minutes: toMinutes(lengthMs) }
  })
  const failing = failingLengthOf(runs, cut)
  const { suite } = suiteOf(passingLengths(runs, failing), failing, passingLengths(cut, failing))
  return suite ?? (runs.length > 0 ? { minutes: 0 } : {})
}

/** The share of those that flaked among these and those that passed. */
function flakeRateOf(runs: readonly RecordedRunEnd[]): number {
  const hasFlaked = ({ outcome, isFlake }: RecordedRunEnd): boolean =>
    outcome === 'failed' && isFlake
  const either = runs.filter((run) => hasFlaked(run) || run.outcome === 'passed')
  return rate(either, hasFlaked)
}

function rate<Each>(all: readonly Each[], is: (each: Each) => boolean): number {
  return all.length === 0 ? 0 : all.filter(is).length / all.length
}

// Recorded commands as events of a scenario.

type Numbering = (submission: SubmissionName) => number

const cancels = {
  USER_REQUESTED: 'cancel',
  PR_PUSHED_TO: 'push',
  PR_CLOSED: 'close',
  PR_CONVERTED_TO_DRAFT: 'convertToDraft',
  PR_BASE_BRANCH_CHANGED: 'changeBase',
} as const

/** Null for commands that a scenario causes by itself. Leaves out the `overridden` settings. */
function eventOf(
  { command, about }: HistoryCommand,
  numberOf: Numbering,
  overridden: ReadonlySet<string>,
): ScenarioEvent | null {
  const at = toMinutes(command.at)
  if (command.type === 'updateQueue') {
    const set = commandSet(upgraded(command.set), overridden)
    return set ? { at, do: 'updateQueue', set } : null
  }
  if (command.type === 'attachHost') return { at, do: 'attachHost', codeHost: command.codeHost }
  if (command.type === 'reportPush') return { at, do: 'pushToBranch' }
  return about ? eventAbout(command, { at, number: numberOf(about) }) : null
}

type SubmissionRef = { readonly at: number; readonly number: number }

function eventAbout(command: Command, ref: SubmissionRef): ScenarioEvent | null {
  if (command.type === 'submitPullRequest') {
    const { priority, noBatch } = command
    return {
      ...ref,
      do: 'submit',
      ...(priority === undefined ? {} : { priority }),
      ...(noBatch === undefined ? {} : { noBatch }),
    }
  }
  if (command.type === 'cancelPullRequest') return { ...ref, do: cancels[command.reason] }
  if (command.type === 'restartTests') return { ...ref, do: 'restart' }
  if (command.type === 'reportManualMerge') return { ...ref, do: 'manualMerge' }
  if (command.type === 'setImpactedTargets') {
    return { ...ref, do: 'setImpactedTargets', targets: command.targets }
  }
  if (command.type === 'reportPullRequest' && command.mergeable !== undefined) {
    return { ...ref, do: 'setMergeable', mergeable: command.mergeable }
  }
  return null
}

// Recorded changes of settings, without the settings that the user tries: these must stay in force.

/** The names of the queue settings in these `path=value` texts. */
function overriddenBy(settings: readonly string[]): ReadonlySet<string> {
  return new Set(settings.flatMap((setting) => /^queue\.(\w+)/.exec(setting)?.[1] ?? []))
}

/** The change without the overridden settings; null if nothing is left. */
function commandSet(
  set: UpdateQueue['set'],
  overridden: ReadonlySet<string>,
): UpdateQueue['set'] | null {
  const left = Object.entries(set).filter(([name]) => !overridden.has(name))
  return left.length === 0 ? null : Object.fromEntries(left)
}
