/** The proven and the open members of each bisection in progress. */

import type { BisectionId, EventOf, PullRequestNumber, TestRun } from '../../engine/index.ts'
import type { Projection } from './projection.ts'
import { extend, withOnTop, type CompositionNode, type Content } from './composition.ts'
import type { Line } from './line.ts'
import { isMergingAsProven } from './line-group.ts'
import { touchedByCommit } from './predecessors.ts'
import { isSameList, shareTarget, union, type TargetSet } from './targets.ts'
import type { TargetBranch } from './target-branch.ts'

export type BisectionRecord = {
  readonly id: BisectionId
  /** The members it began with. */
  readonly members: readonly PullRequestNumber[]
  /** The run of the whole batch: its failure started the bisection. */
  readonly batchRun: TestRun | null
  /** The pinned tip. It moves only when a member of the bisection merges on it. */
  tip: number
  baseTip: CompositionNode
  /** What the queue called the branch when it was pinned there; null once the pinned tip has moved. */
  name: string | null
  /** The impacted targets of its batch, and those uploaded since. */
  touched: TargetSet
  /** The targets of the commits that have landed since it began, and are not its own. */
  readonly beside: TargetSet[]
  /**
   * A commit from outside the bisection that shares a target with it has landed: the branch has
   * moved away from the pinned tip.
   */
  isTipMoved: boolean
  /**
   * Members that are proven and back in the line, not merged yet. Every further run includes them.
   */
  handedOver: PullRequestNumber[]
  proven: PullRequestNumber[]
  open: PullRequestNumber[]
  /** The contents of its members, also of those that have merged meanwhile. */
  readonly contentsOf: (numbers: readonly PullRequestNumber[]) => Content[]
  /** Whether a member left the queue. That voids verdicts of runs that held it. */
  hasLostMember: boolean
  /** For each proven member: the submissions in the run that proved it. */
  readonly proofs: Map<PullRequestNumber, readonly number[]>
}

export type Bisections = Projection & {
  readonly all: ReadonlyMap<BisectionId, BisectionRecord>
  of(number: PullRequestNumber): BisectionRecord | undefined
}

/** Reads the line and the branch as they were before an event, so it is updated before them. */
export function bisections(line: Line, branch: TargetBranch): Bisections {
  const all = new Map<BisectionId, BisectionRecord>()
  const homes = new Map<PullRequestNumber, BisectionRecord>()

  const start = (event: EventOf<'bisectionStarted'>): void => {
    const { bisection: id, group, members, overtaken } = event
    const held = branch.contentsOf(members)
    const bisectionRecord: BisectionRecord = {
      id,
      members,
      contentsOf: (numbers) => numbers.map((number) => held[members.indexOf(number)] ?? Number.NaN),
      batchRun: overtaken ? null : (line.group(group)?.run ?? null),
      touched: line.group(group)?.touched ?? 'ALL',
      beside: [],
      isTipMoved: false,
      tip: branch.number,
      baseTip: branch.composition,
      name: branch.name,
      handedOver: [],
      proven: [],
      open: [...members],
      proofs: new Map(),
      hasLostMember: false,
    }
    all.set(id, bisectionRecord)
    for (const number of members) homes.set(number, bisectionRecord)
  }
  const upload = ({ number, targets }: EventOf<'impactedTargetsSet'>): void => {
    const bisectionRecord = homes.get(number)
    if (!bisectionRecord) return
    const touched = union(bisectionRecord.touched, targets === 'ALL' ? targets : new Set(targets))
    if (isSameList(touched, bisectionRecord.touched)) return
    bisectionRecord.touched = touched
    const { beside } = bisectionRecord
    bisectionRecord.isTipMoved ||= beside.some((landed) => shareTarget(landed, touched))
  }
  const prove = ({ bisection: id, members, run }: EventOf<'membersProven'>): void => {
    const bisectionRecord = all.get(id)
    if (!bisectionRecord) return
    bisectionRecord.open = bisectionRecord.open.filter((number) => !members.includes(number))
    bisectionRecord.proven.push(...members)
    for (const number of members) bisectionRecord.proofs.set(number, run.submissions)
  }
  const place = ({ members, cause, bisection: id }: EventOf<'groupPlaced'>): void => {
    for (const number of members) {
      const home = homes.get(number)
      // What depends on one that went back to the line follows it, while the bisection goes on (E-290).
      if (home && cause === 'survivors') depart(home, { number, to: 'PENDING', reason: null }, line)
      homes.delete(number)
    }
    const bisectionRecord = cause === 'proven' && id !== null ? all.get(id) : undefined
    if (!bisectionRecord) return
    bisectionRecord.proven = bisectionRecord.proven.filter((number) => !members.includes(number))
    bisectionRecord.handedOver.push(...members)
  }
  /**
   * Members that were handed over move the pinned tip when they merge, unless the branch has left
   * it.
   */
  const land = (number: PullRequestNumber | null): void => {
    const touched = touchedByCommit(line, number)
    for (const bisectionRecord of all.values()) {
      if (number === null || bisectionRecord.handedOver[0] !== number) {
        bisectionRecord.isTipMoved ||= shareTarget(touched, bisectionRecord.touched)
        bisectionRecord.beside.push(touched)
      } else if (!bisectionRecord.isTipMoved) {
        bisectionRecord.handedOver.shift()
        bisectionRecord.tip = branch.number + 1
        bisectionRecord.name = null
        bisectionRecord.baseTip = extend(
          bisectionRecord.baseTip,
          bisectionRecord.contentsOf([number]),
        )
      }
    }
  }
  const end = (id: BisectionId): void => {
    for (const number of all.get(id)?.members ?? []) {
      if (homes.get(number)?.id === id) homes.delete(number)
    }
    all.delete(id)
  }

  return {
    all,
    of: (number) => homes.get(number),
    on: {
      bisectionStarted: start,
      impactedTargetsSet: upload,
      membersProven: prove,
      groupPlaced: place,
      bisectionEnded: ({ bisection }) => end(bisection),
      pullRequestEnded(event) {
        homes.delete(event.number)
        for (const bisectionRecord of all.values()) depart(bisectionRecord, event, line)
      },
      tipMoved: ({ number }) => land(number),
    },
  }
}

