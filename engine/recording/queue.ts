/** A queue as a recording makes it, and as a snapshot keeps it. */

import { phasesOf } from '../evolve/phases.ts'
import { newQueue } from '../model/queue.ts'
import type { Millis, Queue } from '../model/state.ts'
import type { CreateQueue, EngineCommand, RecordedCommand } from './commands.ts'
import type { PullRequestLine, TargetsLine, WrittenQueue } from './format.ts'

/** The empty queue that this command makes at this instant. */
export function createdQueue({ set, codeHost }: CreateQueue, at: Millis): Queue {
  const { state = 'RUNNING', ...configuration } = set
  return newQueue({ at, configuration, state, codeHost: codeHost ?? 'merges at once' })
}

/** What the line of a queue says of it, without what has lines of its own. */
export function writtenQueue({ phases: _phases, ...queue }: Queue): WrittenQueue {
  return { ...queue, pullRequests: {}, impactedTargets: {} }
}

/** The queue that was written. */
export function readQueue(written: WrittenQueue): Queue {
  return { ...written, phases: phasesOf(written) }
}

/** Puts what a line says back into its queue. */
export function readInto(queue: Queue, line: PullRequestLine | TargetsLine): void {
  if ('impactedTargets' in line) queue.impactedTargets[line.impactedTargets] = line.targets
  else if (line.engine) queue.pullRequests[line.pullRequest] = line.engine
}

/** Commands about queues as a whole, and about what is no queue's. */
const others: ReadonlySet<RecordedCommand['type']> = new Set([
  'createQueue',
  'deleteQueue',
  'recordTestCases',
  'linkTicket',
])

/** Whether it is the engine of its queue that is told. */
export function isForEngine(command: RecordedCommand): command is EngineCommand {
  return !others.has(command.type)
}
