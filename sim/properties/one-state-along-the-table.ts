import type {
  EventOf,
  GroupView,
  PullRequestNumber,
  PullRequestState,
  PullRequestView,
  QueueView,
  Reason,
} from '../../engine/index.ts'
import { isTerminal } from '../steps/step.ts'
import type { Check, Property } from '../observe/property.ts'
import { pullRequests } from './wording.ts'

type FromState = PullRequestState | 'none'
type TransitionRow = {
  readonly from: readonly FromState[]
  readonly to: PullRequestState
  readonly allowed: AllowedReasons
}
type AllowedReasons = readonly (Reason | null)[]

const live = ['NOT_READY', 'PENDING', 'TESTING', 'TESTS_PASSED', 'PENDING_FAILURE'] as const
const underTest = ['TESTING', 'TESTS_PASSED', 'PENDING_FAILURE'] as const

/**
 * The table of transitions (E-15), written a second time, because the engine's table could be
 * wrong.
 */
const table: readonly TransitionRow[] = [
  { from: ['none'], to: 'NOT_READY', allowed: ['API_REQUESTED'] },
  { from: ['none'], to: 'PENDING', allowed: ['API_REQUESTED'] },
  { from: ['NOT_READY'], to: 'PENDING', allowed: ['MERGE_ITEM_NOW_READY'] },
  { from: ['PENDING'], to: 'TESTING', allowed: [null] },
  { from: ['PENDING'], to: 'NOT_READY', allowed: [null] },
  { from: ['TESTING'], to: 'TESTS_PASSED', allowed: ['TEST_RUN_PASSED'] },
  { from: ['TESTING'], to: 'PENDING', allowed: ['SCREENING_TEST_RUN_PASSED'] },
  { from: ['TESTING'], to: 'PENDING_FAILURE', allowed: [null] },
  {
    from: underTest,
    to: 'PENDING',
    allowed: [
      'PREREQUISITE_MERGE_ITEM_FAILED',
      'PREREQUISITE_MERGE_ITEM_CANCELLED',
      'TESTS_RESTARTED_BY_API_REQUEST',
      'SKIP_THE_LINE_INTERRUPTED',
      'MANUAL_PUSH_TO_TARGET_BRANCH',
      'BISECTION_REQUIRED',
      'BISECTION_TEST_RUN_PASSED',
      'TEST_RUNNER_ERROR',
      'TARGET_BRANCH_FAILED',
      'MERGE_ITEM_NOW_READY',
    ],
  },
  {
    from: ['TESTING', 'PENDING_FAILURE'],
    to: 'TESTS_PASSED',
    allowed: ['SUCCESSOR_TEST_RUN_PASSED'],
  },
  { from: ['TESTS_PASSED'], to: 'MERGED', allowed: ['MERGE_GRAPH_MERGE'] },
  { from: ['PENDING'], to: 'MERGED', allowed: ['MERGE_GRAPH_DIRECT_MERGE'] },
  { from: live, to: 'MERGED', allowed: ['MANUAL_MERGE'] },
  {
    from: underTest,
    to: 'FAILED',
    allowed: [
      'TEST_RUN_REQUIRED_STATUS_FAILED',
      'TEST_RUN_TIMEOUT',
      'START_TEST_RUN_MERGE_CONFLICT',
      'START_TEST_RUN_RETRY_EXHAUSTED',
      'TEST_RUN_FAILED_BY_OPTIMIZATION',
      'PR_UPDATED_AT_MERGE_TIME',
      'GITHUB_API_MERGE_PR_FAILED',
    ],
  },
  {
    from: live,
    to: 'CANCELLED',
    allowed: [
      'USER_REQUESTED',
      'PR_CLOSED',
      'PR_PUSHED_TO',
      'PR_BASE_BRANCH_CHANGED',
      'PR_CONVERTED_TO_DRAFT',
      'PREREQUISITE_MERGE_ITEM_FAILED',
      'PREREQUISITE_MERGE_ITEM_CANCELLED',
    ],
  },
]

/** The same table as maps, because nearly half of all events are moves. */
const reasons = new Map<PullRequestState, Map<FromState, Set<Reason | null>>>()
for (const { from, to, allowed } of table) {
  const into = reasons.get(to) ?? new Map<FromState, Set<Reason | null>>()
  reasons.set(to, into)
  for (const state of from) into.set(state, new Set([...(into.get(state) ?? []), ...allowed]))
}

function isInTable(from: FromState, to: PullRequestState, reason: Reason | null): boolean {
  return reasons.get(to)?.get(from)?.has(reason) === true
}

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
 * Rules: E-15, E-16, E-113. A pull request that has ended is forgotten: only a new submission may
 * name it.
 */
export const oneStateAlongTheTable: Property = {
  name: 'one-state-along-the-table',
  sentence:
    'Every submitted pull request is in exactly one state and in the one place that belongs to it, moves only along the table, and ends once.',
  watch({ check, ledger }) {
    const { queue } = ledger
    /** Pull requests that were submitted or moved in this command, or whose place has changed. */
    const touched = new Set<PullRequestNumber>()
    const nowIn = (number: PullRequestNumber): FromState => {
      const state = queue.pullRequests[number]?.state
      return state === undefined || isTerminal(state) ? 'none' : state
    }
    /** After a fault the events say no more what the queue is like. */
    let isOver = false
    const touch = (numbers: readonly PullRequestNumber[]): void => {
      for (const number of numbers) touched.add(number)
    }
    const judge: Check = (holds, point, describe) => {
      if (!isOver) check(holds, point, describe)
      isOver ||= !holds
    }
    const faultOf = (move: EventOf<'pullRequestMoved'>): string | null => {
      const before = nowIn(move.number)
      if (before === 'none') return 'it is not in the queue'
      if (before !== move.from) return `it was in ${before}`
      return isInTable(before, move.to, move.reason) ? null : 'the table has no such row'
    }

    return {
      on: {
        pullRequestSubmitted({ number, state }, point) {
          judge(isInTable(nowIn(number), state, 'API_REQUESTED'), point, () => ({
            story: `Pull request ${number} was submitted into ${state} while in ${nowIn(number)}.`,
            pullRequests: [number],
          }))
          touched.add(number)
        },
        pullRequestMoved(event, point) {
          const { number, from, to, reason } = event
          const fault = faultOf(event)
          touched.add(number)
          judge(fault === null, point, () => ({
            story: `Pull request ${number} went from ${from} to ${to} (${reason ?? 'no reason'}), but ${fault ?? ''}.`,
            pullRequests: [number],
          }))
        },
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
