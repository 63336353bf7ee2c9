/** Why a pull request is where it is, in one sentence. No sentence names a person or a test. */

import type { GroupView, PullRequestView, QueueView } from '../../engine/index.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { notReadyReasons } from '../views/readiness.ts'
import type * as wire from '../contract/wire.ts'

const notReady = {
  queue_paused: 'the queue is paused',
  queue_draining: 'the queue is draining and takes nobody new',
  queue_switching_modes: 'the queue is switching its mode',
  not_mergeable: 'it conflicts with the target branch, or its code host holds it back',
  impacted_targets_missing: 'its impacted targets are not known yet',
} as const satisfies Partial<Record<wire.NotReadyReason, string>>

/** The sentence for a pull request in the queue. */
export function whyOf(queue: ManagedQueue, pullRequest: PullRequestView): string {
  const { groups, bisections } = queue.engine.queue
  const { state, home } = pullRequest
  if (state === 'NOT_READY') return whyNotReady(queue, pullRequest)
  if (home.in === 'bisection') {
    const bisection = bisections.find(({ id }) => id === home.bisection)
    const open = bisection?.open.length ?? 0
    if (bisection?.proven.includes(pullRequest.number) === true) {
      return 'Proven by the bisection; it goes back into the line with the next start.'
    }
    return `Its batch failed; the bisection looks for the culprit among ${open}.`
  }
  const group = home.in === 'group' ? groups[home.group] : undefined
  if (group) return whyInLine(queue.engine.queue, group)
  return whyWaiting(queue.engine.queue, pullRequest)
}

function whyNotReady(queue: ManagedQueue, pullRequest: PullRequestView): string {
  const reasons = notReadyReasons(queue, pullRequest).map((reason) => notReady[reason])
  return sentence(`not ready: ${reasons.join(', and ')}`)
}

/** The last pull request of the group just ahead. */
function justAhead({ line, groups }: QueueView, { id }: GroupView): number | undefined {
  const place = line.indexOf(id)
  const group = place > 0 ? groups[line[place - 1] ?? 0] : undefined
  return group?.members.at(-1)
}

function whyInLine(queue: QueueView, group: GroupView): string {
  const { phase, members } = group
  const ahead = justAhead(queue, group)
  const together = members.length > 1 ? ` with ${several(members.length - 1)}` : ''
  switch (phase.kind) {
    case 'waiting':
      if (queue.state === 'PAUSED') return 'Waits for a run; the queue is paused.'
      return phase.retry
        ? 'The runner lost its run; it is tested again.'
        : 'Waits for a free slot to be tested.'
    case 'testing':
      return `Tested${together}${ahead === undefined ? '' : ` on top of #${ahead}`}.`
    case 'passed':
      if (phase.merging !== null) return 'Its tests passed; it is being merged.'
      return whyNotMerged(queue, group)
    case 'failed':
      return phase.heldUntil === null
        ? 'Its run failed, and what is ahead is not settled yet.'
        : 'Its run failed; a run of those behind it may still clear it.'
    case 'conflicted':
      return `It conflicts with #${phase.with}, and waits until that one merges or leaves.`
  }
}

function whyNotMerged(queue: QueueView, group: GroupView): string {
  const ahead = justAhead(queue, group)
  if (queue.state === 'PAUSED') return 'Its tests passed; it merges when the queue is resumed.'
  if (ahead !== undefined) return `Its tests passed; it merges after #${ahead}.`
  return group.provenBy === null ? 'Its tests passed; it merges next.' : 'Proven; it merges next.'
}

function whyWaiting(
  { configuration, slots, state }: QueueView,
  pullRequest: PullRequestView,
): string {
  if (state !== 'RUNNING') return `Waits; the queue is ${state.toLowerCase()}.`
  if (slots.main >= configuration.concurrency) {
    return `Waits for a slot; all ${configuration.concurrency} are in use.`
  }
  const { batch, batchingMinSize } = configuration
  if (batch && !pullRequest.noBatch && batchingMinSize > 1) {
    return `Waits for a batch of up to ${batchingMinSize} to fill.`
  }
  return 'Waits for its turn.'
}

const several = (count: number): string => (count === 1 ? 'one other' : `${count} others`)

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
