/** What each bisection under way has proven and has open, as the events tell it. */

import type { BisectionId, EventOf, PullRequestNumber, TestRun } from '../../../engine/index.ts'
import type { Book } from './book.ts'
import { extend, type Composition, type Content } from './composition.ts'
import type { Line } from './line.ts'
import { shareTarget, type Touched } from './targets.ts'
import type { TargetBranch } from './target-branch.ts'

export type Bisected = {
  readonly id: BisectionId
  /** The members it began with. */
  readonly members: readonly PullRequestNumber[]
  /** The batch's own run, whose failure began it. */
  readonly batchRun: TestRun | null
  /** The pinned tip; moves only when one of its own members merges on it. */
  tip: number
  floor: Composition
  /** What its batch touched. */
  readonly touched: Touched
  /** Something of others that shares a target has landed since: it is not the tip any more. */
  isTipMoved: boolean
  /** Proven, handed to the line and not merged yet: still below every further run. */
  handedOver: PullRequestNumber[]
  proven: PullRequestNumber[]
  open: PullRequestNumber[]
  /** What its members stand for, those that merged meanwhile included. */
  readonly contentsOf: (numbers: readonly PullRequestNumber[]) => Content[]
  /** Whether a member left by itself, so that verdicts are void. */
  hasLostMember: boolean
  /** What the run that proved a member held. */
  readonly proofs: Map<PullRequestNumber, readonly number[]>
}

export type Bisections = Book & {
  readonly all: ReadonlyMap<BisectionId, Bisected>
  of(number: PullRequestNumber): Bisected | undefined
}

/** Reads the line and the branch as they were before an event: they must see it after this book. */
export function bisections(line: Line, branch: TargetBranch): Bisections {
  const all = new Map<BisectionId, Bisected>()
  const homes = new Map<PullRequestNumber, Bisected>()

  const start = ({ bisection: id, group, members }: EventOf<'bisectionStarted'>): void => {
    const held = branch.contentsOf(members)
    const bisected: Bisected = {
      id,
      members,
      contentsOf: (numbers) => numbers.map((number) => held[members.indexOf(number)] ?? Number.NaN),
      batchRun: line.group(group)?.run ?? null,
      touched: line.group(group)?.touched ?? 'ALL',
      isTipMoved: false,
      tip: branch.number,
      floor: branch.composition,
      handedOver: [],
      proven: [],
      open: [...members],
      proofs: new Map(),
      hasLostMember: false,
    }
    all.set(id, bisected)
    for (const number of members) homes.set(number, bisected)
  }
  const prove = ({ bisection: id, members, run }: EventOf<'membersProven'>): void => {
    const bisected = all.get(id)
    if (!bisected) return
    bisected.open = bisected.open.filter((number) => !members.includes(number))
    bisected.proven.push(...members)
    for (const number of members) bisected.proofs.set(number, run.submissions)
  }
  const place = ({ members, cause, bisection: id }: EventOf<'groupPlaced'>): void => {
    for (const number of members) homes.delete(number)
    const bisected = cause === 'proven' && id !== null ? all.get(id) : undefined
    if (!bisected) return
    bisected.proven = bisected.proven.filter((number) => !members.includes(number))
    bisected.handedOver.push(...members)
  }
  /** Members of it that are handed over merge onto the pinned tip, as long as that is the tip. */
  const land = (number: PullRequestNumber | null): void => {
    const touched = number === null ? 'ALL' : (line.groupOf(number)?.touched ?? 'ALL')
    for (const bisected of all.values()) {
      if (number === null || bisected.handedOver[0] !== number) {
        bisected.isTipMoved ||= shareTarget(touched, bisected.touched)
      } else if (!bisected.isTipMoved) {
        bisected.handedOver.shift()
        bisected.tip = branch.number + 1
        bisected.floor = extend(bisected.floor, bisected.contentsOf([number]))
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
      membersProven: prove,
      groupPlaced: place,
      bisectionEnded: ({ bisection }) => end(bisection),
      pullRequestEnded(event) {
        homes.delete(event.number)
        for (const bisected of all.values()) depart(bisected, event)
      },
      tipMoved: ({ number }) => land(number),
    },
  }
}

/** What every further run of the bisection is made on: the pinned tip and all that is proven. */
export function provenState({ floor, handedOver, proven, contentsOf }: Bisected): Composition {
  return extend(floor, contentsOf([...handedOver, ...proven]))
}

/**
 * One that is convicted was open. One that leaves by itself voids every proof that held it: what
 * was proven behind it, or by the same run. One that the queue merges stays what it was: proven,
 * and below.
 */
function depart(bisected: Bisected, { number, to, reason }: EventOf<'pullRequestMoved'>): void {
  if (to === 'MERGED' && reason !== 'MANUAL_MERGE') return
  const { handedOver, proven, proofs } = bisected
  if (handedOver.includes(number)) {
    handedOver.splice(handedOver.indexOf(number))
    bisected.open.unshift(...proven.splice(0))
  } else if (proven.includes(number)) {
    const [content = Number.NaN] = bisected.contentsOf([number])
    const from = proven.findIndex((member) => proofs.get(member)?.includes(content))
    bisected.open.unshift(...proven.splice(from).filter((member) => member !== number))
  } else if (bisected.open.includes(number)) {
    bisected.open = bisected.open.filter((member) => member !== number)
    if (to === 'FAILED') return
  } else return
  bisected.hasLostMember = true
}
