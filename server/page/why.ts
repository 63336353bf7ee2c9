/** Why a pull request is where it is, in one sentence. No sentence names a person or a test. */

import { failureOfTip, type GroupView, type PullRequestView } from '../../engine/index.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { notReadyReasons } from '../views/readiness.ts'
import type * as wire from '../contract/wire.ts'
import type { UnnamedPullRequest, UnnamedQueue } from './public-view.ts'

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

/** The last pull requests of the groups that it is tested on top of, without those below these. */
function justAhead(queue: UnnamedQueue, { id, dependsOn }: GroupView): number[] {
  const { line, groups, configuration } = queue
  const before = line.indexOf(id) - 1
  const below =
    configuration.mode === 'parallel' ? dependsOn : line.slice(Math.max(0, before), before + 1)
  const known = below.flatMap((each) => groups[each] ?? [])
  const further = new Set(known.flatMap((each) => each.dependsOn))
  known.sort((one, other) => line.indexOf(one.id) - line.indexOf(other.id))
  return known.flatMap((each) => (further.has(each.id) ? [] : (each.members.at(-1) ?? [])))
}

const branchFails = 'The target branch fails by itself; the queue goes on when it passes.'

function whyInLine(queue: UnnamedQueue, group: GroupView): string {
  const { phase, members } = group
  const ahead = justAhead(queue, group)
  const together = members.length > 1 ? ` with ${several(members.length - 1)}` : ''
  switch (phase.kind) {
    case 'waiting':
      if (queue.state === 'PAUSED') return 'Waits for a run; the queue is paused.'
      if (failureOfTip(queue) && !group.urgent) return branchFails
      return phase.retry
        ? 'The runner lost its run; it is tested again.'
        : 'Waits for a free slot to be tested.'
    case 'testing':
      return `Tested${together}${ahead.length === 0 ? '' : ` on top of ${named(ahead)}`}.`
    case 'passed':
      if (phase.merging !== null) return 'Its tests passed; it is being merged.'
      return whyNotMerged(queue, group)
    case 'failed':
      return whyFailed(queue, phase.heldUntil !== null)
    case 'conflicted':
      return `It conflicts with #${phase.with}, and waits until that one merges or leaves.`
  }
}

function whyFailed(queue: UnnamedQueue, isHeld: boolean): string {
  if (failureOfTip(queue)) return branchFails
  if (Object.values(queue.testRuns).some(({ owner }) => owner.kind === 'tip')) {
    return 'Its run failed; whether the target branch fails by itself is being tested.'
  }
  return isHeld
    ? 'Its run failed; a run of those behind it may still clear it.'
    : 'Its run failed, and what is ahead is not settled yet.'
}

function whyNotMerged(queue: UnnamedQueue, group: GroupView): string {
  const ahead = justAhead(queue, group)
  if (queue.state === 'PAUSED') return 'Its tests passed; it merges when the queue is resumed.'
  if (ahead.length > 0) return `Its tests passed; it merges after ${named(ahead)}.`
  return group.provenBy === null ? 'Its tests passed; it merges next.' : 'Proven; it merges next.'
}

function whyWaiting(queue: UnnamedQueue, pullRequest: UnnamedPullRequest): string {
  const { configuration, slots, state } = queue
  if (state !== 'RUNNING') return `Waits; the queue is ${state.toLowerCase()}.`
  if (failureOfTip(queue)) return branchFails
  if (slots.main >= configuration.concurrency) {
    return configuration.concurrency === 1
      ? 'Waits for the only slot, which is in use.'
      : `Waits for a slot; all ${configuration.concurrency} are in use.`
  }
  const { batch, batchingMinSize } = configuration
  if (batch && !pullRequest.noBatch && batchingMinSize > 1) {
    return `Waits for a batch of up to ${batchingMinSize} to fill.`
  }
  return 'Waits for its turn.'
}

const mostNamed = 3

function named(numbers: readonly number[]): string {
  const shown = numbers.slice(0, mostNamed).map((number) => `#${number}`)
  const rest = numbers.length - shown.length
  const all = rest === 0 ? shown : [...shown, several(rest)]
  return [all.slice(0, -1).join(', '), ...all.slice(-1)].filter((part) => part !== '').join(' and ')
}

const several = (count: number): string => (count === 1 ? 'one other' : `${count} others`)

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
