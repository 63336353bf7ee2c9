/** A recording, told to the engine again. */

import { isDeepStrictEqual } from 'node:util'
import {
  Engine,
  type Command,
  type Event,
  type Millis,
  type Queue,
  type QueueView,
  type TestRunId,
} from '../../engine/index.ts'
import { linesOf } from '../trace.ts'
import type { Recording } from './recording.ts'
import { shiftedQueue } from './shift.ts'

export type Told = {
  /** Of the entry in the log. */
  readonly sequence: number
  readonly command: Command
  /** Null where it was refused, which it was not when it was recorded. */
  readonly events: readonly Event[] | null
  readonly queue: QueueView
}

const ports = {
  clock: { wakeAt: (): void => undefined },
  testRunner: { start: (): void => undefined, cancel: (): void => undefined },
  codeHost: { merge: (): void => undefined },
}

/** Every command in order, `shift` earlier than it came, until one is refused. */
export function* tellAgain({ begin, entries }: Recording, shift: Millis = 0): Generator<Told> {
  const engine = new Engine(shiftedQueue(begin.queue, shift), ports)
  for (const { sequence, at, command: body } of entries) {
    const command: Command = { ...body, at: at - shift }
    const outcome = engine.dispatch(command)
    const events = outcome.accepted ? outcome.events : null
    yield { sequence, command, events, queue: engine.queue }
    if (!events) return
  }
}

export type Exactness = {
  readonly commands: number
  /** Snapshots of the server that were held against the replay and are the same. */
  readonly snapshots: number
  /** What was different, in a sentence; null where nothing was. */
  readonly fault: string | null
  /** Failures that were no failures, as the recording itself shows later on. */
  readonly flakes: ReadonlySet<TestRunId>
}

/**
 * Replays a recording as it happened: every command is accepted again, and the state is that of
 * every snapshot which the server made on the way. `onTrace` hears commands and events as lines.
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
  /** Holds the state against the snapshots that stand after the last command and before the next. */
  const compare = (queue: QueueView): void => {
    const following = entries[commands]?.sequence ?? Infinity
    for (let next = checkpoints[0]; next && next.sequence < following; next = checkpoints[0]) {
      checkpoints.shift()
      if (isSame(queue, next.queue())) snapshots++
      else fault ??= `After entry ${next.sequence} the state is not that of ${next.file}.`
    }
  }
  compare(recording.begin.queue)
  for (const { sequence, command, events, queue } of tellAgain(recording)) {
    if (!events) {
      fault ??= `Entry ${sequence}, ${command.type}, was accepted when it was recorded, and is refused now.`
      break
    }
    commands++
    onTrace(linesOf(command, events))
    for (const event of events) if (event.type === 'verdictContradicted') flakes.add(event.testRun)
    compare(queue)
  }
  return { commands, snapshots, fault, flakes }
}

/** A snapshot went through JSON, and so does what it is held against. */
function isSame(queue: QueueView, kept: Queue | null): boolean {
  const replayed: unknown = JSON.parse(JSON.stringify(queue))
  return isDeepStrictEqual(replayed, kept)
}
