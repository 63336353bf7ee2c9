import type { EventOf, Millis } from '../../engine/index.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/step.ts'
import { minute, pullRequests } from './wording.ts'

type Request = { readonly at: Millis; readonly numbers: readonly number[] }

/**
 * Rules: E-10, E-46, E-47, E-219 to E-222. While the code host works on a merge its outcome is unknown. So a cancel
 * or a push takes effect only if the host refuses the merge, and nothing else changes the pull request.
 */
export const mergesAreSeenThrough: Property = {
  name: 'merges-are-seen-through',
  sentence:
    'Once the code host is asked to merge a pull request, its state stays the same until the host has answered, and exactly what the host has merged becomes MERGED.',
  watch({ check }) {
    /** Merges that were requested and not answered, with the time and the whole of the request. */
    const requested = new Map<number, Request>()
    /** What the current command answers, and those that it says have merged. */
    let answered: readonly number[] = []
    const landed = new Set<number>()

    /** The host's answer is about the whole request; a merge by hand of the first one voids it. */
    const answer = ({ command }: Point['step']): void => {
      const isByHand = command.type === 'reportManualMerge'
      if (!isByHand && command.type !== 'finishMerge') return
      const { number } = command
      const { numbers = [] } = requested.get(number) ?? {}
      const isWhole = !isByHand || numbers[0] === number
      answered = isWhole ? numbers.filter((each) => requested.has(each)) : [number]
      for (const each of answered) requested.delete(each)
      if (isByHand) landed.add(number)
      else if (command.refused === null)
        for (const each of command.numbers ?? [number]) landed.add(each)
    }
    const move = ({ number, to }: EventOf<'pullRequestMoved'>, point: Point): void => {
      const since = requested.get(number)?.at
      check(since === undefined, point, () => ({
        story: `Pull request ${number} became ${to} at ${minute(point.at)}, while the merge asked for at ${minute(since ?? 0)} had not been answered.`,
        pullRequests: [number],
      }))
      requested.delete(number)
      if (to !== 'MERGED' || !answered.includes(number)) return
      check(landed.delete(number), point, () => ({
        story: `Pull request ${number} became MERGED at ${minute(point.at)}, but the code host had not merged it.`,
        pullRequests: [number],
      }))
    }
    const checkLanded = (point: Point): void => {
      const left = answered.filter((number) => landed.has(number))
      check(left.length === 0, point, () => ({
        story: `At ${minute(point.at)} the code host had merged ${pullRequests(left)}, but the queue had not noticed.`,
        pullRequests: left,
      }))
    }

    return {
      atCommand({ step }) {
        answered = []
        landed.clear()
        if (requested.size > 0) answer(step)
      },
      atRest(point) {
        if (answered.length > 0) checkLanded(point)
      },
      isActive: () => requested.size > 0 || answered.length > 0,
      on: {
        mergeRequested({ number, numbers = [number] }, point) {
          for (const each of numbers) {
            const at = requested.get(each)?.at
            check(at === undefined, point, () => ({
              story: `The merge of pull request ${each} was asked for at ${minute(at ?? 0)} and again at ${minute(point.at)}.`,
              pullRequests: [each],
            }))
            requested.set(each, { at: point.at, numbers })
          }
        },
        mergeRefused({ number }, point) {
          check(answered.includes(number), point, () => ({
            story: `The merge of pull request ${number} counted as refused at ${minute(point.at)}, before the code host had answered.`,
            pullRequests: [number],
          }))
          requested.delete(number)
        },
        pullRequestMoved(event, point) {
          if (requested.has(event.number) || answered.includes(event.number)) move(event, point)
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
