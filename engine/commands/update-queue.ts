import type { Configuration } from '../model/configuration.ts'
import type { WritableQueueState } from '../model/queue-state.ts'
import type { QueueView } from '../model/state.ts'
import type { UpdateQueue } from '../protocol/commands.ts'
import type { Rejection } from '../protocol/rejections.ts'
import { reviewAllReadiness } from '../transitions/readiness.ts'
import type { Decide } from './decide.ts'

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
 * True if no group is in the line and no bisection is in progress. Survivors return to the line.
 */
function isLineEmpty(queue: QueueView): boolean {
  return queue.line.length === 0 && queue.bisections.length === 0
}
