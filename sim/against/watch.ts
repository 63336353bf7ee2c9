/** A recording as a run of the simulator: watched by the properties, measured, and listed. */

import { Audience } from '../audience.ts'
import { properties } from '../properties/index.ts'
import type { Property } from '../properties/property.ts'
import { ResultBook, type RunResult } from '../run-scenario.ts'
import type { RunContext, SimulateOptions } from '../run-context.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { KnownTruth } from '../world/known-truth.ts'
import type { Recording } from './recording.ts'
import { tellAgain, type Exactness } from './replay.ts'

/** A recording has no draws. */
const noSeed = 0
const longestName = 80

export type WatchedRecording = {
  /** Its name, and the settings that the queue began with. */
  readonly scenario: Scenario
  readonly result: RunResult
  /** What the properties found wrong. */
  readonly violations: number
}

/** What a run of it is called: the end of a queue's name tells more than its beginning. */
export function scenarioNameOf({ name }: Recording): string {
  return name.slice(-longestName)
}

/** The settings that a queue had; on its way from one mode to another it is as good as running. */
export function settingsAt({ queue }: Recording['begin']): NonNullable<Scenario['queue']> {
  const { configuration, state } = queue
  return { ...configuration, ...(state === 'SWITCHING_MODES' ? {} : { state }) }
}

/**
 * Which properties can be watched. Those that need the truth about pull requests, which nobody
 * recorded, find nothing to check by themselves; and none can follow what begins in the middle.
 */
function watchable({ begin }: Recording): readonly Property[] {
  return begin.isWhole ? properties : []
}

type Listeners = Required<Pick<SimulateOptions, 'readers' | 'onViolation'>>

/** Tells it again, in minutes from its beginning, to everybody who listens. */
export function watchRecording(
  recording: Recording,
  { flakes }: Exactness,
  { readers, onViolation }: Listeners,
): WatchedRecording {
  const { configuration } = recording.begin.queue
  const scenario: Scenario = { name: scenarioNameOf(recording), queue: settingsAt(recording.begin) }
  const truth = new KnownTruth()
  const main = truth.emptyBranch()
  const context: RunContext = {
    scenario,
    seed: noSeed,
    truth,
    main,
    knowsTruth: false,
    // Whether they are, nobody knows.
    hasHonestTests: false,
    configuration,
    isFlake: (testRun) => flakes.has(testRun),
  }
  const book = new ResultBook(scenario)
  const audience = new Audience(context, {
    properties: watchable(recording),
    readers: [book.reader, ...readers],
    onViolation,
  })
  let [commands, sequence, endedAt] = [0, 0, 0]
  for (const { command, events, queue } of tellAgain(recording, recording.begin.at)) {
    if (!events) break
    if (command.type === 'reportPullRequest') truth.learn(command)
    for (const event of events) {
      if (event.type !== 'tipMoved') continue
      if (event.number === null) main.addForeign()
      else main.add(event.number)
    }
    audience.hear({ sequence, command, events, queue })
    commands++
    sequence += events.length
    endedAt = command.at
  }
  const results = audience.properties
  const result = book.resultOf({
    seed: noSeed,
    traceHash: audience.traceHash(),
    endedAt,
    stormEndedAt: endedAt,
    commands,
    events: sequence,
    properties: results,
    breach: null,
  })
  return {
    scenario,
    result,
    violations: results.reduce((sum, each) => sum + each.violations.length, 0),
  }
}
