/** Situations in which the queue does not act on a failure at once. */

import type { GroupId, PullRequestNumber } from '../../engine/index.ts'
import type { Step } from '../steps/step.ts'
import { shownByEvent, type CoverageMark } from './coverage-mark.ts'

type FailureEnd = 'rescue' | 'failure'

/** Detects how a hold ends. In a hold, a failed group waits for verdicts of its successors. */
function holdThatEndsIn(wanted: FailureEnd): CoverageMark['watch'] {
  return () => {
    const held = new Map<GroupId, readonly PullRequestNumber[]>()
    const endOf = (event: Step['events'][number]): FailureEnd | null => {
      if (event.type === 'groupPassed' && held.has(event.group)) return 'rescue'
      if (event.type === 'bisectionStarted' && held.has(event.group)) return 'failure'
      const isFailed = event.type === 'pullRequestMoved' && event.to === 'FAILED'
      return isFailed && [...held.values()].flat().includes(event.number) ? 'failure' : null
    }
    return ({ events, queue }) =>
      events.some((event) => {
        if (event.type === 'holdStarted') {
          held.set(event.group, queue.groups[event.group]?.members ?? [])
        }
        if (event.type === 'groupRestarted') held.delete(event.group)
        return endOf(event) === wanted
      })
  }
}

export const failureMarks: readonly CoverageMark[] = [
  {
    name: 'failure not yet its own',
    sentence: 'A group fails on top of predecessors that have not merged, and waits for them.',
    watch: shownByEvent('groupFailed', ({ group }, { queue }) => {
      const phase = queue.groups[group]?.phase
      return phase?.kind === 'failed' && phase.run.base.some((number) => isOpen(queue, number))
    }),
  },
  {
    name: 'failure forgotten',
    sentence: 'A predecessor of a failed group leaves, and the group is tested again without it.',
    watch: shownByEvent('pullRequestMoved', ({ from, reason }) => {
      const hasLeft =
        reason === 'PREREQUISITE_MERGE_ITEM_FAILED' ||
        reason === 'PREREQUISITE_MERGE_ITEM_CANCELLED'
      return from === 'PENDING_FAILURE' && hasLeft
    }),
  },
  {
    name: 'hold that ends in rescue',
    sentence: 'A failed group waits for its successors, and one of them passes and clears it.',
    watch: holdThatEndsIn('rescue'),
  },
  {
    name: 'hold that ends in failure',
    sentence: 'A failed group waits for its successors, and none of them clears it.',
    watch: holdThatEndsIn('failure'),
  },
  {
    name: 'failure not held',
    sentence: 'A failure does not wait for the groups behind, because few runs flake.',
    watch: shownByEvent('groupFailed', ({ aside }, { queue, events }) => {
      const { policy, pendingFailureDepth } = queue.configuration
      const hasRestarted = events.some(({ type }) => type === 'groupRestarted')
      return aside === true && policy === 'adaptive' && pendingFailureDepth > 0 && hasRestarted
    }),
  },
  {
    name: 'flake found out',
    sentence: 'A failure is contradicted by a run that passed.',
    watch: shownByEvent('verdictContradicted'),
  },
  {
    name: 'passed by quarantine',
    sentence: 'A run passes although tests failed, because all of them are in quarantine.',
    watch: shownByEvent('testRunFinished', ({ quarantined }) => quarantined === true),
  },
  {
    name: 'branch at fault',
    sentence: 'The branch fails by itself, and nobody is FAILED for it.',
    watch: shownByEvent('tipTested', ({ failure }) => failure !== null),
  },
  {
    name: 'optimistic merge',
    sentence: 'A group is cleared by the run of a successor that contains it.',
    watch: shownByEvent('groupPassed', ({ group, run: { owner } }) => {
      return owner.kind === 'main' && owner.group !== group
    }),
  },
]

function isOpen(queue: Step['queue'], number: PullRequestNumber): boolean {
  const state = queue.pullRequests[number]?.state
  return state === 'TESTING' || state === 'TESTS_PASSED' || state === 'PENDING_FAILURE'
}
