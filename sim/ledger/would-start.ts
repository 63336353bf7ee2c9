/**
 * Which waiting pull requests would start if slots were free. It reads the rules of batches in the
 * plainest way and scans the whole order, so it is for rare questions only.
 *
 * Rules: E-30, E-31, E-97, E-132.
 */

import type { Millis } from '../../engine/index.ts'
import type { Projections } from './ledger.ts'
import { shareTarget, type TargetSet } from './targets.ts'
import { urgentPriority, type WaitingPullRequest } from './waiting-list.ts'

const minuteMs = 60_000

/** `unclear`: a pull request that is tested alone stands among those that fill a batch. */
export type Outlook = 'yes' | 'unclear' | 'no'

type Candidate = WaitingPullRequest & { readonly touched: TargetSet }

/**
 * Whether a pull request that waits for its first start would start on top of groups with these
 * targets, now or after others that it waits for.
 */
export function wouldStart(
  { settings, waiting, targets }: Projections,
  below: readonly TargetSet[],
  at: Millis,
): Outlook {
  if (settings.state !== 'RUNNING' || waiting.pending === 0) return 'no'
  const { mode, batch, batchingMinSize, batchingMaxWaitTimeMinutes } = settings.configuration
  const size = batch ? batchingMinSize : 1
  const order = waiting
    .first(mode === 'single' && size === 1 ? 1 : waiting.pending)
    .map((one): Candidate => ({ ...one, touched: targets.of([one.number]) }))
  const isDue = ({ pendingSince }: Candidate): boolean =>
    pendingSince !== null && at - pendingSince >= batchingMaxWaitTimeMinutes * minuteMs
  let best: Outlook = 'no'
  for (const candidate of order) {
    if (!below.some((touched) => shareTarget(touched, candidate.touched))) continue
    const outlook =
      size === 1 ? 'yes' : outlookOf(order, firstAwaitedBy(order, candidate), size, isDue)
    if (outlook === 'yes') return outlook
    if (outlook === 'unclear') best = outlook
  }
  return best
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
  const members = [first]
  let isAnyAlone = false
  for (const next of order.slice(order.indexOf(first) + 1)) {
    if (members.length === size) break
    if (!members.some(({ touched }) => shareTarget(touched, next.touched))) continue
    if (isAlone(next)) {
      isAnyAlone = true
      continue
    }
    const isBehindAnother = order
      .slice(0, order.indexOf(next))
      .some((ahead) => isAhead(ahead, next) && !members.includes(ahead))
    if (isBehindAnother) return 'yes'
    members.push(next)
  }
  if (members.length === size || members.some(isDue)) return 'yes'
  return isAnyAlone ? 'unclear' : 'no'
}

/** Whether the next one waits for the one ahead; it does not join a batch with one that is alone. */
function isAhead(ahead: Candidate, next: Candidate): boolean {
  return !isAlone(ahead) && shareTarget(ahead.touched, next.touched)
}

function isAlone({ noBatch, priority }: WaitingPullRequest): boolean {
  return noBatch || priority === urgentPriority
}
