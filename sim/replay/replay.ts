/** Replays a recording with the engine. */

import { isDeepStrictEqual } from 'node:util'
import {
  type Command,
  Engine,
  type Event,
  type Millis,
  type Queue,
  type QueueView,
  type TestRunId,
} from '../../engine/index.ts'
import { linesOf } from '../observe/trace.ts'
import type { Recording } from './recording.ts'

export type ReplayedCommand = {
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
export function* replayCommands(
  { begin, entries }: Recording,
  shift: Millis = 0,
): Generator<ReplayedCommand> {
  const engine = new Engine(shiftedQueue(begin.queue, shift), ports)
  for (const { sequence, at, command: body, by } of entries) {
    const command: Command = { ...body, at: at - shift }
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
  /** Failed runs that the recording contradicts later. */
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
  const flakes = new Set<TestRunId>()
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
    for (const event of events) if (event.type === 'verdictContradicted') flakes.add(event.testRun)
    compare(queue)
  }
  return { commands, snapshots, fault, flakes }
}

/** The snapshot was read from JSON, so the replayed state is converted by JSON as well. */
function isSame(queue: QueueView, kept: Queue | null): boolean {
  const replayed: unknown = JSON.parse(JSON.stringify(queue))
  return isDeepStrictEqual(replayed, kept)
}

// Shifts a recorded state in time: recorded times count from 1970, simulated times from the start.

/** The fields of a queue's state that hold an instant, at any depth. */
const instants = new Set([
  'now',
  'wakeAt',
  'nextDeadline',
  'stateChangedAt',
  'submittedAt',
  'pendingSince',
  'startedAt',
  'deadline',
  'notBefore',
  'heldUntil',
])

/** Returns a copy of the state with every instant earlier by `by` milliseconds. */
export function shiftedQueue(queue: Queue, by: Millis): Queue {
  const shifted: Queue = JSON.parse(
    JSON.stringify(queue, (key, value: unknown) =>
      instants.has(key) && typeof value === 'number' ? value - by : value,
    ),
  )
  // The keys of this list are instants as well.
  const { arrivals } = shifted.order
  arrivals.keys = arrivals.keys.map((instant) => instant - by)
  return shifted
}
