/** Wrong about who starts, when, and in what company. */

import { parts, rules, type Event, type Rule } from '../../engine/index.ts'
import type { Defect } from './defect.ts'
import {
  bending,
  engineWith,
  evolving,
  evolvingAs,
  misreading,
  mistaking,
  nothing,
} from './wrapping.ts'

const minuteMs = 60_000

/** One priority for everybody who is not urgent. */
function levelled(event: Event): Event {
  const isWish = event.type === 'pullRequestSubmitted' || event.type === 'pullRequestRewritten'
  return isWish && event.priority > 0 ? { ...event, priority: 100 } : event
}

const oneSlotMore = ({
  concurrency,
}: {
  readonly concurrency: number
}): { concurrency: number } => ({
  concurrency: concurrency + 1,
})

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
    sentence: 'One main run more than concurrency allows may be under way.',
    parts: engineWith({
      startWaiting: misreading(rules.startWaiting, oneSlotMore),
      formGroup: misreading(rules.formGroup, oneSlotMore),
    }),
  },
  {
    name: 'slot-leaked-on-cancel',
    sentence: 'A run that is cancelled keeps its slot.',
    parts: evolving((queue, event) => {
      if (event.type === 'testRunCancelled') queue.slots.main++
    }),
  },
  {
    name: 'slot-freed-twice',
    sentence: 'A run that was lost gives back two slots.',
    parts: evolving((queue, event) => {
      const isLost = event.type === 'testRunFinished' && event.outcome === 'errored'
      if (isLost && queue.slots.main > 0) queue.slots.main--
    }),
  },
  {
    name: 'batch-of-one-more',
    sentence: 'Batches take one more than the target size.',
    parts: engineWith({
      formGroup: misreading(rules.formGroup, ({ batchingMinSize }) => ({
        batchingMinSize: batchingMinSize + 1,
      })),
    }),
  },
  {
    name: 'no-batch-ignored',
    sentence: 'Who asked to be tested alone is batched like everybody else.',
    parts: evolvingAs((event) =>
      event.type === 'pullRequestSubmitted' || event.type === 'pullRequestRewritten'
        ? { ...event, noBatch: false }
        : event,
    ),
  },
  {
    name: 'wait-forgotten',
    sentence: 'A batch that does not fill waits for ever, past the maximum wait.',
    parts: engineWith({
      formGroup: misreading(rules.formGroup, () => ({ batchingMaxWaitTimeMinutes: 1_000_000 })),
      armWake: misreading(rules.armWake, () => ({ batchingMaxWaitTimeMinutes: 1_000_000 })),
    }),
  },
  {
    name: 'priority-ignored',
    sentence: 'Only who is urgent goes before others.',
    parts: evolvingAs(levelled),
  },
  {
    name: 'urgent-ignored',
    sentence: 'An urgent pull request waits for its turn.',
    parts: engineWith({ interruptForUrgent: nothing }),
  },
  {
    name: 'urgent-at-the-end',
    sentence: 'An urgent pull request comes in at the end of the line.',
    parts: engineWith({
      interruptForUrgent: bending(rules.interruptForUrgent, (event, { line }) => [
        event.type === 'groupPlaced' ? { ...event, index: line.length } : event,
      ]),
    }),
  },
  {
    name: 'first-in-order-skipped',
    sentence: 'A batch of several leaves out whoever is first in the order.',
    parts: engineWith({
      formGroup: bending(rules.formGroup, (event) => {
        const isBatch = event.type === 'groupPlaced' && event.members.length > 1
        return [isBatch ? { ...event, members: event.members.slice(1) } : event]
      }),
    }),
  },
  {
    name: 'new-before-restarted',
    sentence: 'New groups start before those in the line that were restarted.',
    parts: {
      ...parts,
      rules: [
        ...parts.rules.filter((rule) => rule !== rules.startWaiting && rule !== rules.armWake),
        rules.startWaiting,
        rules.armWake,
      ],
    },
  },
  {
    name: 'wake-not-armed',
    sentence: 'The engine never asks to be woken.',
    parts: engineWith({ armWake: nothing }),
  },
  {
    name: 'wake-a-minute-late',
    sentence: 'The wake-up for timeouts and retries is asked for a minute too late.',
    parts: engineWith({
      armWake: mistaking(rules.armWake, ({ nextDeadline }) => ({
        nextDeadline: nextDeadline === null ? null : nextDeadline + minuteMs,
      })),
    }),
  },
  {
    name: 'woken-for-nothing',
    sentence: 'While a bisection goes on, the engine asks to be woken every ten milliseconds.',
    parts: engineWith({ armWake: wakeAllTheTime }),
  },
]
