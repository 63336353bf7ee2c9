/**
 * Replays a recording like a run of the simulator: properties watch it and its result is measured
 * (S-51).
 */

import { isDeepStrictEqual } from 'node:util'
import { Engine } from '../../engine/index.ts'
import type { Command, Event, Millis, Queue, QueueView, TestRunId } from '../../engine/index.ts'
import { linesOf, Observers } from '../observe/observers.ts'
import { judgesOf } from '../judge/verdict.ts'
import type { Property } from '../observe/property.ts'
import { ResultCollector, type RunResult } from '../judge/run-scenario.ts'
import type { RunContext, SimulateOptions } from '../observe/run-context.ts'
import { longestName, type Scenario } from '../scenario/scenario.ts'
import { copyOf, movedBy } from '../steps/fields.ts'
import { KnownTruth } from '../world/truth.ts'
import { RecordedFlakes } from './flakes.ts'
import type { Recording } from './recording.ts'

// Replays a recording with the engine.

type ReplayedCommand = {
  /** The sequence number of the entry in the log. */
  readonly sequence: number
  readonly command: Command
  /** The name of the token that sent it. */
  readonly by: string | null
  /** Null if the command is rejected now; it was accepted when it was recorded. */
  readonly events: readonly Event[] | null
  readonly queue: QueueView
}

const ports = {
  clock: { wakeAt: (): void => undefined },
  testRunner: { start: (): void => undefined, cancel: (): void => undefined },
  codeHost: { merge: (): void => undefined },
}

/** Replays every command in order, `shift` earlier than recorded, until one is rejected. */
function* replayCommands(
  { begin, entries }: Recording,
  shift: Millis = 0,
): Generator<ReplayedCommand> {
  const engine = new Engine(shiftedQueue(begin.queue, shift), ports)
  for (const { sequence, at, command: body, by } of entries) {
    const command: Command = copyOf({ ...body, at }, movedBy(-shift))
    const outcome = engine.dispatch(command)
    const events = outcome.accepted ? outcome.events : null
    yield { sequence, command, by, events, queue: engine.queue }
    if (!events) return
  }
}

export type Exactness = {
  readonly commands: number
  /** The number of snapshots of the server that equal the replayed state. */
  readonly snapshots: number
  /** The first difference, in a sentence; null if there is none. */
  readonly fault: string | null
  /** Runs that failed or timed out only because of a flake (S-400). */
  readonly flakes: ReadonlySet<TestRunId>
}

/**
 * Replays a recording and checks that it is exact: every command is accepted again, and the state
 * equals every snapshot that the server wrote. `onTrace` receives commands and events as trace
 * lines.
 */
export function replayExactly(
  recording: Recording,
  onTrace: (lines: string) => void = () => undefined,
): Exactness {
  const flakes = new RecordedFlakes(recording.begin.queue)
  const checkpoints = [...recording.checkpoints].sort((a, b) => a.sequence - b.sequence)
  let [commands, snapshots] = [0, 0]
  let fault: string | null = null
  const { entries } = recording
  /** Compares the state with the snapshots between the last command and the next one. */
  const compare = (queue: QueueView): void => {
    const following = entries[commands]?.sequence ?? Infinity
    for (let next = checkpoints[0]; next && next.sequence < following; next = checkpoints[0]) {
      checkpoints.shift()
      if (isSame(queue, next.queue())) snapshots++
      else fault ??= `After entry ${next.sequence} the state is not that of ${next.file}.`
    }
  }
  compare(recording.begin.queue)
  for (const { sequence, command, events, queue } of replayCommands(recording)) {
    if (!events) {
      fault ??= `Entry ${sequence}, ${command.type}, was accepted when it was recorded, but is rejected now.`
      break
    }
    commands++
    onTrace(linesOf(command, events))
    for (const event of events) flakes.read(event)
    compare(queue)
  }
  return { commands, snapshots, fault, flakes: flakes.found() }
}

/** The snapshot was read from JSON, so the replayed state is converted by JSON as well. */
function isSame(queue: QueueView, kept: Queue | null): boolean {
  return isDeepStrictEqual(copyOf(queue), kept)
}

// Recorded times count from 1970, simulated times from the start.

/** Returns a copy of the state with every instant earlier by `by` milliseconds. */
function shiftedQueue(queue: Queue, by: Millis): Queue {
  const shifted = copyOf(queue, movedBy(-by))
  // The keys of this list are instants as well.
  const { arrivals } = shifted.order
  arrivals.keys = arrivals.keys.map((instant) => instant - by)
  return shifted
}

/** A recording has no draws, so its result has no seed. */
const noSeed = 0

export type WatchedRecording = {
  /** A scenario with the name of the recording and the first settings of its queue. */
  readonly scenario: Scenario
  readonly result: RunResult
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
