import type { Millis } from '../../engine/index.ts'
import { shareTarget, type TargetSet } from '../ledger/targets.ts'
import { comesBefore, urgentPriority, type WaitingPullRequest } from '../ledger/waiting-list.ts'
import type { Property } from '../observe/property.ts'
import { minute, pullRequests } from './wording.ts'

const minuteMs = 60_000

/** In parallel mode every waiting pull request is looked at, so only while there are not more. */
const waitingAtMost = 1000

/**
 * Rules: E-30, E-31, E-32, E-97, E-183, E-186. The two sides that `batches-well-formed` and
 * `nobody-waits-with-a-slot-free` leave open: a batch is not started too early, and not too small.
 */
export const batchesFillUp: Property = {
  name: 'batches-fill-up',
  sentence:
    'A batch starts only when it is full or a member has been PENDING for the maximum wait, and it holds everybody who could join it.',
  watch({ check, ledger }) {
    const { waiting, settings, targets } = ledger

    const touchedBy = ({ number }: WaitingPullRequest): TargetSet => targets.of([number])
    /**
     * Looks in order for the first that could have joined the members: it shares a target with one
     * of them, and none with one ahead of it that did not join. The batch is closed if one that
     * shares a target could not join.
     */
    const scan = (
      members: readonly WaitingPullRequest[],
      others: readonly WaitingPullRequest[],
    ): WaitingPullRequest | 'closed' | 'open' => {
      const touched = targets.of(members.map(({ number }) => number))
      const skipped: WaitingPullRequest[] = []
      for (const one of others) {
        const isBehind = members[0] !== undefined && comesBefore(members[0], one) < 0
        if (isBehind && shareTarget(touchedBy(one), touched)) {
          const isBlocked = skipped.some((ahead) => shareTarget(touchedBy(ahead), touchedBy(one)))
          // OLD RULE (third condition of E-31): one that is tested alone ends the batch. By the new
          // rule it is skipped as if it were not there: `if (isAlone(one)) continue` at the top of
          // this loop, and `isBlocked ? 'closed' : one` here.
          return isAlone(one) || isBlocked ? 'closed' : one
        }
        skipped.push(one)
      }
      return 'open'
    }
    /** The others that wait, in order: all of them, or in single mode those that come first. */
    const waitingBeside = (members: readonly number[]): WaitingPullRequest[] => {
      const isSingle = settings.configuration.mode === 'single'
      const all = isSingle
        ? waiting.first(members.length + waiting.pendingAlone + 1)
        : [...waiting.all()].filter(({ pendingSince }) => pendingSince !== null).sort(comesBefore)
      return all.filter(({ number }) => !members.includes(number))
    }
    const faultOf = (members: readonly number[], at: Millis): string | null => {
      const { batch, batchingMinSize, batchingMaxWaitTimeMinutes } = settings.configuration
      const size = batch ? batchingMinSize : 1
      const known = members.flatMap((number) => waiting.find(number) ?? [])
      if (members.length >= size || known.some(isAlone)) return null
      const next = scan(known, waitingBeside(members))
      if (next === 'closed') return null
      if (next !== 'open') return `without ${next.number}, which could have joined`
      const since = Math.min(...known.map(({ pendingSince }) => pendingSince ?? at))
      const dueAt = since + batchingMaxWaitTimeMinutes * minuteMs
      if (at >= dueAt) return null
      return `of ${size}, although it could fill up until ${minute(dueAt)}`
    }

    return {
      on: {
        groupPlaced({ group, members, cause }, point) {
          if (cause !== 'formed' || waiting.pending > waitingAtMost) return
          const fault = faultOf(members, point.at)
          check(fault === null, point, () => ({
            story: `At ${minute(point.at)} group ${group} started with ${members.length === 1 ? '' : 'only '}${pullRequests(members)} ${fault ?? ''}.`,
            pullRequests: members,
          }))
        },
      },
    }
  },
}

/** Whether it is tested alone in any case. */
function isAlone({ noBatch, priority }: WaitingPullRequest): boolean {
  return noBatch || priority === urgentPriority
}
