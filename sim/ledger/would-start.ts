/**
 * Which waiting pull requests would start if slots were free. It reads the rules of batches in the
 * plainest way and scans the whole order, so it is for rare questions only.
 *
 * Rules: E-30, E-31, E-97, E-121, E-132.
 */

import type { Millis } from '../../engine/index.ts'
import { batchSize } from './batch-size.ts'
import type { Projections } from './ledger.ts'
import { isNextAwaited } from './riding.ts'
import { shareTarget, type TargetSet } from './targets.ts'
import { urgentPriority, type WaitingPullRequest } from './waiting-list.ts'

const minuteMs = 60_000

/** `unclear`: one that is tested alone stands among those that fill a batch, or ahead of it. */
export type Outlook = 'yes' | 'unclear' | 'no'

type Candidate = WaitingPullRequest & { readonly touched: TargetSet }

/**
 * Whether a pull request that waits for its first start would start on top of groups with these
 * targets, now or after others that it waits for.
 */
export function wouldStart(ledger: Projections, below: readonly TargetSet[], at: Millis): Outlook {
  const { settings, waiting, targets } = ledger
  if (settings.state !== 'RUNNING' || waiting.pending === 0) return 'no'
  const { mode, batchingMaxWaitTimeMinutes } = settings.configuration
  const size = batchSize(ledger)
  const order = waiting
    .first(mode === 'single' && size === 1 ? 1 : waiting.pending)
    .map((one): Candidate => ({ ...one, touched: targets.of([one.number]) }))
  const isDue = ({ pendingSince }: Candidate): boolean =>
    isNextAwaited(ledger) ||
    (pendingSince !== null && at - pendingSince >= batchingMaxWaitTimeMinutes * minuteMs)
  let best: Outlook = 'no'
  for (const candidate of spokesmen(order, below)) {
    const outlook =
      size === 1 ? 'yes' : outlookOf(order, firstAwaitedBy(order, candidate), size, isDue)
    if (outlook === 'yes') return outlook
    if (outlook === 'unclear') best = outlook
  }
  return best
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

/** Whether the batch that begins with the first one would start. */
function outlookOf(
  order: readonly Candidate[],
  first: Candidate,
  size: number,
  isDue: (candidate: Candidate) => boolean,
): Outlook {
  if (isAlone(first)) return 'yes'
  const at = order.indexOf(first)
  const members = [first]
  let isComplete = false
  let isAnyAlone = false
  for (const next of order.slice(at + 1)) {
    if (isComplete || members.length === size) break
    if (!members.some(({ touched }) => shareTarget(touched, next.touched))) continue
    if (isAlone(next)) {
      isAnyAlone = true
      continue
    }
    isComplete = order
      .slice(0, order.indexOf(next))
      .some((ahead) => isAhead(ahead, next) && !members.includes(ahead))
    if (!isComplete) members.push(next)
  }
  // E-121: the batch starts after one ahead that is tested alone.
  const alone = order.slice(0, at).filter(isAlone)
  if (alone.some((one) => members.some(({ touched }) => shareTarget(touched, one.touched)))) {
    return 'unclear'
  }
  if (isComplete || members.length === size || members.some(isDue)) return 'yes'
  return isAnyAlone ? 'unclear' : 'no'
}

/** Whether the next one waits for the one ahead; it does not join a batch with one that is alone. */
function isAhead(ahead: Candidate, next: Candidate): boolean {
  return !isAlone(ahead) && shareTarget(ahead.touched, next.touched)
}

function isAlone({ noBatch, priority }: WaitingPullRequest): boolean {
  return noBatch || priority === urgentPriority
}
