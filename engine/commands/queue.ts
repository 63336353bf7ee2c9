import type { Configuration } from '../model/configuration.ts'
import type { WritableQueueState } from '../model/queue-state.ts'
import type { QueueView, PullRequestNumber } from '../model/state.ts'
import type {
  UpdateQueue,
  AttachHost,
  QuarantineTest,
  ReleaseTest,
  Forget,
  Wake,
  Rejection,
} from '../protocol/commands.ts'
import { deadlineOf } from '../transitions/start-run.ts'
import { reviewAllReadiness } from '../transitions/readiness.ts'
import type { Decide } from '../evolve/step.ts'
import { entryOf, quarantineLimit } from '../model/quarantine.ts'
import { testKey } from '../model/ids.ts'
import { isLineEmpty } from '../model/predecessors.ts'
import { isTerminal } from '../model/pull-request.ts'
import { dependentsOf, isInQueue } from '../model/stack.ts'

type Mode = Configuration['mode']

/**
 * Changes settings, state and mode. Settings take effect at the next start; no run is stopped. The
 * states RUNNING, PAUSED and DRAINING change freely. A change of mode takes effect at once if the
 * line is empty, else the queue is SWITCHING_MODES until it is. Writing the value already in force
 * is never rejected.
 */
export const updateQueue: Decide<UpdateQueue> = (step, { set }) => {
  const { state, mode, ...settings } = set
  const changes = changesOf(step.queue, state, mode)
  const rejection = rejectionOf(step.queue, changes)
  if (rejection) return rejection
  if (Object.keys(settings).length > 0) step.emit({ type: 'queueConfigured', set: settings })
  const isImmediate = isLineEmpty(step.queue)
  const { state: from } = step.queue
  if (changes.mode !== null && !isImmediate) {
    const wishedMode = changes.mode
    step.emit({ type: 'queueStateChanged', from, to: 'SWITCHING_MODES', wishedMode })
    return null
  }
  if (changes.mode !== null) step.emit({ type: 'queueConfigured', set: { mode: changes.mode } })
  if (changes.state !== null) {
    step.emit({ type: 'queueStateChanged', from, to: changes.state, wishedMode: null })
  }
  if (changes.mode !== null || changes.state !== null) reviewAllReadiness(step)
  return null
}

type Changes = { readonly state: WritableQueueState | null; readonly mode: Mode | null }

/** The requested values that are not in force yet. */
function changesOf(
  queue: QueueView,
  state: WritableQueueState | undefined,
  mode: Mode | undefined,
): Changes {
  const modeInForce = queue.wishedMode ?? queue.configuration.mode
  return {
    state: state === undefined || state === queue.state ? null : state,
    mode: mode === undefined || mode === modeInForce ? null : mode,
  }
}

function rejectionOf(queue: QueueView, { state, mode }: Changes): Rejection | null {
  if (queue.state === 'SWITCHING_MODES' && (state !== null || mode !== null)) {
    return { code: 'switching modes' }
  }
  if (mode === null || isLineEmpty(queue)) return null
  if (queue.state !== 'RUNNING') return { code: 'mode change needs RUNNING', state: queue.state }
  return state === null ? null : { code: 'switching modes' }
}

/**
 * From here on each merge is requested from a code host. Refused while anybody is in the line or in a
 * bisection, because how a group merges does not change halfway. Rule: E-223.
 */
export const attachHost: Decide<AttachHost> = (step, { codeHost }) => {
  const { queue } = step
  if (codeHost === queue.codeHost) return null
  if (!isLineEmpty(queue)) return { code: 'line is not empty' }
  step.emit({ type: 'hostAttached', codeHost })
  return null
}

// Tests that people put in quarantine, and release. Rules: E-270, E-275.

/** Puts a test in quarantine, or renews its entry. What has been decided stays. */
export const quarantineTest: Decide<QuarantineTest> = (step, { test, who, why, until }) => {
  const tests = step.queue.quarantine?.tests ?? {}
  const key = testKey(test)
  const known = entryOf(step.queue, key)
  if (!known && Object.keys(tests).length >= quarantineLimit) return { code: 'quarantine is full' }
  const entry = {
    ...(who === undefined ? {} : { who }),
    ...(why === undefined ? {} : { why }),
    since: known?.since ?? step.at,
    ...(until === undefined ? {} : { until }),
  }
  step.emit({ type: 'testQuarantined', test: key, entry })
  return null
}

/** Takes a test out of quarantine. Runs that passed by it stay passed. */
export const releaseTest: Decide<ReleaseTest> = (step, { test }) => {
  const key = testKey(test)
  if (!entryOf(step.queue, key)) return { code: 'not in quarantine', test: key }
  step.emit({ type: 'testReleased', test: key })
  return null
}

/**
 * Forgets those of the pull requests that are not in the queue, and that nothing in progress can
 * depend on. Never rejected, because a what-if replay can meet others in the queue. Rule: E-211.
 */
export const forget: Decide<Forget> = (step, { numbers }) => {
  for (const number of forgettable(step.queue, numbers)) {
    step.emit({ type: 'pullRequestForgotten', number })
  }
  return null
}

/** The rules find what is due. Rule: E-308. */
export const wake: Decide<Wake> = (step, { isLate = false }) => {
  if (isLate && Object.keys(step.queue.testRuns).length > 0) {
    step.emit({ type: 'runTimesRenewed', deadline: deadlineOf(step) })
  }
  return null
}

/** Returns those of the pull requests that a `forget` would forget now. */
export function forgettable(
  queue: QueueView,
  numbers: readonly PullRequestNumber[],
): PullRequestNumber[] {
  const oldest = oldestSubmission(queue)
  return numbers.filter((number) => isForgettable(queue, number, oldest))
}

/**
 * A run contains only pull requests that were in the queue when it began. So nothing in progress
 * contains one that left before the oldest of those in progress was submitted.
 */
function isForgettable(queue: QueueView, number: PullRequestNumber, oldest: number): boolean {
  // Whether the other one of a text conflict has merged is still asked for.
  const conflicting = queue.hostFacts[number]?.conflictsWith ?? []
  if (conflicting.some((other) => isInQueue(queue, other))) return false
  // Whether it has landed is still asked for, and its targets count for those on top of it.
  if (dependentsOf(queue, number).length > 0) return false
  const pullRequest = queue.pullRequests[number]
  if (!pullRequest) return number in queue.impactedTargets || number in queue.hostFacts
  return isTerminal(pullRequest.state) && pullRequest.stateChangedAt < oldest
}

/** When the oldest submission in the line or in a bisection arrived; infinite if there is none. */
function oldestSubmission({ line, groups, bisections, pullRequests }: QueueView): number {
  const inLine = line.flatMap((id) => groups[id]?.members ?? [])
  const apart = bisections.flatMap(({ proven, open }) => [...proven, ...open])
  return [...inLine, ...apart].reduce(
    (oldest, number) => Math.min(oldest, pullRequests[number]?.submittedAt ?? oldest),
    Infinity,
  )
}
