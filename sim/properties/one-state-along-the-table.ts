import type { EventOf, PullRequestState, Reason } from '../../engine/index.ts'
import { isTerminal } from './model/states.ts'
import type { Property } from './property.ts'
import { judgeInto, watcher } from './watching.ts'

type From = PullRequestState | 'none'
type Row = { readonly from: readonly From[]; readonly to: PullRequestState; readonly why: Why }
type Why = readonly (Reason | null)[]

const live = ['NOT_READY', 'PENDING', 'TESTING', 'TESTS_PASSED', 'PENDING_FAILURE'] as const
const underTest = ['TESTING', 'TESTS_PASSED', 'PENDING_FAILURE'] as const

/** The table of the specification, written down a second time: the engine's own could be wrong. */
const table: readonly Row[] = [
  { from: ['none'], to: 'NOT_READY', why: ['API_REQUESTED'] },
  { from: ['none'], to: 'PENDING', why: ['API_REQUESTED'] },
  { from: ['NOT_READY'], to: 'PENDING', why: ['MERGE_ITEM_NOW_READY'] },
  { from: ['PENDING'], to: 'TESTING', why: [null] },
  { from: ['PENDING'], to: 'NOT_READY', why: [null] },
  { from: ['TESTING'], to: 'TESTS_PASSED', why: ['TEST_RUN_PASSED'] },
  { from: ['TESTING'], to: 'PENDING_FAILURE', why: [null] },
  {
    from: underTest,
    to: 'PENDING',
    why: [
      'PREREQUISITE_MERGE_ITEM_FAILED',
      'PREREQUISITE_MERGE_ITEM_CANCELLED',
      'TESTS_RESTARTED_BY_API_REQUEST',
      'SKIP_THE_LINE_INTERRUPTED',
      'MANUAL_PUSH_TO_TARGET_BRANCH',
      'BISECTION_REQUIRED',
      'BISECTION_TEST_RUN_PASSED',
      'TEST_RUNNER_ERROR',
    ],
  },
  {
    from: ['TESTING', 'PENDING_FAILURE'],
    to: 'TESTS_PASSED',
    why: ['SUCCESSOR_TEST_RUN_PASSED'],
  },
  { from: ['TESTS_PASSED'], to: 'MERGED', why: ['MERGE_GRAPH_MERGE'] },
  { from: ['PENDING'], to: 'MERGED', why: ['MERGE_GRAPH_DIRECT_MERGE'] },
  { from: live, to: 'MERGED', why: ['MANUAL_MERGE'] },
  {
    from: underTest,
    to: 'FAILED',
    why: [
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
    why: [
      'USER_REQUESTED',
      'PR_CLOSED',
      'PR_PUSHED_TO',
      'PR_BASE_BRANCH_CHANGED',
      'PR_CONVERTED_TO_DRAFT',
    ],
  },
]

/** The same by the state it leads to, and the one it comes from: nearly half of all events are moves. */
const reasons = new Map<PullRequestState, Map<From, Set<Reason | null>>>()
for (const { from, to, why } of table) {
  const into = reasons.get(to) ?? new Map<From, Set<Reason | null>>()
  reasons.set(to, into)
  for (const state of from) into.set(state, new Set([...(into.get(state) ?? []), ...why]))
}

function isInTable(from: From, to: PullRequestState, reason: Reason | null): boolean {
  return reasons.get(to)?.get(from)?.has(reason) === true
}

/** Spec, safety 3. Who has ended is forgotten: only a submission may speak of it again. */
export const oneStateAlongTheTable: Property = {
  name: 'one-state-along-the-table',
  sentence:
    'Every submitted pull request is in exactly one state, moves only along the table, and ends once.',
  watch(setting, findings) {
    const judge = judgeInto(findings)
    const states = new Map<number, PullRequestState>()
    /** Who was submitted or moved in this command. */
    const touched = new Set<number>()
    const nowIn = (number: number): From => states.get(number) ?? 'none'

    const faultOf = (move: EventOf<'pullRequestMoved'>): string | null => {
      const was = nowIn(move.number)
      if (was === 'none') return 'it is not in the queue'
      if (was !== move.from) return `it was in ${was}`
      return isInTable(was, move.to, move.reason) ? null : 'the table has no such row'
    }

    return watcher(setting, {
      on: {
        pullRequestSubmitted(event, seen) {
          const { number, state } = event
          judge(isInTable(nowIn(number), state, 'API_REQUESTED'), seen, () => ({
            story: `Pull request ${number} was submitted into ${state} while in ${nowIn(number)}.`,
            pullRequests: [number],
          }))
          states.set(number, state)
          touched.add(number)
        },
        pullRequestMoved(event, seen) {
          const { number, from, to, reason } = event
          const fault = faultOf(event)
          touched.add(number)
          judge(fault === null, seen, () => ({
            story: `Pull request ${number} went from ${from} to ${to} (${reason ?? 'no reason'}), but ${fault ?? ''}.`,
            pullRequests: [number],
          }))
          if (isTerminal(to)) states.delete(number)
          else states.set(number, to)
        },
      },
      atRest(seen) {
        if (touched.size === 0) return
        for (const number of touched) {
          const told = states.get(number)
          const shown = seen.moment.queue.pullRequests[number]?.state ?? 'none'
          const agrees = told === undefined ? shown === 'none' || isTerminal(shown) : shown === told
          judge(agrees, seen, () => ({
            story: `Pull request ${number} is ${told ?? 'out of the queue'} by its moves, and the queue shows ${shown}.`,
            pullRequests: [number],
          }))
        }
        touched.clear()
      },
    })
  },
}
