import type { EventOf, Millis } from '../../engine/index.ts'
import type { Property } from './property.ts'
import { minute } from './telling.ts'
import { judgeInto, watcher, type Seen } from './watching.ts'

/**
 * Spec, "A run ends" (passed): while the code host works on a merge nobody knows how it will end,
 * so a cancel or a push takes effect only if the merge is refused, and nothing else touches it.
 */
export const mergesAreSeenThrough: Property = {
  name: 'merges-are-seen-through',
  sentence:
    'Once the code host is asked to merge a pull request, it stays as it is until the host has answered, and what the host refused is not merged.',
  watch(setting, findings) {
    const judge = judgeInto(findings)
    /** Asked for and not answered, with the instant of asking. */
    const asked = new Map<number, number>()

    /** Whether this is the host's answer, or a person's who merged it past the queue. */
    const isAnswered = (number: number, { moment: { command } }: Seen): boolean =>
      (command.type === 'finishMerge' || command.type === 'reportManualMerge') &&
      command.number === number
    const isRefused = (number: number, { moment: { command } }: Seen): boolean =>
      command.type === 'finishMerge' && command.number === number && command.refused !== null

    const move = (event: EventOf<'pullRequestMoved'>, since: Millis, seen: Seen): void => {
      const { number, to } = event
      const isAgainstAnswer = to === 'MERGED' && isRefused(number, seen)
      judge(isAnswered(number, seen) && !isAgainstAnswer, seen, () => ({
        story: `Pull request ${number} became ${to} at ${minute(seen.at)}, while the merge asked for at ${minute(since)} had ${isAgainstAnswer ? 'been refused' : 'not been answered'}.`,
        pullRequests: [number],
      }))
      asked.delete(number)
    }

    return watcher(setting, {
      on: {
        mergeRequested({ number }, seen) {
          judge(!asked.has(number), seen, () => ({
            story: `The merge of pull request ${number} was asked for at ${minute(asked.get(number) ?? 0)} and again at ${minute(seen.at)}.`,
            pullRequests: [number],
          }))
          asked.set(number, seen.at)
        },
        mergeRefused({ number }, seen) {
          judge(isAnswered(number, seen), seen, () => ({
            story: `The merge of pull request ${number} counted as refused at ${minute(seen.at)}, before the code host had answered.`,
            pullRequests: [number],
          }))
          asked.delete(number)
        },
        pullRequestMoved(event, seen) {
          const since = asked.get(event.number)
          if (since !== undefined) move(event, since, seen)
        },
      },
      atEnd(_queue, seen) {
        if (!seen) return
        judge(asked.size === 0, seen, () => ({
          story: `In the end the code host had not answered for ${[...asked.keys()].join(', ')}.`,
          pullRequests: [...asked.keys()],
        }))
      },
    })
  },
}
