/** Situations after the failure of a batch. */

import type { BisectionId, GroupId, PullRequestNumber } from '../../engine/index.ts'
import type { Step } from '../steps/step.ts'
import { seenInState, shownByEvent, type CoverageMark } from './coverage-mark.ts'

/** This many failed prefixes, each shorter than the one before. The batch counts as the first. */
const deep = 3

const threeDeep: CoverageMark['watch'] = () => {
  const failed = new Map<BisectionId, number[]>()
  return ({ events }) =>
    events.some((event) => {
      if (event.type === 'bisectionStarted') failed.set(event.bisection, [event.members.length])
      if (event.type !== 'bisectionVerdictReached' || event.outcome === 'passed') return false
      const lengths = failed.get(event.bisection) ?? []
      if (event.run.tested.length < (lengths.at(-1) ?? 0)) lengths.push(event.run.tested.length)
      return lengths.length >= deep
    })
}

const severalCulprits: CoverageMark['watch'] = () => {
  const convicting = new Set<BisectionId>()
  return ({ events }) =>
    events.some((event) => {
      if (event.type !== 'memberConvicted') return false
      const isSecond = convicting.has(event.bisection)
      convicting.add(event.bisection)
      return isSecond
    })
}

const testedAgain: CoverageMark['watch'] = () => {
  const judged = new Map<string, 'passed' | 'failed'>()
  return ({ events }) =>
    events.some((event) => {
      if (event.type !== 'verdictRecorded') return false
      const hasFailed = judged.get(event.composition) === 'failed'
      judged.set(event.composition, event.outcome)
      return hasFailed
    })
}

export const bisectionMarks: readonly CoverageMark[] = [
  {
    name: 'cache hit',
    sentence: 'A bisection needs a verdict that it already has, and starts no run for it.',
    watch: shownByEvent('testRunSaved'),
  },
  {
    name: 'bisection three deep',
    sentence: 'A batch fails, then a part of it, then a part of that part.',
    watch: threeDeep,
  },
  {
    name: 'several culprits in a batch',
    sentence: 'A bisection convicts a second member.',
    watch: severalCulprits,
  },
  {
    name: 'batch failed by a flake',
    sentence: 'A bisection ends without a conviction: the failure of the batch was a flake.',
    watch: shownByEvent('bisectionEnded', ({ flake }) => flake),
  },
  {
    name: 'single pull request bisected',
    sentence:
      'A single pull request is not FAILED at once, but looked at once more in a bisection.',
    watch: shownByEvent('bisectionStarted', ({ members }) => members.length === 1),
  },
  {
    name: 'composition tested again',
    sentence: 'A composition that has failed is tested again.',
    watch: testedAgain,
  },
  {
    name: 'cancel in mid-bisection',
    sentence: 'A pull request leaves the queue while its batch is bisected.',
    watch: shownByEvent('memberDeparted'),
  },
  {
    name: 'survivors merged as proven',
    sentence: 'Pull requests that a bisection has proven merge without another run.',
    watch: shownByEvent('groupPlaced', ({ cause }) => cause === 'proven'),
  },
  {
    name: 'survivors re-tested',
    sentence: 'The survivors of a bisection return to the line and are tested again.',
    watch: shownByEvent('groupPlaced', ({ cause }) => cause === 'survivors'),
  },
  {
    name: 'two bisections at once',
    sentence: 'The bisection of a second batch starts before the first bisection has ended.',
    watch: seenInState(({ bisections }) => bisections.length > 1),
  },
  {
    name: 'branch moved under a bisection',
    sentence: 'A change from outside the batch reaches the branch while the batch is bisected.',
    watch: seenInState(({ bisections }) => bisections.some(({ isTipMoved }) => isTipMoved)),
  },
]

/** Situations in which the queue does not act on a failure at once. */
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
