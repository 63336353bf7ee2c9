/** Situations that the world around the queue brings about. */

import type { Event, Millis, PullRequestNumber, TestRun, TestRunId } from '../../engine/index.ts'
import { seenIn, shownBy, type Mark } from './mark.ts'

/** A result comes and a pull request in that run is cancelled, in either order, at one instant. */
const resultAndCancel: Mark['watch'] = () => {
  const runs = new Map<TestRunId, TestRun>()
  let instant: Millis = -1
  let [ended, left] = [new Set<PullRequestNumber>(), new Set<PullRequestNumber>()]
  const see = (event: Event): void => {
    if (event.type === 'testRunStarted') runs.set(event.run.id, event.run)
    if (event.type === 'pullRequestMoved' && event.to === 'CANCELLED') left.add(event.number)
    if (event.type === 'departureDeferred') left.add(event.number)
    if (event.type !== 'testRunFinished') return
    const run = runs.get(event.testRun)
    for (const number of [...(run?.base ?? []), ...(run?.tested ?? [])]) ended.add(number)
    runs.delete(event.testRun)
  }
  return ({ command, events }) => {
    if (command.at !== instant) [ended, left] = [new Set(), new Set()]
    instant = command.at
    for (const event of events) see(event)
    return [...left].some((number) => ended.has(number))
  }
}

const mergedTwice: Mark['watch'] = () => {
  const merged = new Set<PullRequestNumber>()
  return ({ events }) =>
    events.some((event) => {
      if (event.type !== 'tipMoved' || event.number === null) return false
      const isSecond = merged.has(event.number)
      merged.add(event.number)
      return isSecond
    })
}

export const disturbanceMarks: readonly Mark[] = [
  {
    name: 'timeout',
    sentence: 'A run takes longer than the timeout, and counts as failed.',
    watch: shownBy('testRunFinished', ({ outcome }) => outcome === 'timed_out'),
  },
  {
    name: 'lost run retried',
    sentence: 'The runner has lost a run, and it is made again after a wait.',
    watch: shownBy('groupRestarted', ({ retry }) => retry !== null),
  },
  {
    name: 'lost run of a bisection retried',
    sentence: 'The runner has lost a run of a bisection, and it is made again after a wait.',
    watch: shownBy('bisectionRetryPlanned'),
  },
  {
    name: 'retries used up',
    sentence: 'The runner has lost a run for the third time: it counts as failed.',
    watch: shownBy('groupFailed', ({ reason }) => reason === 'START_TEST_RUN_RETRY_EXHAUSTED'),
  },
  {
    name: 'result and cancel at one instant',
    sentence: 'A run ends and somebody cancels a pull request in it, at one instant.',
    watch: resultAndCancel,
  },
  {
    name: 'push to the branch',
    sentence: 'Somebody pushes to the target branch while a run is under way, and it starts over.',
    watch: shownBy('testRunCancelled', ({ cause }) => cause === 'MANUAL_PUSH_TO_TARGET_BRANCH'),
  },
  {
    name: 'merge refused',
    sentence: 'The code host refuses a merge.',
    watch: shownBy('mergeRefused'),
  },
  {
    name: 'cancel in mid-merge',
    sentence: 'A pull request is taken out while the code host is merging it.',
    watch: shownBy('departureDeferred'),
  },
  {
    name: 'merged twice',
    sentence: 'A pull request that was merged is submitted again and merges once more.',
    watch: mergedTwice,
  },
  {
    name: 'crash in mid-merge',
    sentence: 'The engine dies while the code host is merging, and is rebuilt.',
    watch: seenIn(({ line, groups }, { death }) => {
      return (
        death !== undefined &&
        line.some((id) => {
          const phase = groups[id]?.phase
          return phase?.kind === 'passed' && phase.merging !== null
        })
      )
    }),
  },
  {
    name: 'crash in mid-bisection',
    sentence: 'The engine dies while a batch is bisected, and is rebuilt.',
    watch: seenIn(({ bisections }, { death }) => death !== undefined && bisections.length > 0),
  },
]
