/** Situations that the environment of the queue causes. */

import type {
  Command,
  Event,
  EventType,
  Millis,
  PullRequestNumber,
  TestRun,
  TestRunId,
} from '../../engine/index.ts'
import { seenInState, shownByEvent, type CoverageMark } from './coverage-mark.ts'

/** A run ends and a pull request in it is cancelled at the same instant, in either order. */
const resultAndCancel: CoverageMark['watch'] = () => {
  const runs = new Map<TestRunId, TestRun>()
  let instant: Millis = -1
  let [ended, left] = [new Set<PullRequestNumber>(), new Set<PullRequestNumber>()]
  const onEvent = (event: Event): void => {
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
    for (const event of events) onEvent(event)
    return [...left].some((number) => ended.has(number))
  }
}

const mergedTwice: CoverageMark['watch'] = () => {
  const merged = new Set<PullRequestNumber>()
  return ({ events }) =>
    events.some((event) => {
      if (event.type !== 'tipMoved' || event.number === null) return false
      const isSecond = merged.has(event.number)
      merged.add(event.number)
      return isSecond
    })
}

export const disturbanceMarks: readonly CoverageMark[] = [
  {
    name: 'timeout',
    sentence: 'A run takes longer than the timeout, and counts as failed.',
    watch: shownByEvent('testRunFinished', ({ outcome }) => outcome === 'timed_out'),
  },
  {
    name: 'lost run retried',
    sentence: 'The runner loses a run, and the run is repeated after a wait.',
    watch: shownByEvent('groupRestarted', ({ retry }) => retry !== null),
  },
  {
    name: 'lost run of a bisection retried',
    sentence: 'The runner loses a run of a bisection, and the run is repeated after a wait.',
    watch: shownByEvent('bisectionRetryPlanned'),
  },
  {
    name: 'retries used up',
    sentence: 'The runner loses a run for the third time, and the run counts as failed.',
    watch: shownByEvent('groupFailed', ({ reason }) => reason === 'START_TEST_RUN_RETRY_EXHAUSTED'),
  },
  {
    name: 'result and cancel at one instant',
    sentence: 'A run ends and a pull request in it is cancelled at the same instant.',
    watch: resultAndCancel,
  },
  {
    name: 'push to the branch',
    sentence: 'A push to the target branch cancels a run in progress, and its group restarts.',
    watch: shownByEvent(
      'testRunCancelled',
      ({ cause }) => cause === 'MANUAL_PUSH_TO_TARGET_BRANCH',
    ),
  },
  {
    name: 'merge refused',
    sentence: 'The code host refuses a merge.',
    watch: shownByEvent('mergeRefused'),
  },
  {
    name: 'cancel in mid-merge',
    sentence: 'A pull request is cancelled while the code host is merging it.',
    watch: shownByEvent('departureDeferred'),
  },
  {
    name: 'merged twice',
    sentence: 'A merged pull request is submitted again and merges again.',
    watch: mergedTwice,
  },
  {
    name: 'crash in mid-merge',
    sentence: 'The engine crashes while the code host is merging, and is rebuilt.',
    watch: seenInState(({ line, groups }, { crash }) => {
      return (
        crash !== undefined &&
        line.some((id) => {
          const phase = groups[id]?.phase
          return phase?.kind === 'passed' && phase.merging !== null
        })
      )
    }),
  },
  {
    name: 'crash in mid-bisection',
    sentence: 'The engine crashes while a batch is bisected, and is rebuilt.',
    watch: seenInState(({ bisections }, { crash }) => crash !== undefined && bisections.length > 0),
  },
]

// Situations that a code host with real branches causes: builds that fail, and pushes of groups.

/** How many pull requests an accepted answer of the code host says have landed. */
function landedBy(command: Command): number {
  if (command.type !== 'finishMerge' || command.refused !== null) return 0
  return command.numbers?.length ?? 1
}

export const hostingMarks: readonly CoverageMark[] = [
  {
    name: 'conflict found by a build',
    sentence: 'The branch of a run cannot be built, because two pull requests conflict as text.',
    watch: seenInState((_, { command }) => command.type === 'reportUnbuildable'),
  },
  {
    name: 'conflict of a batch found by a build',
    sentence: 'A member leaves its batch, because the branch of its run cannot be built with it.',
    watch: shownByEvent('groupSplit', (_, { command }) => command.type === 'reportUnbuildable'),
  },
  {
    name: 'group landed in one push',
    sentence: 'Several pull requests land in one push.',
    watch: seenInState((_, { command }) => landedBy(command) > 1),
  },
  {
    name: 'rest of a push requested again',
    sentence: 'Only the first of a group have landed, and the others are requested again.',
    watch: shownByEvent('mergeRequested', ({ group, numbers }, { queue }) => {
      const phase = queue.groups[group]?.phase
      return numbers !== undefined && phase?.kind === 'passed' && phase.begun
    }),
  },
]

// Situations that operators cause.

/** The queue is DRAINING with work in the line, until no work is left. */
const drained: CoverageMark['watch'] = () => {
  let hadWork = false
  return ({ queue: { state, line, bisections } }) => {
    const hasWork = line.length > 0 || bisections.length > 0
    if (state !== 'DRAINING') hadWork = false
    else if (hasWork) hadWork = true
    return hadWork && !hasWork
  }
}

const changes: ReadonlySet<EventType> = new Set(['queueConfigured', 'queueStateChanged'])

export const operationMarks: readonly CoverageMark[] = [
  {
    name: 'DRAINING finishes',
    sentence: 'A DRAINING queue has finished all work in its line.',
    watch: drained,
  },
  {
    name: 'mode switch with work in flight',
    sentence: 'The mode is changed while runs are in progress, and the change waits for them.',
    watch: shownByEvent('queueStateChanged', ({ to }, { queue: { slots } }) => {
      return to === 'SWITCHING_MODES' && slots.main + slots.bisection > 0
    }),
  },
  {
    name: 'result kept while PAUSED',
    sentence: 'A run passes while the queue is PAUSED, and its group merges later.',
    watch: shownByEvent('groupPassed', (_, { queue }) => queue.state === 'PAUSED'),
  },
  {
    name: 'failure while PAUSED',
    sentence: 'A run fails while the queue is PAUSED.',
    watch: shownByEvent('groupFailed', (_, { queue }) => queue.state === 'PAUSED'),
  },
  {
    name: 'queue changed in mid-bisection',
    sentence: 'The settings or the state of the queue change while a batch is bisected.',
    watch: seenInState(({ bisections }, { events }) => {
      const isChange = events.some(({ type }) => changes.has(type))
      return isChange && bisections.length > 0
    }),
  },
]
