/**
 * Replays a recording like a run of the simulator: properties watch it and its result is measured
 * (S-51).
 */

import { Observers } from '../run/observers.ts'
import { judgesOf } from '../judge/judges.ts'
import type { Property } from '../observe/property.ts'
import { ResultCollector, type RunResult } from '../judge/run-scenario.ts'
import type { RunContext, SimulateOptions } from '../observe/run-context.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { KnownTruth } from '../world/known-truth.ts'
import type { Recording } from './recording.ts'
import { replayCommands, shiftedQueue, type Exactness } from './replay.ts'

/** A recording has no draws, so its result has no seed. */
const noSeed = 0
const longestName = 80

export type WatchedRecording = {
  /** A scenario with the name of the recording and the first settings of its queue. */
  readonly scenario: Scenario
  readonly result: RunResult
  /** The number of violations of all properties. */
  readonly violations: number
}

/**
 * The name of its scenario, cut at the front because the end of a queue's name is more specific.
 */
export function scenarioNameOf({ name }: Recording): string {
  return name.slice(-longestName)
}

/**
 * The settings and the state of the queue at the start. A queue that switches modes counts as
 * RUNNING.
 */
export function settingsAt({ queue }: Recording['begin']): NonNullable<Scenario['queue']> {
  const { configuration, state } = queue
  return { ...configuration, ...(state === 'SWITCHING_MODES' ? {} : { state }) }
}

/**
 * The properties that can watch the recording. Properties that need the truth about pull requests
 * make no checks, because a recording does not contain it. No property can watch a recording that
 * starts in the middle.
 */
function watchable({ begin, entries }: Recording): readonly Property[] {
  const submitted = entries.filter(({ command }) => command.type === 'submitPullRequest')
  return begin.isWhole ? judgesOf(submitted.length, modelUpTo) : []
}

/** A longer recording is replayed without the model, which would take minutes. */
const modelUpTo = 2000

type RunObservers = Required<Pick<SimulateOptions, 'observers' | 'onViolation'>>

/**
 * Replays the recording, with times from its start, and passes each step to properties and
 * observers.
 */
export function watchRecording(
  recording: Recording,
  { flakes }: Exactness,
  { observers, onViolation }: RunObservers,
): WatchedRecording {
  const scenario: Scenario = { name: scenarioNameOf(recording), queue: settingsAt(recording.begin) }
  const truth = new KnownTruth()
  const main = truth.emptyBranch()
  const context: RunContext = {
    countsEachSubmission: true,
    scenario,
    seed: noSeed,
    truth,
    main,
    knowsTruth: false,
    beginning: () => shiftedQueue(recording.begin.queue, recording.begin.at),
    isFlake: (testRun) => flakes.has(testRun),
  }
  const collector = new ResultCollector(scenario)
  const recordingRun = new Observers(context, {
    properties: watchable(recording),
    observers: [collector.observer, ...observers],
    onViolation,
  })
  let [commands, sequence, endedAt] = [0, 0, 0]
  for (const { command, by, events, queue } of replayCommands(recording, recording.begin.at)) {
    if (!events) break
    if (command.type === 'reportPullRequest') truth.learn(command)
    for (const event of events) {
      if (event.type !== 'tipMoved') continue
      if (event.number === null) main.addForeign()
      else main.add(event.number)
    }
    recordingRun.onStep({ sequence, command, events, queue, ...(by === null ? {} : { by }) })
    commands++
    sequence += events.length
    endedAt = command.at
  }
  const { results, judged } = recordingRun.properties
  const result = collector.resultOf({
    seed: noSeed,
    traceHash: recordingRun.traceHash(),
    endedAt,
    faultPhaseEndedAt: endedAt,
    commands,
    events: sequence,
    properties: results,
    judged,
    breach: null,
  })
  return {
    scenario,
    result,
    violations: results.reduce((sum, each) => sum + each.violations.length, 0),
  }
}
