/** Situations after the failure of a batch. */

import type { BisectionId, GroupId, PullRequestNumber } from '../../engine/index.ts'
import type { Step } from '../steps/step.ts'
import { seenInState, shownByEvent, type CoverageMarks, type Watch } from './coverage-mark.ts'

/** This many failed prefixes, each shorter than the one before. The batch counts as the first. */
const deep = 3

const threeDeep: Watch = () => {
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

const severalCulprits: Watch = () => {
  const convicting = new Set<BisectionId>()
  return ({ events }) =>
    events.some((event) => {
      if (event.type !== 'memberConvicted') return false
      const isSecond = convicting.has(event.bisection)
      convicting.add(event.bisection)
      return isSecond
    })
}

const testedAgain: Watch = () => {
  const judged = new Map<string, 'passed' | 'failed'>()
  return ({ events }) =>
    events.some((event) => {
      if (event.type !== 'verdictRecorded') return false
      const hasFailed = judged.get(event.composition) === 'failed'
      judged.set(event.composition, event.outcome)
      return hasFailed
    })
}

export const bisectionMarks: CoverageMarks = {
  'cache hit': [
    'A bisection needs a verdict that it already has, and starts no run for it.',
    shownByEvent('testRunSaved'),
  ],
  'bisection three deep': [
    'A batch fails, then a part of it, then a part of that part.',
    threeDeep,
  ],
  'several culprits in a batch': ['A bisection convicts a second member.', severalCulprits],
  'batch failed by a flake': [
    'A bisection ends without a conviction: the failure of the batch was a flake.',
    shownByEvent('bisectionEnded', ({ flake }) => flake),
  ],
  'single pull request bisected': [
    'A single pull request is not FAILED at once, but looked at once more in a bisection.',
    shownByEvent('bisectionStarted', ({ members }) => members.length === 1),
  ],
  'composition tested again': ['A composition that has failed is tested again.', testedAgain],
  'cancel in mid-bisection': [
    'A pull request leaves the queue while its batch is bisected.',
    shownByEvent('memberDeparted'),
  ],
  'survivors merged as proven': [
    'Pull requests that a bisection has proven merge without another run.',
    shownByEvent('groupPlaced', ({ cause }) => cause === 'proven'),
  ],
  'survivors re-tested': [
    'The survivors of a bisection return to the line and are tested again.',
    shownByEvent('groupPlaced', ({ cause }) => cause === 'survivors'),
  ],
  'two bisections at once': [
    'The bisection of a second batch starts before the first bisection has ended.',
    seenInState(({ bisections }) => bisections.length > 1),
  ],
  'branch moved under a bisection': [
    'A change from outside the batch reaches the branch while the batch is bisected.',
    seenInState(({ bisections }) => bisections.some(({ isTipMoved }) => isTipMoved)),
  ],
}

/** Situations in which the queue does not act on a failure at once. */
type FailureEnd = 'rescue' | 'failure'

/** Detects how a hold ends. In a hold, a failed group waits for verdicts of its successors. */
function holdThatEndsIn(wanted: FailureEnd): Watch {
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

export const failureMarks: CoverageMarks = {
  'failure not yet its own': [
    'A group fails on top of predecessors that have not merged, and waits for them.',
    shownByEvent('groupFailed', ({ group }, { queue }) => {
      const phase = queue.groups[group]?.phase
      return phase?.kind === 'failed' && phase.run.base.some((number) => isOpen(queue, number))
    }),
  ],
  'failure forgotten': [
    'A predecessor of a failed group leaves, and the group is tested again without it.',
    shownByEvent('pullRequestMoved', ({ from, reason }) => {
      const hasLeft =
        reason === 'PREREQUISITE_MERGE_ITEM_FAILED' ||
        reason === 'PREREQUISITE_MERGE_ITEM_CANCELLED'
      return from === 'PENDING_FAILURE' && hasLeft
    }),
  ],
  'hold that ends in rescue': [
    'A failed group waits for its successors, and one of them passes and clears it.',
    holdThatEndsIn('rescue'),
  ],
  'hold that ends in failure': [
    'A failed group waits for its successors, and none of them clears it.',
    holdThatEndsIn('failure'),
  ],
  'failure not held': [
    'A failure does not wait for the groups behind, because few runs flake.',
    shownByEvent('groupFailed', ({ aside }, { queue, events }) => {
      const { policy, pendingFailureDepth } = queue.configuration
      const hasRestarted = events.some(({ type }) => type === 'groupRestarted')
      return aside === true && policy === 'adaptive' && pendingFailureDepth > 0 && hasRestarted
    }),
  ],
  'flake found out': [
    'A failure is contradicted by a run that passed.',
    shownByEvent('verdictContradicted'),
  ],
  'passed by quarantine': [
    'A run passes although tests failed, because all of them are in quarantine.',
    shownByEvent('testRunFinished', ({ quarantined }) => quarantined === true),
  ],
  'branch at fault': [
    'The branch fails by itself, and nobody is FAILED for it.',
    shownByEvent('tipTested', ({ failure }) => failure !== null),
  ],
  'optimistic merge': [
    'A group is cleared by the run of a successor that contains it.',
    shownByEvent('groupPassed', ({ group, run: { owner } }) => {
      return owner.kind === 'main' && owner.group !== group
    }),
  ],
}

function isOpen(queue: Step['queue'], number: PullRequestNumber): boolean {
  const state = queue.pullRequests[number]?.state
  return state === 'TESTING' || state === 'TESTS_PASSED' || state === 'PENDING_FAILURE'
}
