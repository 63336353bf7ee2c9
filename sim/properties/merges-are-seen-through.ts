import type { EventOf, Millis } from '../../engine/index.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { minute } from './wording.ts'

/**
 * Rules: E-10, E-46, E-47. While the code host works on a merge its outcome is unknown. So a cancel
 * or a push takes effect only if the host refuses the merge, and nothing else changes the pull
 * request.
 */
export const mergesAreSeenThrough: Property = {
  name: 'merges-are-seen-through',
  sentence:
    'Once the code host is asked to merge a pull request, its state stays the same until the host has answered, and a merge that the host refused does not happen.',
  watch({ check }) {
    /** Merges that were requested and not answered, with the time of the request. */
    const requested = new Map<number, number>()

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

    return {
      isActive: () => requested.size > 0,
      on: {
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
