/** Queues in a recording: creation, serialization and reading. */

import { phasesOf } from '../evolve/phases.ts'
import { configurationWith, upgraded } from '../model/configuration.ts'
import { markOf } from '../model/composition.ts'
import { newQueue } from '../model/queue.ts'
import type { Group, GroupId, GroupPhase, Millis, Queue } from '../model/state.ts'
import type { CreateQueue, EngineCommand, RecordedCommand } from './commands.ts'
import type { PullRequestLine, TargetsLine, SerializedQueue } from './format.ts'

/** Returns the empty queue that this command creates at this instant. */
export function createdQueue({ set, codeHost }: CreateQueue, at: Millis): Queue {
  const { state = 'RUNNING', ...configuration } = upgraded(set)
  return newQueue({ at, configuration, state, codeHost: codeHost ?? 'merges at once' })
}

/** Returns the queue for its line of a snapshot, without the content that has separate lines. */
export function serializedQueue({
  phases: _phases,
  verdictMarks: _marks,
  ...queue
}: Queue): SerializedQueue {
  return { ...queue, pullRequests: {}, impactedTargets: {} }
}

/** Returns the queue that was written. */
export function readQueue(written: SerializedQueue): Queue {
  return {
    ...written,
    configuration: configurationWith(upgraded(written.configuration)),
    groups: readGroups(written.groups),
    phases: phasesOf(written),
    verdictMarks: written.verdicts.map(({ composition }) => markOf(composition)),
  }
}

type FailedPhase = Extract<GroupPhase, { kind: 'failed' }>
/**
 * Up to version 1.0.0 a failed group listed the runs that it waited for (`noted`), and its hold had
 * no end.
 */
type OldFailedPhase = Omit<FailedPhase, 'heldUntil'> & { readonly heldUntil?: Millis | null }
type WrittenGroup = Omit<Group, 'phase'> & { phase: GroupPhase | OldFailedPhase }

/**
 * Reads also an old hold: the list of runs follows from the line, so it is dropped, and the hold
 * begins anew at the next command.
 */
function readGroups(written: Readonly<Record<GroupId, WrittenGroup>>): Queue['groups'] {
  const groups: Queue['groups'] = {}
  for (const group of Object.values(written)) {
    groups[group.id] = { ...group, phase: readPhase(group.phase) }
  }
  return groups
}

function readPhase(phase: WrittenGroup['phase']): GroupPhase {
  if (phase.kind !== 'failed') return phase
  const { kind, run, reason, failedTests, heldUntil = null, aside } = phase
  return { kind, run, reason, failedTests, heldUntil, ...(aside ? { aside } : {}) }
}

/** Adds the content of a line to its queue. */
export function readInto(queue: Queue, line: PullRequestLine | TargetsLine): void {
  if ('impactedTargets' in line) queue.impactedTargets[line.impactedTargets] = line.targets
  else if (line.engine) queue.pullRequests[line.pullRequest] = line.engine
}

/** Commands that create or delete a queue, or that no engine handles. */
const others: ReadonlySet<RecordedCommand['type']> = new Set([
  'createQueue',
  'deleteQueue',
  'recordTestCases',
  'reportTip',
  'linkTicket',
])

/** True if the engine of the queue handles the command. */
export function isForEngine(command: RecordedCommand): command is EngineCommand {
  return !others.has(command.type)
}
