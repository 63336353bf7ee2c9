import type { PullRequestNumber, PullRequestState } from '../../engine/index.ts'
import type { BisectionRecord } from '../ledger/bisections.ts'
import type { LineGroup } from '../ledger/line-group.ts'
import { isTerminal, type Shown, type ShownPullRequest } from '../steps/step.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { listed, pullRequests } from './wording.ts'

/** The state of the members, by the status of the group. */
const stateOf: Readonly<Record<LineGroup['status'], PullRequestState>> = {
  waiting: 'PENDING',
  testing: 'TESTING',
  passed: 'TESTS_PASSED',
  failed: 'PENDING_FAILURE',
  aside: 'PENDING_FAILURE',
  conflicted: 'PENDING_FAILURE',
}

/**
 * Rule: E-113. Each pull request in the queue is in exactly one place: waiting for its first start,
 * in a group of the line, or in a bisection; and its state fits that place. Checked at rest for
 * each pull request that the command changed.
 */
export const nobodyLost: Property = {
  name: 'nobody-lost',
  sentence:
    'Each pull request in the queue has exactly one place, in the order, a group or a bisection, and the state that belongs to that place.',
  watch({ check, ledger }) {
    const waitingList = ledger.waiting
    /** Pull requests that this command moved to another state or place. */
    const touched = new Set<number>()
    let hasLineChanged = false

    const faultOf = (number: number, shown: Shown): string | null => {
      const view = shown.pullRequests.get(number)
      if (!view) return 'is not in the queue any more'
      const { state } = view
      const leftBehind = isTerminal(state) ? `is ${state} and still has a place` : null
      const group = ledger.line.groupOf(number)
      if (group) return leftBehind ?? faultInGroup(group, view)
      const bisectionRecord = ledger.bisections.of(number)
      if (bisectionRecord) return leftBehind ?? faultInBisection(bisectionRecord, number, view)
      const waiting = waitingList.find(number)
      if (leftBehind !== null) return waiting ? leftBehind : null
      if (!waiting) return `is ${state} and has no place`
      const expectedState = waiting.isPending ? 'PENDING' : 'NOT_READY'
      return state === expectedState ? null : `waits for its first start and is ${state}`
    }
    const checkReadiness = (number: number, point: Point): void => {
      const fault = faultOf(number, point.step.shown)
      check(fault === null, point, () => ({
        story: `After ${point.step.command.type} pull request ${number} ${fault ?? ''}.`,
        pullRequests: [number],
      }))
    }

    return {
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
        groupMoved() {
          hasLineChanged = true
        },
        groupPlaced({ group, members }, point) {
          hasLineChanged = true
          const elsewhere = members.find((number) => ledger.line.groupOf(number))
          check(elsewhere === undefined, point, () => ({
            story: `Pull request ${elsewhere ?? 0} entered group ${group} while it was in another one.`,
            pullRequests: members,
          }))
        },
        groupLeft({ group }, point) {
          hasLineChanged = true
          const left = ledger.line.group(group)?.members ?? []
          check(left.length === 0, point, () => ({
            story: `Group ${group} left the line with ${pullRequests(left)} still in it.`,
            pullRequests: left,
          }))
        },
      },
      atRest(point) {
        for (const number of touched) checkReadiness(number, point)
        touched.clear()
        if (!hasLineChanged) return
        hasLineChanged = false
        const line = ledger.line.groups.map(({ id }) => id)
        const { line: shown } = point.step.shown
        const isSame = line.length === shown.length && line.every((id, at) => id === shown[at])
        check(isSame, point, () => ({
          story: `By the events the line has groups ${listed(line)}, but the queue shows ${listed(shown)}.`,
          pullRequests: [],
        }))
      },
    }
  },
}

function faultInGroup(group: LineGroup, { state, isInGroup }: ShownPullRequest): string | null {
  if (!isInGroup) return `belongs to group ${group.id} and is not there`
  const isDirect = group.status === 'passed' && group.run === null && state === 'PENDING'
  return state === stateOf[group.status] || isDirect
    ? null
    : `is ${state} in a group that is ${group.status}`
}

/** Members are TESTING from the first run until they are proven or convicted. */
function faultInBisection(
  { proven, open }: BisectionRecord,
  number: PullRequestNumber,
  { state }: ShownPullRequest,
): string | null {
  if (proven.includes(number)) return state === 'TESTS_PASSED' ? null : `is proven and ${state}`
  if (!open.includes(number)) return 'was lost in its bisection'
  // Before its first run a bisection may wait for a slot.
  return state === 'TESTING' || state === 'PENDING' ? null : `is being bisected and ${state}`
}
