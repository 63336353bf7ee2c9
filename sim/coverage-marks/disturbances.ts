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
import { seenInState, shownByEvent, type CoverageMarks, type Watch } from './coverage-mark.ts'

/** A run ends and a pull request in it is cancelled at the same instant, in either order. */
const resultAndCancel: Watch = () => {
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

const mergedTwice: Watch = () => {
  const merged = new Set<PullRequestNumber>()
  return ({ events }) =>
    events.some((event) => {
      if (event.type !== 'tipMoved' || event.number === null) return false
      const isSecond = merged.has(event.number)
      merged.add(event.number)
      return isSecond
    })
}

export const disturbanceMarks: CoverageMarks = {
  timeout: [
    'A run takes longer than the timeout, and counts as failed.',
    shownByEvent('testRunFinished', ({ outcome }) => outcome === 'timed_out'),
  ],
  'lost run retried': [
    'The runner loses a run, and the run is repeated after a wait.',
    shownByEvent('groupRestarted', ({ retry }) => retry !== null),
  ],
  'lost run of a bisection retried': [
    'The runner loses a run of a bisection, and the run is repeated after a wait.',
    shownByEvent('bisectionRetryPlanned'),
  ],
  'retries used up': [
    'The runner loses a run for the third time, and the run counts as failed.',
    shownByEvent('groupFailed', ({ reason }) => reason === 'START_TEST_RUN_RETRY_EXHAUSTED'),
  ],
  'result and cancel at one instant': [
    'A run ends and a pull request in it is cancelled at the same instant.',
    resultAndCancel,
  ],
  'push to the branch': [
    'A push to the target branch cancels a run in progress, and its group restarts.',
    shownByEvent('testRunCancelled', ({ cause }) => cause === 'MANUAL_PUSH_TO_TARGET_BRANCH'),
  ],
  'merge refused': ['The code host refuses a merge.', shownByEvent('mergeRefused')],
  'cancel in mid-merge': [
    'A pull request is cancelled while the code host is merging it.',
    shownByEvent('departureDeferred'),
  ],
  'merged twice': ['A merged pull request is submitted again and merges again.', mergedTwice],
  'crash in mid-merge': [
    'The engine crashes while the code host is merging, and is rebuilt.',
    seenInState(({ line, groups }, { crash }) => {
      return (
        crash !== undefined &&
        line.some((id) => {
          const phase = groups[id]?.phase
          return phase?.kind === 'passed' && phase.merging !== null
        })
      )
    }),
  ],
  'crash in mid-bisection': [
    'The engine crashes while a batch is bisected, and is rebuilt.',
    seenInState(({ bisections }, { crash }) => crash !== undefined && bisections.length > 0),
  ],
}

// Situations that a code host with real branches causes: builds that fail, and pushes of groups.

/** How many pull requests an accepted answer of the code host says have landed. */
function landedBy(command: Command): number {
  if (command.type !== 'finishMerge' || command.refused !== null) return 0
  return command.numbers?.length ?? 1
}

export const hostingMarks: CoverageMarks = {
  'conflict found by a build': [
    'The branch of a run cannot be built, because two pull requests conflict as text.',
    seenInState((_, { command }) => command.type === 'reportUnbuildable'),
  ],
  'conflict of a batch found by a build': [
    'A member leaves its batch, because the branch of its run cannot be built with it.',
    shownByEvent('groupSplit', (_, { command }) => command.type === 'reportUnbuildable'),
  ],
  'group landed in one push': [
    'Several pull requests land in one push.',
    seenInState((_, { command }) => landedBy(command) > 1),
  ],
  'rest of a push requested again': [
    'Only the first of a group have landed, and the others are requested again.',
    shownByEvent('mergeRequested', ({ group, numbers }, { queue }) => {
      const phase = queue.groups[group]?.phase
      return numbers !== undefined && phase?.kind === 'passed' && phase.begun
    }),
  ],
}

// Situations that operators cause.

/** The queue is DRAINING with work in the line, until no work is left. */
const drained: Watch = () => {
  let hadWork = false
  return ({ queue: { state, line, bisections } }) => {
    const hasWork = line.length > 0 || bisections.length > 0
    if (state !== 'DRAINING') hadWork = false
    else if (hasWork) hadWork = true
    return hadWork && !hasWork
  }
}

const changes: ReadonlySet<EventType> = new Set(['queueConfigured', 'queueStateChanged'])

export const operationMarks: CoverageMarks = {
  'DRAINING finishes': ['A DRAINING queue has finished all work in its line.', drained],
  'mode switch with work in flight': [
    'The mode is changed while runs are in progress, and the change waits for them.',
    shownByEvent('queueStateChanged', ({ to }, { queue: { slots } }) => {
      return to === 'SWITCHING_MODES' && slots.main + slots.bisection > 0
    }),
  ],
  'result kept while PAUSED': [
    'A run passes while the queue is PAUSED, and its group merges later.',
    shownByEvent('groupPassed', (_, { queue }) => queue.state === 'PAUSED'),
  ],
  'failure while PAUSED': [
    'A run fails while the queue is PAUSED.',
    shownByEvent('groupFailed', (_, { queue }) => queue.state === 'PAUSED'),
  ],
  'queue changed in mid-bisection': [
    'The settings or the state of the queue change while a batch is bisected.',
    seenInState(({ bisections }, { events }) => {
      const isChange = events.some(({ type }) => changes.has(type))
      return isChange && bisections.length > 0
    }),
  ],
}
