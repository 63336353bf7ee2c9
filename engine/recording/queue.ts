/** Queues in a recording: creation, serialization and reading. */

import { phasesOf } from '../evolve/evolution.ts'
import { configurationWith, upgraded, type Configuration } from '../model/configuration.ts'
import { markOf } from '../model/ids.ts'
import { newQueue } from '../model/queue.ts'
import type { Bisection, Group, GroupId, GroupPhase, Millis, Queue } from '../model/state.ts'
import type { ImpactedTargets } from '../model/targets.ts'
import type { CreateQueue, EngineCommand, RecordedCommand } from './commands.ts'
import type { PullRequestLine, TargetsLine, SerializedQueue } from './format.ts'

/** Settings as they were meant: up to engine version 8 no policy tested the tip by itself. Rule: E-238. */
function meant<Set extends Partial<Configuration>>(written: Set): Set {
  return { tipTestMode: 'off', ...upgraded(written) }
}

/** Returns the empty queue that this command creates at this instant. */
export function createdQueue({ set, codeHost }: CreateQueue, at: Millis): Queue {
  const { state = 'RUNNING', ...configuration } = meant(set)
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
    configuration: configurationWith(meant(written.configuration)),
    groups: readGroups(written.groups),
    landed: written.landed ?? [],
    bisections: written.bisections.map(readBisection),
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
type LeftOutPhase = Extract<GroupPhase, { kind: 'conflicted' }>
/** Up to engine version 37 one that waits did not say for what. */
type OldLeftOutPhase = Omit<LeftOutPhase, 'asText'> & { readonly asText?: boolean }
type WrittenGroup = Omit<Group, 'phase'> & {
  readonly phase: Exclude<GroupPhase, FailedPhase | LeftOutPhase> | OldFailedPhase | OldLeftOutPhase
  /** Up to engine version 7: its targets with those uploaded since its last start. */
  readonly announced?: ImpactedTargets
}
type WrittenBisection = Omit<Bisection, 'began'> & { readonly began?: number }

/**
 * Reads also an old hold: the list of runs follows from the line, so it is dropped, and the hold
 * begins anew at the next command. The order of the keys stays as written: servers compare states
 * byte by byte.
 */
function readGroups(written: Readonly<Record<GroupId, WrittenGroup>>): Queue['groups'] {
  const groups: Queue['groups'] = {}
  for (const { announced, ...group } of Object.values(written)) {
    const { targets, phase } = group
    groups[group.id] = { ...group, targets: announced ?? targets, phase: readPhase(phase) }
  }
  return groups
}

/** Up to engine version 7 a bisection did not say when it began. */
function readBisection(written: WrittenBisection): Bisection {
  return { ...written, began: written.began ?? written.tip }
}

function readPhase(phase: WrittenGroup['phase']): GroupPhase {
  // As one that depends on the other it is looked at again at once.
  if (phase.kind === 'conflicted') return { ...phase, asText: phase.asText ?? false }
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
