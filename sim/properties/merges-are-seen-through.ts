import type { EventOf, GroupId, Millis } from '../../engine/index.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { minute, pullRequests } from './wording.ts'

/**
 * Rules: E-10, E-45, E-46, E-47. While the code host works on a merge its outcome is unknown. So a cancel
 * or a push takes effect only if the host refuses the merge, and nothing else changes the pull
 * request. Another cancel takes effect at once, also in a batch that is being merged.
 */
export const mergesAreSeenThrough: Property = {
  name: 'merges-are-seen-through',
  sentence:
    'Once the code host is asked to merge a pull request, its state stays the same until the host has answered, and a merge that the host refused does not happen; a batch that began to merge goes on, and a cancelled member that is not being merged leaves at once.',
  watch({ check, ledger }) {
    /** Merges that were requested and not answered, with the time of the request. */
    const requested = new Map<number, number>()
    /** Batches of which a member has merged and others are to follow. */
    const begun = new Set<GroupId>()
    /** The pull request of a cancel that is to take effect at once. */
    let leaving: number | null = null

    /** Whether the command is the host's answer, or reports a merge by hand. */
    const isAnswered = (number: number, { step: { command } }: Point): boolean =>
      (command.type === 'finishMerge' || command.type === 'reportManualMerge') &&
      command.number === number
    const isRefused = (number: number, { step: { command } }: Point): boolean =>
      command.type === 'finishMerge' && command.number === number && command.refused !== null

    const move = (event: EventOf<'pullRequestMoved'>, since: Millis, point: Point): void => {
      const { number, to } = event
      const contradictsAnswer = to === 'MERGED' && isRefused(number, point)
      check(isAnswered(number, point) && !contradictsAnswer, point, () => ({
        story: `Pull request ${number} became ${to} at ${minute(point.at)}, while the merge asked for at ${minute(since)} had ${contradictsAnswer ? 'been refused' : 'not been answered'}.`,
        pullRequests: [number],
      }))
      requested.delete(number)
    }

    /** A batch that has begun to merge goes on, also in a PAUSED queue. */
    const reviewBegun = (point: Point): void => {
      for (const id of begun) {
        const group = ledger.line.group(id)
        if (!group?.isPartlyMerged) begun.delete(id)
        else if (group.status === 'passed')
          check(group.merging !== null, point, () => ({
            story: `At ${minute(point.at)} nobody merges ${pullRequests(group.members)}, although the merging of that batch has begun.`,
            pullRequests: group.members,
          }))
      }
    }

    return {
      atCommand({ step: { command } }) {
        leaving = null
        if (command.type === 'cancelPullRequest' && !requested.has(command.number))
          leaving = command.number
      },
      atRest(point) {
        const isCancel = point.step.command.type === 'cancelPullRequest'
        if (isCancel)
          check(leaving === null, point, () => ({
            story: `At ${minute(point.at)} the cancel of pull request ${leaving ?? 0} did not take effect, although it is not being merged.`,
            pullRequests: [leaving ?? 0],
          }))
        if (begun.size > 0) reviewBegun(point)
      },
      isActive: () => requested.size > 0 || begun.size > 0 || leaving !== null,
      on: {
        pullRequestEnded({ number, to }) {
          if (number === leaving && to === 'CANCELLED') leaving = null
          const group = to === 'MERGED' ? ledger.line.groupOf(number) : undefined
          if (group && group.members.length > 1) begun.add(group.id)
        },
        mergeRequested({ number }, point) {
          check(!requested.has(number), point, () => ({
            story: `The merge of pull request ${number} was asked for at ${minute(requested.get(number) ?? 0)} and again at ${minute(point.at)}.`,
            pullRequests: [number],
          }))
          requested.set(number, point.at)
        },
        mergeRefused({ number }, point) {
          check(isAnswered(number, point), point, () => ({
            story: `The merge of pull request ${number} counted as refused at ${minute(point.at)}, before the code host had answered.`,
            pullRequests: [number],
          }))
          requested.delete(number)
        },
        pullRequestMoved(event, point) {
          const since = requested.get(event.number)
          if (since !== undefined) move(event, since, point)
        },
      },
      atEnd(_queue, point) {
        if (!point) return
        check(requested.size === 0, point, () => ({
          story: `At the end the code host had not answered for ${[...requested.keys()].join(', ')}.`,
          pullRequests: [...requested.keys()],
        }))
      },
    }
  },
}
