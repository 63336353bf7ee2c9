/** A run as a film: what the moving picture needs, small enough to be sent between threads. */

import { firstIndex } from '../../../../engine/index.ts'
import type { Millis, PullRequestNumber, TerminalState } from '../../../../engine/index.ts'
import type { Phase } from '../../../../sim/report/recording/story.ts'
import type { RunStyle } from '../../../../sim/report/recording/runs.ts'

export type Film = {
  readonly endedAt: Millis
  /** In the order of their first submission. */
  readonly pullRequests: readonly FilmedPullRequest[]
  /** By start. */
  readonly runs: readonly FilmedRun[]
  /** How many were in the queue, after each change. */
  readonly depth: readonly DepthPoint[]
  /** The slots that were ever used. */
  readonly slots: Readonly<Record<SlotKind, number>>
  /** Pull requests beyond those that a film holds. */
  readonly leftOut: number
}

type SlotKind = 'main' | 'bisection'

type FilmedPullRequest = {
  readonly number: PullRequestNumber
  readonly dependsOn: readonly PullRequestNumber[]
  /** The phase from each instant on; null: not in the queue. */
  readonly phases: readonly { readonly at: Millis; readonly phase: Phase | null }[]
  /** How it ended, each time. */
  readonly ends: readonly { readonly at: Millis; readonly end: TerminalState }[]
}

export type FilmedRun = {
  readonly id: number
  readonly kind: SlotKind
  /** From 0. */
  readonly slot: number
  readonly tested: readonly PullRequestNumber[]
  /** How many unmerged pull requests it stands on. */
  readonly below: number
  readonly from: Millis
  readonly to: Millis
  readonly ending: RunStyle
}

export type DepthPoint = { readonly at: Millis; readonly count: number }

// One instant of a film: who is where.

export type Scene = {
  readonly at: Millis
  readonly slots: readonly SlotScene[]
  /** In the queue without a run of their own, by phase. */
  readonly resting: Readonly<Resting>
  /** What each waits for that depends on somebody in the queue. */
  readonly below: ReadonlyMap<PullRequestNumber, readonly PullRequestNumber[]>
  /** The last that left the queue, newest first. */
  readonly left: readonly Left[]
  readonly counts: Readonly<Record<TerminalState, number>>
  readonly inQueue: number
  readonly testing: number
}

/** Who is tested in no slot waits. */
export type RestingPhase = Exclude<Phase, 'testing'>
type Resting = Record<RestingPhase, PullRequestNumber[]>

export type SlotScene = {
  readonly kind: SlotKind
  readonly slot: number
  readonly run: FilmedRun | null
  /** The run has ended; its ending is shown for a moment. */
  readonly isOver: boolean
}

type Left = {
  readonly number: PullRequestNumber
  readonly at: Millis
  readonly end: TerminalState
}

/** A film with what is looked up at every instant. */
export type Reel = {
  readonly film: Film
  /** By instant. */
  readonly left: readonly Left[]
  /** The instants at which something changes, in order. */
  readonly instants: readonly Millis[]
}

/** How long a slot shows how its run ended. */
const shownEndMs: Millis = 4 * 60_000

/** How many of those that left are shown. */
const mostLeft = 24

export function reelOf(film: Film): Reel {
  const left = film.pullRequests
    .flatMap(({ number, ends }) => ends.map((each) => ({ number, ...each })))
    .sort((a, b) => a.at - b.at)
  const instants = new Set([
    0,
    film.endedAt,
    ...film.runs.flatMap(({ from, to }) => [from, to]),
    ...film.depth.map(({ at }) => at),
  ])
  return { film, left, instants: [...instants].sort((a, b) => a - b) }
}

export function sceneAt({ film, left }: Reel, at: Millis): Scene {
  const slots = slotsAt(film, at)
  const underTest = new Set(slots.flatMap(({ run, isOver }) => (run && !isOver ? run.tested : [])))
  const { resting, here } = phasesAt(film, at, underTest)
  const below = film.pullRequests.flatMap(({ number, dependsOn }) => {
    const found = here.has(number) ? dependsOn.filter((other) => here.has(other)) : []
    return found.length > 0 ? [[number, found] as const] : []
  })
  const gone = left.slice(0, firstAfter(left, at))
  const counts = { MERGED: 0, FAILED: 0, CANCELLED: 0 }
  for (const { end } of gone) counts[end]++
  const resters = Object.values(resting).reduce((sum, list) => sum + list.length, 0)
  return {
    at,
    slots,
    resting,
    counts,
    below: new Map(below),
    left: gone.slice(-mostLeft).reverse(),
    inQueue: here.size,
    testing: here.size - resters,
  }
}

/** How many were in the queue at most. */
export function mostIn(depth: Film['depth']): number {
  return depth.reduce((most, { count }) => Math.max(most, count), 0)
}

/** The instant at which most were in the queue; the first of several. */
export function busiestInstant({ depth }: Film): Millis {
  const most = mostIn(depth)
  return depth.find(({ count }) => count === most)?.at ?? 0
}

/** The next instant at which something changes, or the one before; the ends stay. */
export function stepFrom({ instants }: Reel, at: Millis, way: 1 | -1): Millis {
  const found =
    way === 1 ? instants.find((each) => each > at) : instants.findLast((each) => each < at)
  return found ?? at
}

function slotsAt(film: Film, at: Millis): SlotScene[] {
  const shown = new Map<string, FilmedRun>()
  for (const run of film.runs) {
    if (run.from > at) break
    if (run.to + shownEndMs > at) shown.set(`${run.kind} ${run.slot}`, run)
  }
  return (['main', 'bisection'] as const).flatMap((kind) =>
    Array.from({ length: film.slots[kind] }, (_, slot) => {
      const run = shown.get(`${kind} ${slot}`) ?? null
      return { kind, slot, run, isOver: run !== null && run.to <= at }
    }),
  )
}

/** A run may go on for one that has left meanwhile, so the phases say who is in the queue. */
function phasesAt(
  { pullRequests }: Film,
  at: Millis,
  underTest: ReadonlySet<PullRequestNumber>,
): { readonly resting: Resting; readonly here: ReadonlySet<PullRequestNumber> } {
  const resting: Resting = { notReady: [], waiting: [], passed: [], held: [], bisecting: [] }
  const here = new Set<PullRequestNumber>()
  for (const { number, phases } of pullRequests) {
    const phase = phases[firstAfter(phases, at) - 1]?.phase ?? null
    if (phase === null) continue
    here.add(number)
    if (!underTest.has(number)) resting[phase === 'testing' ? 'waiting' : phase].push(number)
  }
  return { resting, here }
}

/** The index of the first entry after an instant. */
function firstAfter(list: readonly { readonly at: Millis }[], at: Millis): number {
  return firstIndex(0, list.length, (index) => (list[index]?.at ?? Infinity) > at)
}
