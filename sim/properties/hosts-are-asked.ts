import type { EventOf } from '../../engine/index.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { minute } from './wording.ts'

/**
 * Rules: E-10, E-219, E-223. How a group merges does not change halfway, so a queue gets a code host
 * while nobody is in the line. From then on the queue merges nobody by itself.
 */
export const hostsAreAsked: Property = {
  name: 'hosts-are-asked',
  sentence:
    'A queue gets a code host only while nobody is in the line or in a bisection; from then on each merge of the queue is requested from it, for one pull request or for a whole group, as the host wants it.',
  watch({ check, ledger }) {
    let host: EventOf<'hostAttached'>['codeHost'] | null = null

    const mergeByQueue = ({ number }: EventOf<'pullRequestMoved'>, point: Point): void => {
      const isRequested = ledger.line.groupOf(number)?.merging.includes(number) === true
      check(isRequested, point, () => ({
        story: `Pull request ${number} merged at ${minute(point.at)}, and the code host was not asked.`,
        pullRequests: [number],
      }))
    }

    return {
      isActive: () => host !== null,
      on: {
        hostAttached({ codeHost }, point) {
          host = codeHost
          const isIdle = ledger.line.groups.length === 0 && ledger.bisections.all.size === 0
          check(isIdle, point, () => ({
            story: `The queue got a code host at ${minute(point.at)}, with work under way.`,
            pullRequests: ledger.line.groups.flatMap(({ members }) => members),
          }))
        },
        mergeRequested({ group, number, numbers }, point) {
          if (host === null) return
          const members = ledger.line.group(group)?.members ?? []
          const expected = host === 'groups' ? members : undefined
          check(String(numbers) === String(expected), point, () => ({
            story: `At ${minute(point.at)} the merge of ${(numbers ?? [number]).join(', ')} was requested from a host that merges ${host === 'groups' ? 'groups' : 'one by one'}.`,
            pullRequests: [number],
          }))
        },
        pullRequestEnded(event, point) {
          if (host === null || event.to !== 'MERGED' || event.reason === 'MANUAL_MERGE') return
          mergeByQueue(event, point)
        },
      },
    }
  },
}