/** What every further run of the bisection includes: the pinned tip and all proven members. */
export function provenState({
  baseTip,
  handedOver,
  proven,
  contentsOf,
}: BisectionRecord): CompositionNode {
  return extend(baseTip, contentsOf([...handedOver, ...proven]))
}

/**
 * Whether a run of this composition can still change what is known: it tests the first of the open
 * members on top of what is proven. One that holds a convicted member cannot. Rule: E-85.
 */
export function testsAPrefix(bisection: BisectionRecord, tested: CompositionNode): boolean {
  let composition = provenState(bisection)
  for (const content of bisection.contentsOf(bisection.open)) {
    composition = withOnTop(composition, content)
    if (composition === tested) return true
  }
  return false
}

/**
 * Removes a member that has left the queue, or follows one back to the line. A convicted member was open. A
 * member that leaves for another reason voids each proof that held it: those of members proven after it or by
 * the same run. A member that the queue merges stays proven, and further runs include it.
 */
function depart(
  bisectionRecord: BisectionRecord,
  { number, to, reason }: Pick<EventOf<'pullRequestMoved'>, 'number' | 'to' | 'reason'>,
  line: Line,
): void {
  if (to === 'MERGED' && reason !== 'MANUAL_MERGE') return
  const { id, handedOver, proven, proofs } = bisectionRecord
  if (handedOver.includes(number)) {
    const [content = Number.NaN] = bisectionRecord.contentsOf([number])
    // The rest of a group that lands as one is tested again if the code host refuses one of it.
    const refused = to === 'FAILED' ? line.groupOf(number) : undefined
    const isStanding = (member: PullRequestNumber): boolean => {
      const group = line.groupOf(member)
      const isProvenStill = isMergingAsProven(group, id) && group !== refused
      return isProvenStill && proofs.get(member)?.includes(content) !== true
    }
    handedOver.splice(handedOver.findIndex((member) => member === number || !isStanding(member)))
    bisectionRecord.open.unshift(...proven.splice(0))
  } else if (proven.includes(number)) {
    const [content = Number.NaN] = bisectionRecord.contentsOf([number])
    const from = proven.findIndex((member) => proofs.get(member)?.includes(content))
    bisectionRecord.open.unshift(...proven.splice(from).filter((member) => member !== number))
  } else if (bisectionRecord.open.includes(number)) {
    bisectionRecord.open = bisectionRecord.open.filter((member) => member !== number)
    if (to === 'FAILED') return
  } else return
  bisectionRecord.hasLostMember = true
}
