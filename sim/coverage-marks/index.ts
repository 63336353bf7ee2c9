/**
 * Coverage marks: situations that a campaign of the swarm must meet, because otherwise it says nothing about
 * them. A property must always hold; a mark must happen at least once.
 */

import { targetBatchSize, type EventType } from '../../engine/index.ts'
import type { StepReader } from '../observe/run-context.ts'
import type { Step } from '../steps/step.ts'
import { titled, type Titled } from '../steps/titled.ts'
import {
  drained,
  event,
  holdThatEndsIn,
  inTurn,
  mergedPast,
  resultAndCancel,
  state,
  threeDeep,
  twice,
  type Watch,
} from './watches.ts'

type Queue = Step['queue']

const phaseIn = ({ groups }: Queue, id: number) => groups[id]?.phase

/** It is neither merged nor gone. */
const isOpen = ({ pullRequests }: Queue, number: number): boolean =>
  ['TESTING', 'TESTS_PASSED', 'PENDING_FAILURE'].includes(pullRequests[number]?.state ?? '')

const changes: ReadonlySet<EventType> = new Set(['queueConfigured', 'queueStateChanged'])

export const coverageMarks: readonly Titled<Watch>[] = titled`
  cache hit: A bisection needs a verdict that it already has, and starts no run for it.
    ${event('testRunSaved')}
  bisection three deep: A batch fails, then a part of it, then a part of that part.
    ${threeDeep}
  several culprits in a batch: A bisection convicts a second member.
    ${twice((one) => (one.type === 'memberConvicted' ? one.bisection : null))}
  batch failed by a flake: A bisection ends without a conviction: the failure of the batch was a flake.
    ${event('bisectionEnded', ({ flake }) => flake)}
  single pull request bisected: A single pull request is not FAILED at once, but looked at once more in a bisection.
    ${event('bisectionStarted', ({ members }) => members.length === 1)}
  composition tested again: A composition that has failed is tested again.
    ${inTurn(
      (one) =>
        one.type === 'verdictRecorded' && one.outcome === 'failed' ? one.composition : null,
      (one) => (one.type === 'verdictRecorded' ? one.composition : null),
    )}
  cancel in mid-bisection: A pull request leaves the queue while its batch is bisected.
    ${event('memberDeparted')}
  survivors merged as proven: Pull requests that a bisection has proven merge without another run.
    ${event('groupPlaced', ({ cause }) => cause === 'proven')}
  survivors re-tested: The survivors of a bisection return to the line and are tested again.
    ${event('groupPlaced', ({ cause }) => cause === 'survivors')}
  two bisections at once: The bisection of a second batch starts before the first bisection has ended.
    ${state(({ bisections }) => bisections.length > 1)}
  branch moved under a bisection: A change from outside the batch reaches the branch while the batch is bisected.
    ${state(({ bisections }) => bisections.some(({ isTipMoved }) => isTipMoved))}
  failure not yet its own: A group fails on top of predecessors that have not merged, and waits for them.
    ${event('groupFailed', ({ group }, { queue }) => {
      const phase = phaseIn(queue, group)
      return phase?.kind === 'failed' && phase.run.base.some((number) => isOpen(queue, number))
    })}
  failure forgotten: A predecessor of a failed group leaves, and the group is tested again without it.
    ${event('pullRequestMoved', ({ from, reason }) => {
      const hasLeft = /^PREREQUISITE_MERGE_ITEM_(?:FAILED|CANCELLED)$/.test(reason ?? '')
      return from === 'PENDING_FAILURE' && hasLeft
    })}
  hold that ends in rescue: A failed group waits for its successors, and one of them passes and clears it.
    ${holdThatEndsIn('rescue')}
  hold that ends in failure: A failed group waits for its successors, and none of them clears it.
    ${holdThatEndsIn('failure')}
  failure not held: A failure does not wait for the groups behind, because few runs flake.
    ${event('groupFailed', ({ aside }, { queue: { configuration }, events }) => {
      const mayHold = configuration.policy === 'adaptive' && configuration.pendingFailureDepth > 0
      return aside === true && mayHold && events.some(({ type }) => type === 'groupRestarted')
    })}
  flake found out: A failure is contradicted by a run that passed.
    ${event('verdictContradicted')}
  passed by quarantine: A run passes although tests failed, because all of them are in quarantine.
    ${event('testRunFinished', ({ quarantined }) => quarantined === true)}
  branch at fault: The branch fails by itself, and nobody is FAILED for it.
    ${event('tipTested', ({ failure }) => failure !== null)}
  optimistic merge: A group is cleared by the run of a successor that contains it.
    ${event('groupPassed', ({ group, run: { owner } }) => {
      return owner.kind === 'main' && owner.group !== group
    })}
  urgent interrupting: An urgent pull request arrives, and a run in progress is cancelled for it.
    ${event('testRunCancelled', ({ cause }) => cause === 'SKIP_THE_LINE_INTERRUPTED')}
  batch filled: A batch starts because it is full.
    ${event('groupPlaced', ({ cause, members: { length } }, { queue: { configuration } }) => {
      return cause === 'formed' && length > 1 && length === targetBatchSize(configuration)
    })}
  batch cut by wait time: A batch starts before it is full, because a member has reached the maximum wait.
    ${event('groupPlaced', ({ cause, members }, { command, queue: { configuration } }) => {
      const isShort = members.length < targetBatchSize(configuration)
      const isByTime = configuration.policy === 'documented' && command.type === 'wake'
      return cause === 'formed' && isShort && isByTime
    })}
  batch grown: A batch holds more than two, because as many wait for each slot.
    ${event('groupPlaced', ({ cause, members }, { queue: { configuration } }) => {
      return cause === 'formed' && members.length > 2 && configuration.policy === 'adaptive'
    })}
  split off to be tested alone: A member that must be tested alone by now leaves its batch when the batch starts again.
    ${event('groupSplit', ({ cause }) => cause === 'noBatch')}
  text conflict: A pull request has a text conflict with one ahead of it, and waits for that one.
    ${event('groupConflicted')}
  text conflict resolved: A pull request is tested, because the one that it had a text conflict with has left.
    ${inTurn(
      (one) => (one.type === 'groupConflicted' ? one.group : null),
      (one) => {
        const owner = one.type === 'testRunStarted' ? one.run.owner : undefined
        return owner?.kind === 'main' ? owner.group : null
      },
    )}
  text conflict with the branch: A pull request has a text conflict with a merged one, and is FAILED.
    ${event('pullRequestMoved', ({ to, reason, testRun }) => {
      return to === 'FAILED' && reason === 'START_TEST_RUN_MERGE_CONFLICT' && testRun === null
    })}
  direct merge: A pull request that is green on the tip merges without a run.
    ${event('groupPlaced', ({ cause }) => cause === 'direct merge')}
  lanes side by side: A group is tested on the branch alone, although other groups are ahead of it in the line.
    ${event('testRunStarted', ({ run: { owner, base } }, { queue: { line } }) => {
      return owner.kind === 'main' && base.length === 0 && line.indexOf(owner.group) > 0
    })}
  merged past another lane: In parallel mode, a group merges before a group that started earlier.
    ${mergedPast}
  timeout: A run takes longer than the timeout, and counts as failed.
    ${event('testRunFinished', ({ outcome }) => outcome === 'timed_out')}
  lost run retried: The runner loses a run, and the run is repeated after a wait.
    ${event('groupRestarted', ({ retry }) => retry !== null)}
  lost run of a bisection retried: The runner loses a run of a bisection, and the run is repeated after a wait.
    ${event('bisectionRetryPlanned')}
  retries used up: The runner loses a run for the third time, and the run counts as failed.
    ${event('groupFailed', ({ reason }) => reason === 'START_TEST_RUN_RETRY_EXHAUSTED')}
  result and cancel at one instant: A run ends and a pull request in it is cancelled at the same instant.
    ${resultAndCancel}
  push to the branch: A push to the target branch cancels a run in progress, and its group restarts.
    ${event('testRunCancelled', ({ cause }) => cause === 'MANUAL_PUSH_TO_TARGET_BRANCH')}
  merge refused: The code host refuses a merge.
    ${event('mergeRefused')}
  cancel in mid-merge: A pull request is cancelled while the code host is merging it.
    ${event('departureDeferred')}
  merged twice: A merged pull request is submitted again and merges again.
    ${twice((one) => (one.type === 'tipMoved' ? one.number : null))}
  crash in mid-merge: The engine crashes while the code host is merging, and is rebuilt.
    ${state((queue, { crash }) => {
      const phases = crash === undefined ? [] : queue.line.map((id) => phaseIn(queue, id))
      return phases.some((phase) => phase?.kind === 'passed' && phase.merging !== null)
    })}
  crash in mid-bisection: The engine crashes while a batch is bisected, and is rebuilt.
    ${state(({ bisections }, { crash }) => crash !== undefined && bisections.length > 0)}
  conflict found by a build: The branch of a run cannot be built, because two pull requests conflict as text.
    ${state((_, { command }) => command.type === 'reportUnbuildable')}
  conflict of a batch found by a build: A member leaves its batch, because the branch of its run cannot be built with it.
    ${event('groupSplit', (_, { command }) => command.type === 'reportUnbuildable')}
  group landed in one push: Several pull requests land in one push.
    ${state((_, { command }) => {
      const isLanding = command.type === 'finishMerge' && command.refused === null
      return isLanding && (command.numbers?.length ?? 1) > 1
    })}
  rest of a push requested again: Only the first of a group have landed, and the others are requested again.
    ${event('mergeRequested', ({ group, numbers }, { queue }) => {
      const phase = phaseIn(queue, group)
      return numbers !== undefined && phase?.kind === 'passed' && phase.begun
    })}
  DRAINING finishes: A DRAINING queue has finished all work in its line.
    ${drained}
  mode switch with work in flight: The mode is changed while runs are in progress, and the change waits for them.
    ${event('queueStateChanged', ({ to }, { queue: { slots } }) => {
      return to === 'SWITCHING_MODES' && slots.main + slots.bisection > 0
    })}
  result kept while PAUSED: A run passes while the queue is PAUSED, and its group merges later.
    ${event('groupPassed', (_, { queue }) => queue.state === 'PAUSED')}
  failure while PAUSED: A run fails while the queue is PAUSED.
    ${event('groupFailed', (_, { queue }) => queue.state === 'PAUSED')}
  queue changed in mid-bisection: The settings or the state of the queue change while a batch is bisected.
    ${state(({ bisections }, { events }) => {
      return bisections.length > 0 && events.some(({ type }) => changes.has(type))
    })}
`

export const coverageMarkNames: readonly string[] = coverageMarks.map(({ name }) => name)

/** Records which marks a run reaches. Pass `observer` to the run. */
export class CoverageRecorder {
  readonly #reached = new Set<string>()
  /** A mark that has been met is not looked for any more. */
  #open = coverageMarks.map(({ name, value: watch }) => ({ name, isMet: watch() }))

  readonly observer = (): StepReader => (step) => {
    const found = this.#open.filter(({ isMet }) => isMet(step))
    if (found.length === 0) return
    for (const { name } of found) this.#reached.add(name)
    this.#open = this.#open.filter(({ name }) => !this.#reached.has(name))
  }

  /** The reached marks, in the order of the table. */
  get reached(): string[] {
    return coverageMarkNames.filter((name) => this.#reached.has(name))
  }
}
