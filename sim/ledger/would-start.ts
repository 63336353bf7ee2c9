/**
 * Which waiting pull requests would start if slots were free. It scans the whole order, so it is for
 * rare questions only.
 *
 * Rules: E-30, E-31, E-97, E-132.
 */

import type { Millis } from '../../engine/index.ts'
import { batchSize } from './batch-size.ts'
import { fillingGroups } from './filling-groups.ts'
import type { Projections } from './ledger.ts'
import { shareTarget, type TargetSet } from './targets.ts'
import type { WaitingPullRequest } from './waiting-list.ts'

const minuteMs = 60_000

type Candidate = WaitingPullRequest & { readonly touched: TargetSet }

/**
 * Whether a pull request that waits for its first start would start on top of groups with these
 * targets, now or after others that it waits for.
 */
export function wouldStart(ledger: Projections, below: readonly TargetSet[], at: Millis): boolean {
  const { settings, waiting, targets } = ledger
  if (settings.state !== 'RUNNING' || waiting.pending === 0) return false
  const { mode, batchingMaxWaitTimeMinutes } = settings.configuration
  const size = batchSize(ledger)
  if (size === 1 && mode === 'single') return true
  const order = waiting
    .first(waiting.pending)
    .map((one): Candidate => ({ ...one, touched: targets.of([one.number]) }))
  const awaited = spokesmen(order, below).map((one) => firstAwaitedBy(order, one).number)
  const isDue = ({ pendingSince }: WaitingPullRequest): boolean =>
    pendingSince !== null && at - pendingSince >= batchingMaxWaitTimeMinutes * minuteMs
  return fillingGroups(ledger, size).some(({ members, isComplete }) => {
    const isAwaited = awaited.some((number) => number === members[0]?.number)
    return isAwaited && (isComplete || members.some(isDue))
  })
}

/**
 * Those that share a target with the groups below, without those that start after another one because
 * of that target, or with it (E-132).
 */
function spokesmen(order: readonly Candidate[], below: readonly TargetSet[]): Candidate[] {
  const names = new Set(below.flatMap((touched) => (touched === 'ALL' ? [] : [...touched])))
  if (below.includes('ALL')) return [...order]
  // The empty set finds the first one with ALL.
  const targets = [new Set<string>(), ...[...names].map((name) => new Set([name]))]
  return targets.flatMap((one) => order.find(({ touched }) => shareTarget(touched, one)) ?? [])
}

/** The first one ahead with which it shares a target, and so on, until there is none. */
function firstAwaitedBy(order: readonly Candidate[], candidate: Candidate): Candidate {
  const ahead = order
    .slice(0, order.indexOf(candidate))
    .find(({ touched }) => shareTarget(touched, candidate.touched))
  return ahead ? firstAwaitedBy(order, ahead) : candidate
}
