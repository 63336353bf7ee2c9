import type { PullRequestState, PullRequestView, QueueView } from '../../engine/index.ts'
import type { Bisected } from './model/bisections.ts'
import type { LineGroup } from './model/line.ts'
import { isSame } from './model/same.ts'
import { isTerminal } from './model/states.ts'
import type { Property } from './property.ts'
import { listed, pullRequests } from './telling.ts'
import { booksOf, judgeInto, watcher, type Seen } from './watching.ts'

/** What members of a group are, by how the group stands. */
const stateOf: Readonly<Record<LineGroup['stand'], PullRequestState>> = {
  waiting: 'PENDING',
  testing: 'TESTING',
  passed: 'TESTS_PASSED',
  failed: 'PENDING_FAILURE',
  conflicted: 'PENDING_FAILURE',
}

/**
 * Spec, safety 11. Whoever is in the queue is in exactly one place: waiting for a first start, in
 * a group of the line, or in a bisection; and is in the state that this place means. Looked at
 * for whoever the command touched, when the queue rests.
 */
export const nobodyLost: Property = {
  name: 'nobody-lost',
  sentence:
    'Everybody in the queue has exactly one place, in the order, a group or a bisection, and the state that goes with it.',
  watch(setting, findings) {
    const judge = judgeInto(findings)
    const books = booksOf(setting)
    const { room } = books
    /** Whom this command has moved, or put in another place. */
    const touched = new Set<number>()
    let hasLineChanged = false

    const faultOf = (number: number, queue: QueueView): string | null => {
      const view = queue.pullRequests[number]
      if (!view) return 'is not in the queue any more'
      const { state } = view
      const leftBehind = isTerminal(state) ? `is ${state} and still has a place` : null
      const group = books.line.groupOf(number)
      if (group) return leftBehind ?? faultInGroup(group, view, queue)
      const bisected = books.bisections.of(number)
      if (bisected) return leftBehind ?? faultInBisection(bisected, view)
      const waiting = room.find(number)
      if (leftBehind !== null) return waiting ? leftBehind : null
      if (!waiting) return `is ${state} and has no place`
      const meant = waiting.pendingSince === null ? 'NOT_READY' : 'PENDING'
      return state === meant ? null : `waits for its first start and is ${state}`
    }
    const lookAt = (number: number, seen: Seen): void => {
      const fault = faultOf(number, seen.moment.queue)
      judge(fault === null, seen, () => ({
        story: `After ${seen.moment.command.type} pull request ${number} ${fault ?? ''}.`,
        pullRequests: [number],
      }))
    }

    return watcher(setting, {
      on: {
        pullRequestSubmitted: ({ number }) => void touched.add(number),
        pullRequestMoved: ({ number }) => void touched.add(number),
        bisectionStarted({ members }) {
          for (const number of members) touched.add(number)
          hasLineChanged = true
        },
        groupSplit({ members }) {
          for (const number of members) touched.add(number)
          hasLineChanged = true
        },
        groupAdvanced() {
          hasLineChanged = true
        },
        groupPlaced({ group, members }, seen) {
          hasLineChanged = true
          const elsewhere = members.find((number) => books.line.groupOf(number))
          judge(elsewhere === undefined, seen, () => ({
            story: `Pull request ${elsewhere ?? 0} came into group ${group} while in another.`,
            pullRequests: members,
          }))
        },
        groupLeft({ group }, seen) {
          hasLineChanged = true
          const left = books.line.group(group)?.members ?? []
          judge(left.length === 0, seen, () => ({
            story: `Group ${group} left the line with ${pullRequests(left)} still in it.`,
            pullRequests: left,
          }))
        },
      },
      atRest(seen) {
        for (const number of touched) lookAt(number, seen)
        touched.clear()
        if (!hasLineChanged) return
        hasLineChanged = false
        const line = books.line.groups.map(({ id }) => id)
        const shown = seen.moment.queue.line
        judge(isSame(line, shown), seen, () => ({
          story: `The line is made of groups ${listed(line)} by the events, and the queue shows ${listed(shown)}.`,
          pullRequests: [],
        }))
      },
    })
  },
}

function faultInGroup(
  group: LineGroup,
  { number, state, home }: PullRequestView,
  { groups }: QueueView,
): string | null {
  const isThere = home.in === 'group' && groups[home.group]?.members.includes(number) === true
  if (!isThere) return `belongs to group ${group.id} and is not there`
  const isDirect = group.stand === 'passed' && group.run === null && state === 'PENDING'
  return state === stateOf[group.stand] || isDirect
    ? null
    : `is ${state} in a group that is ${group.stand}`
}

/** Members are TESTING from the first run until proven or convicted. */
function faultInBisection(
  { proven, open }: Bisected,
  { number, state }: PullRequestView,
): string | null {
  if (proven.includes(number)) return state === 'TESTS_PASSED' ? null : `is proven and ${state}`
  if (!open.includes(number)) return 'was lost in its bisection'
  // Before its first run a bisection may wait for a slot.
  return state === 'TESTING' || state === 'PENDING' ? null : `is being bisected and ${state}`
}
