/** Situations after the failure of a batch. */

import type { BisectionId } from '../../engine/index.ts'
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
