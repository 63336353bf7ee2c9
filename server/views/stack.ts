/** The stack of a pull request: what it depends on and what depends on it, through any number of others. */

import {
  dependentsOf,
  missingOf,
  type PullRequestNumber,
  type PullRequestState,
  type QueueView,
  type Reason,
  type BisectionView,
} from '../../engine/index.ts'
import type * as wire from '../contract/wire.ts'
import { inCase, type StateCase } from './state-case.ts'

export type Stacked = {
  readonly number: PullRequestNumber
  /** Null: it was never submitted. */
  readonly state: PullRequestState | null
  readonly dependsOn: readonly PullRequestNumber[]
}

/** So many on each side: nobody reads more, and an answer stays small. */
const mostOnASide = 50

/** Each after those that it depends on, so the lowest is first; empty if it neither depends on others nor they on it. */
export function stackOf(queue: QueueView, number: PullRequestNumber): Stacked[] {
  const below = (each: PullRequestNumber) => queue.pullRequests[each]?.dependsOn ?? []
  const members = new Set([
    ...reachedFrom(number, below),
    ...reachedFrom(number, (each) => dependentsOf(queue, each)),
  ])
  if (members.size === 1) return []
  const ordered = new Set<PullRequestNumber>()
  const seen = new Set<PullRequestNumber>()
  // What has left can name one that names it by now.
  const add = (each: PullRequestNumber): void => {
    if (seen.has(each) || !members.has(each)) return
    seen.add(each)
    for (const other of below(each)) add(other)
    ordered.add(each)
  }
  for (const each of members) add(each)
  return [...ordered].map((each) => {
    const state = queue.pullRequests[each]?.state ?? null
    return { number: each, state, dependsOn: [...below(each)] }
  })
}

/** The same as answers have it; nothing without others. */
export function stackOnWire(
  queue: QueueView,
  number: PullRequestNumber,
  stateCase: StateCase,
): Pick<wire.Why, 'stack'> {
  const stack = stackOf(queue, number).map(({ state, dependsOn, ...each }) => {
    return { ...each, state: state && inCase(state, stateCase), dependsOn: [...dependsOn] }
  })
  return stack.length > 0 ? { stack } : {}
}

/** It and the nearest ones. */
function reachedFrom(
  number: PullRequestNumber,
  next: (number: PullRequestNumber) => readonly PullRequestNumber[],
): Set<PullRequestNumber> {
  const reached = new Set([number])
  for (const each of reached) {
    for (const other of next(each)) if (reached.size <= mostOnASide) reached.add(other)
  }
  return reached
}

/** On whom it waits to land, unless that is told already, and who leaves if it leaves: parts of sentences. */
export function stackWords(
  queue: QueueView,
  number: PullRequestNumber,
  isNamed: boolean,
): string[] {
  const below = isNamed ? [] : missingOf(queue, number)
  const above = dependentsOf(queue, number)
  return [
    below.length === 0 ? [] : `it depends on ${named(below)}`,
    above.length === 0 ? [] : `${named(above)} ${above.length === 1 ? 'depends' : 'depend'} on it`,
  ].flat()
}

/** Why one left with what it depends on. */
export const leftWords = (reason: Reason | null, leftWith: PullRequestNumber): string =>
  `#${leftWith}, which it depends on, ${reason === 'PREREQUISITE_MERGE_ITEM_FAILED' ? 'failed' : 'has left'}`

const mostNamed = 3

/** "#5, #6 and 2 others". */
export function named(numbers: readonly number[]): string {
  const shown = numbers.slice(0, mostNamed).map((number) => `#${number}`)
  const rest = numbers.length - shown.length
  const all = rest === 0 ? shown : [...shown, otherCount(rest)]
  return [all.slice(0, -1).join(', '), ...all.slice(-1)].filter((part) => part !== '').join(' and ')
}

export const otherCount = (count: number): string => (count === 1 ? 'one other' : `${count} others`)

/** A sentence behind others, about a member of a bisection whose run is to be repeated; else empty. */
export function repeatWords(
  { retries }: Pick<BisectionView, 'retries'>,
  number: PullRequestNumber,
): string {
  const isLost = retries.some(({ of, attempt }) => attempt > 0 && of.tested.includes(number))
  return isLost ? ' Its run ended without a verdict, and is repeated.' : ''
}

/** Why a member of a bisection is in it, before a run of its own has failed. Rules: E-306, E-307. */
export function whyBisected(bisection: Pick<BisectionView, 'open' | 'others'> | undefined): string {
  const { open = [], others } = bisection ?? {}
  if (others === 0) return 'Its tests failed, and the branch has gone on since; they run again.'
  return others === undefined
    ? `Its batch failed; the bisection looks for the culprit among ${open.length}.`
    : `Its batch failed; each of its ${others + 1} members is tested by itself.`
}
