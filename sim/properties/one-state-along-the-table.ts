import type {
  GroupView,
  PullRequestNumber,
  PullRequestState,
  PullRequestView,
  QueueView,
} from '../../engine/index.ts'
import { isTerminal } from '../steps/step.ts'
import type { Check, Property } from '../observe/property.ts'
import { pullRequests } from './wording.ts'

const stateOf: Readonly<Record<GroupView['phase']['kind'], PullRequestState>> = {
  waiting: 'PENDING',
  testing: 'TESTING',
  passed: 'TESTS_PASSED',
  failed: 'PENDING_FAILURE',
  conflicted: 'PENDING_FAILURE',
}

/** Whether a pull request is at the one place that it names, and in a state that belongs there. */
function fitsItsPlace(queue: QueueView, { number, home, state }: PullRequestView): boolean {
  if (home.in === 'nowhere') return isTerminal(state)
  if (home.in === 'order') return state === 'NOT_READY' || state === 'PENDING'
  if (home.in === 'bisection') {
    const bisection = queue.bisections.find(({ id }) => id === home.bisection)
    if (bisection?.proven.includes(number)) return state === 'TESTS_PASSED'
    // Before its first run a bisection may wait for a slot.
    const isOpen = bisection?.open.includes(number) === true
    return isOpen && (state === 'TESTING' || state === 'PENDING')
  }
  const group = queue.groups[home.group]
  return group?.members.includes(number) === true && state === stateIn(group.phase)
}

/** The state of the members of a group: PENDING also while a direct merge is under way. */
function stateIn(phase: GroupView['phase']): PullRequestState {
  const isDirect = phase.kind === 'passed' && phase.run === null
  return isDirect ? 'PENDING' : stateOf[phase.kind]
}

/**
 * Rules: E-15, E-16, E-113. The ledger applies each event to a queue of its own, and a move that is not in the
 * table, or of a pull request that is elsewhere or has ended, contradicts that queue. Which row of the table a
 * move takes is judged by the model.
 */
export const oneStateAlongTheTable: Property = {
  name: 'one-state-along-the-table',
  sentence:
    'Every submitted pull request is in exactly one state and in the one place that belongs to it, moves only along the table, and ends once.',
  watch({ check, ledger }) {
    const { queue } = ledger
    /** Pull requests that were submitted or moved in this command, or whose place has changed. */
    const touched = new Set<PullRequestNumber>()
    /** After a fault the events say no more what the queue is like. */
    let isOver = false
    const touch = (numbers: readonly PullRequestNumber[]): void => {
      for (const number of numbers) touched.add(number)
    }
    const judge: Check = (holds, point, describe) => {
      if (!isOver) check(holds, point, describe)
      isOver ||= !holds
    }
    return {
      on: {
        pullRequestSubmitted: ({ number }) => touch([number]),
        pullRequestMoved: ({ number }) => touch([number]),
        groupPlaced: ({ members }) => touch(members),
        groupSplit: ({ members }) => touch(members),
        bisectionStarted: ({ members }) => touch(members),
        bisectionEnded({ bisection }) {
          const { open = [], proven = [] } =
            queue.bisections.find(({ id }) => id === bisection) ?? {}
          touch([...open, ...proven])
        },
      },
      atRest(point) {
        const { contradiction } = ledger
        judge(contradiction === null, point, () => ({
          story: `An event contradicts the state before it: ${contradiction ?? ''}.`,
          pullRequests: [],
        }))
        for (const number of touched) {
          const pullRequest = queue.pullRequests[number]
          if (!pullRequest) continue
          const { state, home } = pullRequest
          judge(fitsItsPlace(queue, pullRequest), point, () => ({
            story: `After ${point.step.command.type} pull request ${number} is ${state}, which its place (${home.in}) does not allow.`,
            pullRequests: [number],
          }))
        }
        touched.clear()
      },
      atEnd(shown, point) {
        const unlike = Object.values(shown.pullRequests).filter(
          ({ number, state }) => queue.pullRequests[number]?.state !== state,
        )
        if (!point) return
        judge(unlike.length === 0, point, () => ({
          story: `At the end the queue shows other states than the events say, of ${pullRequests(unlike.map(({ number }) => number))}.`,
          pullRequests: unlike.map(({ number }) => number),
        }))
      },
    }
  },
}
