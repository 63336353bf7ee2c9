/**
 * Lookups of what an event refers to. They throw if it is missing, because that is an engine bug.
 */

import type {
  Bisection,
  Group,
  PullRequest,
  Queue,
  TestRun,
  GroupPhase,
  Phases,
} from '../model/state.ts'
import type { EventOf, EventType } from '../protocol/events.ts'
import { firstIndex } from '../model/first-index.ts'
import { noPhases } from '../model/group.ts'

export function pullRequestOf(queue: Queue, number: number): PullRequest {
  return found(queue.pullRequests[number], `pull request ${number}`)
}

export function groupOf(queue: Queue, id: number): Group {
  return found(queue.groups[id], `group ${id}`)
}

export function bisectionOf(queue: Queue, id: number): Bisection {
  return found(
    queue.bisections.find((bisection) => bisection.id === id),
    `bisection ${id}`,
  )
}

export function testRunOf(queue: Queue, id: number): TestRun {
  return found(queue.testRuns[id], `test run ${id} in progress`)
}

/** Notes that something is due at `instant`, unless it is due now: then the rules do it now. */
export function expect(queue: Queue, instant: number): void {
  if (instant > queue.now) queue.nextDeadline = earlier(queue.nextDeadline, instant)
}

/** The earlier of two instants; null means never. */
export function earlier(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b
  return Math.min(a, b)
}

function found<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`no ${name}`)
  return value
}

/** Sets an entry by a name that people choose. An assignment would set none for the name `__proto__`. */
export function put<Value>(record: Record<string, Value>, name: string, value: Value): void {
  Object.defineProperty(record, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  })
}

/** The functions that apply events of the given types to the state. */
export type Evolution<Types extends EventType> = {
  readonly [Type in Types]: (queue: Queue, event: EventOf<Type>) => void
}

// Keeps the groups of the line by phase, in line order, so that a rule reads only the groups in the
// phases it handles.

/** Changes the phase of a group in the line. All changes of a phase go through this function. */
export function enterPhase(queue: Queue, group: Group, phase: GroupPhase): void {
  const isAnother = phase.kind !== group.phase.kind
  if (isAnother) leavePhase(queue, group)
  group.phase = phase
  if (isAnother) joinPhase(queue, group)
}

/** Adds a group, which has its place in the line, to the list of its phase. */
export function joinPhase({ phases, groups }: Queue, { id, place, phase }: Group): void {
  const ids = phases[phase.kind]
  const isBehind = (index: number): boolean => (groups[ids[index] ?? 0]?.place ?? place) >= place
  ids.splice(firstIndex(0, ids.length, isBehind), 0, id)
}

/** Removes a group from the list of its phase. */
export function leavePhase({ phases }: Queue, { id, phase }: Group): void {
  const ids = phases[phase.kind]
  ids.splice(ids.indexOf(id), 1)
}

/** Computes the lists from the groups, because a snapshot does not contain them. */
export function phasesOf({ line, groups }: Pick<Queue, 'line' | 'groups'>): Phases {
  const phases = noPhases()
  for (const id of line) {
    const group = groups[id]
    if (group) phases[group.phase.kind].push(id)
  }
  return phases
}

type Passed = Extract<GroupPhase, { kind: 'passed' }>

/** The code host is not merging any member any more. */
export function notMerging({ together: _together, pushedTo: _pushedTo, ...phase }: Passed): Passed {
  return { ...phase, merging: null }
}
