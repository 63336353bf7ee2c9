/** Situations around a batch that failed. */

import type { BisectionId } from '../../engine/index.ts'
import { seenIn, shownBy, type Mark } from './mark.ts'

/** Every prefix that failed is shorter than the one before; so many of them, the batch included. */
const deep = 3

const threeDeep: Mark['watch'] = () => {
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

const severalCulprits: Mark['watch'] = () => {
  const convicting = new Set<BisectionId>()
  return ({ events }) =>
    events.some((event) => {
      if (event.type !== 'memberConvicted') return false
      const isSecond = convicting.has(event.bisection)
      convicting.add(event.bisection)
      return isSecond
    })
}

const testedAgain: Mark['watch'] = () => {
  const judged = new Map<string, 'passed' | 'failed'>()
  return ({ events }) =>
    events.some((event) => {
      if (event.type !== 'verdictRecorded') return false
      const hasFailed = judged.get(event.composition) === 'failed'
      judged.set(event.composition, event.outcome)
      return hasFailed
    })
}

export const bisectionMarks: readonly Mark[] = [
  {
    name: 'cache hit',
    sentence: 'A bisection wants a verdict that it has already, and makes no run for it.',
    watch: shownBy('testRunSaved'),
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
    sentence: 'A bisection ends with nobody convicted: the failure of the batch was a flake.',
    watch: shownBy('bisectionEnded', ({ flake }) => flake),
  },
  {
    name: 'composition tested again',
    sentence: 'A composition that has failed is tested once more.',
    watch: testedAgain,
  },
  {
    name: 'cancel in mid-bisection',
    sentence: 'A pull request leaves by itself while its batch is bisected.',
    watch: shownBy('memberDeparted'),
  },
  {
    name: 'survivors merged as proven',
    sentence: 'What a bisection has proven is merged without another run.',
    watch: shownBy('groupPlaced', ({ cause }) => cause === 'proven'),
  },
  {
    name: 'survivors re-tested',
    sentence: 'The survivors of a bisection go back into the line and are tested once more.',
    watch: shownBy('groupPlaced', ({ cause }) => cause === 'survivors'),
  },
  {
    name: 'two bisections at once',
    sentence: 'A second batch is bisected before the first bisection is over.',
    watch: seenIn(({ bisections }) => bisections.length > 1),
  },
  {
    name: 'branch moved under a bisection',
    sentence: "Somebody else's change comes onto the branch while a batch is bisected.",
    watch: seenIn(({ bisections }) => bisections.some(({ isTipMoved }) => isTipMoved)),
  },
]
