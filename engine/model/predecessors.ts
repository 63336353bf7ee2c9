/**
 * The groups in the line, and which of them a run includes.
 *
 * In parallel mode the groups form a graph by shared targets. Single mode is the case in which any
 * two groups share a target. Rules: E-11, E-12, E-92.
 */

import type {
  BisectionId,
  GroupId,
  GroupPhase,
  GroupView,
  PullRequestNumber,
  QueueView,
  TestRun,
} from './state.ts'

/** Returns the groups of the line, in order. */
export function groupsInLine(queue: QueueView): GroupView[] {
  return groupsOf(queue, queue.line)
}

/** True if no group is in the line and no bisection, whose survivors return to it, is in progress. */
export function isLineEmpty({ line, bisections }: QueueView): boolean {
  return line.length === 0 && bisections.length === 0
}

/** Returns the groups of the line in this phase, in order. */
export function groupsInPhase(
  queue: Pick<QueueView, 'groups' | 'phases'>,
  kind: GroupPhase['kind'],
): GroupView[] {
  return groupsOf(queue, queue.phases[kind])
}

function groupsOf(queue: Pick<QueueView, 'groups'>, ids: readonly GroupId[]): GroupView[] {
  const groups: GroupView[] = []
  for (const id of ids) {
    const group = queue.groups[id]
    if (group) groups.push(group)
  }
  return groups
}

/**
 * Returns the first group of the line in this phase for which `is` returns true. It runs at every
 * step, so it builds no list.
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

/** Returns the first group of the line for which `is` returns true. Builds no list, as above. */
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

/** The group of the line in which the pull request is. */
export function groupWith(queue: QueueView, number: PullRequestNumber): GroupView | undefined {
  const home = queue.pullRequests[number]?.home
  return home?.in === 'group' ? queue.groups[home.group] : undefined
}

/** True if the pull request is in a predecessor of this group. */
export function isInPredecessor(
  queue: QueueView,
  number: PullRequestNumber,
  group: GroupView,
): boolean {
  const home = groupWith(queue, number)
  return home !== undefined && isPredecessor(queue, home, group)
}

/**
 * True if the compositions behind the group leave it out: it waits because of a text conflict, or it
 * failed and stepped aside (E-67, E-187).
 */
export function isLeftOut({ phase }: GroupView): boolean {
  return phase.kind === 'conflicted' || (phase.kind === 'failed' && phase.aside === true)
}

/**
 * Returns the predecessors of a group in the order of the line: every unmerged group ahead that it
 * depends on, transitively. Groups that are left out of the compositions behind them are none.
 */
export function predecessors(queue: QueueView, group: GroupView): GroupView[] {
  if (queue.configuration.mode === 'parallel') return closure(queue, group)
  const found: GroupView[] = []
  everyPredecessor(queue, group, (ahead) => {
    found.push(ahead)
    return true
  })
  return found
}

/** True if `is` holds for every predecessor, in the order of the line. It asks no more after the first that does not. */
export function everyPredecessor(
  queue: QueueView,
  group: GroupView,
  is: (ahead: GroupView) => boolean,
): boolean {
  if (queue.configuration.mode === 'parallel') return closure(queue, group).every(is)
  // In single mode any two groups share a target.
  for (const id of queue.line) {
    if (id === group.id) break
    const ahead = queue.groups[id]
    if (ahead && !isLeftOut(ahead) && !is(ahead)) return false
  }
  return true
}

/** True if `ahead` is a predecessor of the group. It is asked for every group of a line, so it builds no list in single mode. */
export function isPredecessor(queue: QueueView, ahead: GroupView, group: GroupView): boolean {
  if (ahead.place >= group.place || isLeftOut(ahead)) return false
  return queue.configuration.mode === 'single' || closure(queue, group).includes(ahead)
}

/** Returns the pull requests of all predecessors, in the order of the line: the base of a run. */
export function membersBelow(queue: QueueView, group: GroupView): PullRequestNumber[] {
  const numbers: PullRequestNumber[] = []
  for (const { members } of predecessors(queue, group)) {
    for (const number of members) numbers.push(number)
  }
  return numbers
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
    if (ahead && !isLeftOut(ahead)) yield ahead
  }
}

/** True if the group depends on an unmerged group ahead. */
export function hasPredecessor(queue: QueueView, group: GroupView): boolean {
  if (queue.configuration.mode === 'parallel') {
    return directPredecessors(queue, group).next().done === false
  }
  return !everyPredecessor(queue, group, () => false)
}

/**
 * True if the pull request is the next to merge in its lane: after its merge, the runs behind it
 * contain exactly what is on the branch. A group that the runs behind it leave out is not next.
 */
export function isNextToMerge(
  queue: QueueView,
  group: GroupView | undefined,
  number: PullRequestNumber,
): boolean {
  if (group?.members[0] !== number || isLeftOut(group)) return false
  return !hasPredecessor(queue, group)
}

/** True if a member has merged or the code host is merging one. Such a group cannot restart. */
export function hasBegunToMerge({ phase }: GroupView): boolean {
  return phase.kind === 'passed' && (phase.begun || phase.merging !== null)
}

/** True if the group shares a target with the bisection. In single mode every group does. */
export function sharesTargetWith(
  queue: Pick<QueueView, 'configuration'>,
  group: GroupView,
  bisection: BisectionId,
): boolean {
  return queue.configuration.mode === 'single' || group.beside.includes(bisection)
}

/**
 * The run that the phase of the group depends on, also a lost run to be repeated; null for none.
 */
export function runOf(group: GroupView): TestRun | null {
  const { phase } = group
  if (phase.kind === 'waiting') return phase.retry?.of ?? null
  return phase.kind === 'conflicted' ? null : phase.run
}

/** True if the run contains the group. It contains all members that the group still has, or none. */
export function holdsGroup(queue: QueueView, run: TestRun, { members }: GroupView): boolean {
  return members.some((number) => holds(queue, run, number))
}

/** True if the run contains the current submission of the pull request. */
export function holds(queue: QueueView, run: TestRun, number: PullRequestNumber): boolean {
  const submission = queue.pullRequests[number]?.submission
  return submission !== undefined && run.submissions.includes(submission)
}

// Which members of a group the code host is merging. Rules: E-46, E-47, E-219.

/**
 * The members that the code host has been asked to merge and has not answered for: the first one,
 * or all of them where a group lands as one push.
 */
export function beingMerged({ members, phase }: GroupView): readonly PullRequestNumber[] {
  if (phase.kind !== 'passed' || phase.merging === null) return []
  return phase.together ? members : [phase.merging]
}

/**
 * True if the branch was pushed to since the code host was asked to merge the group: every other group has
 * restarted already, and the host cannot merge what was tested.
 */
export function isPushedToWhileMerging({ phase }: GroupView): boolean {
  return phase.kind === 'passed' && phase.pushedTo === true
}

/** True if the code host decides about this member, so that nothing else changes it. */
export function isBeingMerged(group: GroupView | undefined, number: PullRequestNumber): boolean {
  return group !== undefined && beingMerged(group).includes(number)
}
