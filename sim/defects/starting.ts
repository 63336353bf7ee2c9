/** Defects of starts: which pull requests start, when, and in which batch. */

import { engineParts, rules, type Event, type QueueView, type Rule } from '../../engine/index.ts'
import type { Defect } from './defect.ts'
import {
  alteringEvents,
  deciding,
  engineWithRules,
  evolving,
  evolvingAs,
  withMisreadSettings,
  withMisreadQueue,
  nothing,
} from '../run/altered-engines.ts'

const minuteMs = 60_000

/** Gives all pull requests that are not urgent the same priority. */
function levelled(event: Event): Event {
  const isSubmission =
    event.type === 'pullRequestSubmitted' || event.type === 'pullRequestRewritten'
  return isSubmission && event.priority > 0 ? { ...event, priority: 100 } : event
}

const oneSlotMore = ({
  concurrency,
}: {
  readonly concurrency: number
}): { concurrency: number } => ({
  concurrency: concurrency + 1,
})

/** Those that are noBatch do not wait, unless the first one is: then it starts. */
function withoutNoBatch({ pullRequests }: QueueView): Partial<QueueView> {
  const pending = Object.values(pullRequests)
    .filter(({ home, state }) => home.in === 'order' && state === 'PENDING')
    .toSorted((a, b) => a.priority - b.priority || a.submission - b.submission)
  if (pending[0]?.noBatch) return {}
  const hidden = pending
    .filter(({ noBatch }) => noBatch)
    .map((each) => [each.number, { ...each, state: 'NOT_READY' }] as const)
  return { pullRequests: { ...pullRequests, ...Object.fromEntries(hidden) } }
}

const wakeAllTheTime: Rule = (step) => {
  const hasActed = rules.armWake(step)
  const { queue, at } = step
  const soon = at + 10
  if (queue.bisections.length === 0 || (queue.wakeAt !== null && queue.wakeAt <= soon)) {
    return hasActed
  }
  step.emit({ type: 'wakeScheduled', wakeAt: soon })
  return true
}

export const startingDefects: readonly Defect[] = [
  {
    name: 'one-slot-too-many',
    sentence: 'One more main run than concurrency allows can be in progress.',
    parts: engineWithRules({
      startWaiting: withMisreadSettings(rules.startWaiting, oneSlotMore),
      formGroup: withMisreadSettings(rules.formGroup, oneSlotMore),
    }),
  },
  {
    name: 'slot-leaked-on-cancel',
    sentence: 'A cancelled run keeps its slot.',
    parts: evolving((queue, event) => {
      if (event.type === 'testRunCancelled') queue.slots.main++
    }),
  },
  {
    name: 'slot-freed-twice',
    sentence: 'A lost run frees two slots.',
    parts: evolving((queue, event) => {
      const isLost = event.type === 'testRunFinished' && event.outcome === 'errored'
      if (isLost && queue.slots.main > 0) queue.slots.main--
    }),
  },
  {
    name: 'batch-of-one-more',
    sentence: 'A batch takes one pull request more than the target size.',
    parts: engineWithRules({
      formGroup: withMisreadSettings(rules.formGroup, ({ batchingMinSize }) => ({
        batchingMinSize: batchingMinSize + 1,
      })),
    }),
  },
  {
    name: 'no-batch-ignored',
    sentence: 'A noBatch pull request is batched like the others.',
    parts: evolvingAs((event) =>
      event.type === 'pullRequestSubmitted' || event.type === 'pullRequestRewritten'
        ? { ...event, noBatch: false }
        : event,
    ),
  },
  {
    name: 'no-batch-passed-over',
    sentence: 'A batch takes pull requests from behind one that is noBatch.',
    parts: engineWithRules({
      formGroup: withMisreadQueue(rules.formGroup, withoutNoBatch),
    }),
  },
  {
    name: 'another-commit-ignored',
    sentence: 'The run of a commit merges the pull request after another commit was submitted.',
    parts: deciding((step, command) => {
      if (command.type !== 'submitPullRequest') return engineParts.decide(step, command)
      const { sha: _sha, ...unnamed } = command
      return engineParts.decide(step, unnamed)
    }),
  },
  {
    name: 'wait-forgotten',
    sentence: 'A batch that does not fill waits permanently, past the maximum wait.',
    parts: engineWithRules({
      formGroup: withMisreadSettings(rules.formGroup, () => ({
        batchingMaxWaitTimeMinutes: 1_000_000,
      })),
      armWake: withMisreadSettings(rules.armWake, () => ({
        batchingMaxWaitTimeMinutes: 1_000_000,
      })),
    }),
  },
  {
    name: 'priority-ignored',
    sentence: 'No priority except urgent changes the order.',
    parts: evolvingAs(levelled),
  },
  {
    name: 'urgent-ignored',
    sentence: 'An urgent pull request does not interrupt the line.',
    parts: engineWithRules({ interruptForUrgent: nothing }),
  },
  {
    name: 'urgent-at-the-end',
    sentence: 'An urgent pull request enters at the end of the line.',
    parts: engineWithRules({
      interruptForUrgent: alteringEvents(rules.interruptForUrgent, (event, { line }) => [
        event.type === 'groupPlaced' ? { ...event, index: line.length } : event,
      ]),
    }),
  },
  {
    name: 'first-in-order-skipped',
    sentence: 'A batch leaves out the pull request that is first in the pending order.',
    parts: engineWithRules({
      formGroup: alteringEvents(rules.formGroup, (event) => {
        const isBatch = event.type === 'groupPlaced' && event.members.length > 1
        return [isBatch ? { ...event, members: event.members.slice(1) } : event]
      }),
    }),
  },
  {
    name: 'new-before-restarted',
    sentence: 'New groups start before restarted groups in the line.',
    parts: {
      ...engineParts,
      rules: [
        ...engineParts.rules.filter(
          (rule) => rule !== rules.startWaiting && rule !== rules.armWake,
        ),
        rules.startWaiting,
        rules.armWake,
      ],
    },
  },
  {
    name: 'wake-not-armed',
    sentence: 'The engine never requests a wake-up.',
    parts: engineWithRules({ armWake: nothing }),
  },
  {
    name: 'wake-a-minute-late',
    sentence: 'The wake-up for timeouts and retries is requested a minute too late.',
    parts: engineWithRules({
      armWake: withMisreadQueue(rules.armWake, ({ nextDeadline }) => ({
        nextDeadline: nextDeadline === null ? null : nextDeadline + minuteMs,
      })),
    }),
  },
  {
    name: 'woken-for-nothing',
    sentence:
      'While a bisection is in progress, the engine requests a wake-up every ten milliseconds.',
    parts: engineWithRules({ armWake: wakeAllTheTime }),
  },
]
