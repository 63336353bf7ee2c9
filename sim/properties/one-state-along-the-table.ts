import type { EventOf, PullRequestState, Reason } from '../../engine/index.ts'
import { isTerminal } from '../steps/step.ts'
import type { Property } from '../observe/property.ts'

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

/**
 * Rules: E-15, E-16, E-113. A pull request that has ended is forgotten: only a new submission may
 * name it.
 */
export const oneStateAlongTheTable: Property = {
  name: 'one-state-along-the-table',
  sentence:
    'Every submitted pull request is in exactly one state, moves only along the table, and ends once.',
  watch({ check }) {
    const states = new Map<number, PullRequestState>()
    /** Pull requests that were submitted or moved in this command. */
    const touched = new Set<number>()
    const nowIn = (number: number): FromState => states.get(number) ?? 'none'

    const faultOf = (move: EventOf<'pullRequestMoved'>): string | null => {
      const before = nowIn(move.number)
      if (before === 'none') return 'it is not in the queue'
      if (before !== move.from) return `it was in ${before}`
      return isInTable(before, move.to, move.reason) ? null : 'the table has no such row'
    }

    return {
      on: {
        pullRequestSubmitted(event, point) {
          const { number, state } = event
          check(isInTable(nowIn(number), state, 'API_REQUESTED'), point, () => ({
            story: `Pull request ${number} was submitted into ${state} while in ${nowIn(number)}.`,
            pullRequests: [number],
          }))
          states.set(number, state)
          touched.add(number)
        },
        pullRequestMoved(event, point) {
          const { number, from, to, reason } = event
          const fault = faultOf(event)
          touched.add(number)
          check(fault === null, point, () => ({
            story: `Pull request ${number} went from ${from} to ${to} (${reason ?? 'no reason'}), but ${fault ?? ''}.`,
            pullRequests: [number],
          }))
          if (isTerminal(to)) states.delete(number)
          else states.set(number, to)
        },
      },
      atRest(point) {
        if (touched.size === 0) return
        for (const number of touched) {
          const reported = states.get(number)
          const shown = point.step.shown.pullRequests.get(number)?.state ?? 'none'
          const agrees =
            reported === undefined ? shown === 'none' || isTerminal(shown) : shown === reported
          check(agrees, point, () => ({
            story: `Pull request ${number} is ${reported ?? 'out of the queue'} by its moves, and the queue shows ${shown}.`,
            pullRequests: [number],
          }))
        }
        touched.clear()
      },
    }
  },
}
