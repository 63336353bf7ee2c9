/**
 * Who is below whom: the groups in the line, and which of them a run includes.
 *
 * Written for the graph of parallel mode; the line of single mode is the case in which any two
 * groups share a target. Source: spec "Terms", "Order and starting" (predictive testing).
 */

import type {
  BisectionId,
  GroupId,
  GroupPhase,
  GroupView,
  PullRequestNumber,
  QueueView,
  TestRun,
} from '../model/state.ts'

/** The groups of the line, in order. */
export function groupsInLine(queue: QueueView): GroupView[] {
  return groupsOf(queue, queue.line)
}

/** Those of the line that are in this phase, in order. */
export function groupsInPhase(queue: QueueView, kind: GroupPhase['kind']): GroupView[] {
  return groupsOf(queue, queue.phases[kind])
}

function groupsOf(queue: QueueView, ids: readonly GroupId[]): GroupView[] {
  const groups: GroupView[] = []
  for (const id of ids) {
    const group = queue.groups[id]
    if (group) groups.push(group)
  }
  return groups
}

/**
 * The first group of the line that is in this phase and of which `is` holds. Asked at every step,
 * so it makes no list; most often nobody is in the phase.
 */
export function findInPhase(
  queue: QueueView,
  kind: GroupPhase['kind'],
  is: (queue: QueueView, group: GroupView) => boolean,
): GroupView | undefined {
  for (const id of queue.phases[kind]) {
    const group = queue.groups[id]
    if (group && is(queue, group)) return group
  }
  return undefined
}

/** The first group of the line of which `is` holds. Runs at every step, so it makes no list. */
export function findInLine(
  queue: QueueView,
  is: (group: GroupView) => boolean,
): GroupView | undefined {
  for (const id of queue.line) {
    const group = queue.groups[id]
    if (group && is(group)) return group
  }
  return undefined
}

/**
 * The predecessors of a group: every unmerged group ahead of it that it depends on, transitively,
 * in the order of the line. One that conflicts as text with a group ahead of it is left out until
 * its fate is known.
 */
export function predecessors(queue: QueueView, group: GroupView): GroupView[] {
  return queue.configuration.mode === 'single'
    ? everybodyAhead(queue, group)
    : closure(queue, group)
}

/** The pull requests of all predecessors, in the order of the line: what a run has below. */
export function membersBelow(queue: QueueView, group: GroupView): PullRequestNumber[] {
  const numbers: PullRequestNumber[] = []
  for (const { members } of predecessors(queue, group)) {
    for (const number of members) numbers.push(number)
  }
  return numbers
}

/** In single mode any two groups share a target. */
function everybodyAhead(queue: QueueView, group: GroupView): GroupView[] {
  const found: GroupView[] = []
  for (const id of queue.line) {
    if (id === group.id) break
    const ahead = queue.groups[id]
    if (ahead && ahead.phase.kind !== 'conflicted') found.push(ahead)
  }
  return found
}

function closure(queue: QueueView, group: GroupView): GroupView[] {
  const found = new Map<GroupId, GroupView>()
  const open: GroupView[] = [group]
  for (let next = open.pop(); next; next = open.pop()) {
    for (const ahead of directPredecessors(queue, next)) {
      if (found.has(ahead.id)) continue
      found.set(ahead.id, ahead)
      open.push(ahead)
    }
  }
  return [...found.values()].sort((a, b) => a.place - b.place)
}

function* directPredecessors(queue: QueueView, group: GroupView): Generator<GroupView> {
  for (const id of group.dependsOn) {
    const ahead = queue.groups[id]
    if (ahead && ahead.phase.kind !== 'conflicted') yield ahead
  }
}

/** Whether anything unmerged is ahead of the group that it depends on. */
export function hasPredecessor(queue: QueueView, group: GroupView): boolean {
  if (queue.configuration.mode === 'parallel') {
    return directPredecessors(queue, group).next().done === false
  }
  for (const id of queue.line) {
    if (id === group.id) return false
    if (queue.groups[id]?.phase.kind !== 'conflicted') return true
  }
  return false
}

/**
 * Whether it is the very next to merge in its lane, so that whoever is behind holds exactly what is
 * on the branch once it has. One that conflicts as text is left out of what is behind it.
 */
export function isNextToMerge(
  queue: QueueView,
  group: GroupView | undefined,
  number: PullRequestNumber,
): boolean {
  if (group?.members[0] !== number || group.phase.kind === 'conflicted') return false
  return !hasPredecessor(queue, group)
}

/** Whether a member has merged, or the code host is working on it: the group stays as it is. */
export function hasBegunToMerge({ phase }: GroupView): boolean {
  return phase.kind === 'passed' && (phase.begun || phase.merging !== null)
}

/** Whether the group shares a target with what the bisection is about. */
export function isBeside(queue: QueueView, group: GroupView, bisection: BisectionId): boolean {
  return queue.configuration.mode === 'single' || group.beside.includes(bisection)
}

/** The run whose verdict, or coming verdict, the group stands on; the one to repeat after an error. */
export function runOf(group: GroupView): TestRun | null {
  const { phase } = group
  if (phase.kind === 'waiting') return phase.retry?.of ?? null
  return phase.kind === 'conflicted' ? null : phase.run
}

/** Whether the pull request, as submitted now, is part of what the run tests. */
export function holds(queue: QueueView, run: TestRun, number: PullRequestNumber): boolean {
  const submission = queue.pullRequests[number]?.submission
  return submission !== undefined && run.submissions.includes(submission)
}
