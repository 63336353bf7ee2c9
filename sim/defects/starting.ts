/** Defects of starts: which pull requests start, when, and in which batch. */

import {
  type Configuration,
  engineParts,
  type Event,
  type QueueView,
  type Rule,
  rules,
} from '../../engine/index.ts'
import type { Defect } from './defect.ts'
import {
  alteringAllEvents,
  alteringEvents,
  deciding,
  engineWithRules,
  evolving,
  evolvingAs,
  nothing,
  withMisreadQueue,
  withMisreadSettings,
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

/** Defects of batches that grow: when they grow, how far, and when they wait. */
const pairs = ({ policy, batchingMinSize }: Configuration): Partial<Configuration> =>
  policy === 'adaptive' ? { batchingMinSize: Math.min(2, batchingMinSize) } : {}

export const growingDefects: readonly Defect[] = [
  {
    name: 'batches-never-grow',
    sentence: 'Batches that may grow stay pairs, however many pull requests wait.',
    parts: engineWithRules({ formGroup: withMisreadSettings(rules.formGroup, pairs) }),
  },
  {
    name: 'batches-grow-at-once',
    sentence: 'Batches that may grow fill up to the target size, however few pull requests wait.',
    parts: engineWithRules({
      formGroup: withMisreadSettings(rules.formGroup, () => ({ policy: 'documented' })),
    }),
  },
  {
    name: 'batches-grow-past-half-a-failure',
    sentence: 'Batches grow with those that wait, however often pull requests break.',
    parts: engineWithRules({
      formGroup: withMisreadQueue(rules.formGroup, ({ configuration }) =>
        configuration.policy === 'adaptive' ? { judged: { count: 1000, failed: 0 } } : {},
      ),
    }),
  },
  {
    name: 'batches-stay-pairs-where-many-fail',
    sentence: 'Batches stay pairs although more than one pull request in five fails.',
    parts: engineWithRules({
      formGroup: withMisreadQueue(rules.formGroup, ({ judged: { count, failed } }) => ({
        judged: { count, failed: Math.min(failed, Math.floor((10 + count) / 5) - 1) },
      })),
    }),
  },
  {
    name: 'a-batch-waits-in-an-idle-queue',
    sentence: 'With the adaptive policy a batch waits for further members in an idle queue.',
    parts: engineWithRules({
      // Group 0 does not exist, so that the line seems to hold others.
      formGroup: withMisreadQueue(rules.formGroup, ({ line }) => ({ line: [0, 0, ...line] })),
    }),
  },
  {
    name: 'no-batch-waits-in-a-busy-queue',
    sentence: 'With the adaptive policy no batch waits for further members.',
    parts: engineWithRules({
      formGroup: withMisreadSettings(rules.formGroup, ({ policy }) =>
        policy === 'adaptive' ? { batchingMaxWaitTimeMinutes: 0 } : {},
      ),
    }),
  },
]

// Defects of speculation: groups that are tested alone, and failures that step aside.

/** The engine that starts groups in the line on a false state of the queue. */
const startingOn = (misread: (queue: QueueView) => Partial<QueueView>): Defect['parts'] =>
  engineWithRules({ startWaiting: withMisreadQueue(rules.startWaiting, misread) })

/** A group that has passed alone passes, whatever is below it. */
function passedAlone(event: Event, queue: QueueView): readonly Event[] {
  if (event.type === 'groupScreened') {
    const phase = queue.groups[event.group]?.phase
    if (phase?.kind !== 'testing') return [event]
    return [{ type: 'groupPassed', group: event.group, run: phase.run }]
  }
  if (event.type !== 'pullRequestMoved' || event.reason !== 'SCREENING_TEST_RUN_PASSED')
    return [event]
  return [{ ...event, to: 'TESTS_PASSED', reason: 'TEST_RUN_PASSED' }]
}

/** Events without the mark that the failed run holds not all of the branch. */
function withoutOvertaken(event: Event): readonly Event[] {
  if (event.type !== 'bisectionStarted') return [event]
  const { overtaken: _overtaken, ...other } = event
  return [other]
}

/** Failures of groups that were tested on top of others do not step aside. */
function withoutAside(event: Event, queue: QueueView): readonly Event[] {
  if (event.type !== 'groupFailed') return [event]
  const phase = queue.groups[event.group]?.phase
  if (phase?.kind === 'testing' && phase.run.screening) return [event]
  const { aside: _aside, ...other } = event
  return [other]
}

export const speculatingDefects: readonly Defect[] = [
  {
    name: 'never-steps-aside',
    sentence: 'A failed group stays in the way of those behind, although it has to step aside.',
    parts: alteringAllEvents(withoutAside),
  },
  {
    name: 'merges-past-a-failure-aside',
    sentence: 'Without optimistic merging, groups merge past a failure that stepped aside.',
    parts: engineWithRules({
      merge: withMisreadQueue(rules.merge, ({ phases }) => ({ phases: { ...phases, failed: [] } })),
    }),
  },
  {
    name: 'never-screens',
    sentence: 'A group is tested on top of groups that will probably not all pass.',
    parts: engineWithRules({
      startWaiting: withMisreadSettings(rules.startWaiting, () => ({ policy: 'documented' })),
    }),
  },
  {
    name: 'screens-the-likely',
    sentence: 'A group is tested alone although its predecessors will probably all pass.',
    parts: startingOn(({ judged: { count, failed } }) => ({
      judged: { count: count + 20, failed: failed + 20 },
    })),
  },
  {
    name: 'screened-is-passed',
    sentence: 'A group that has passed alone merges without a run on top of its predecessors.',
    parts: alteringAllEvents(passedAlone),
  },
  {
    name: 'screened-is-forgotten',
    sentence:
      'A group that has passed alone gets no second run while another group is in the line.',
    parts: startingOn(({ phases, groups, line }) => ({
      phases: {
        ...phases,
        waiting: phases.waiting.filter((id) => line.length === 1 || !groups[id]?.screened),
      },
    })),
  },
  {
    name: 'survivors-are-tested-alone',
    sentence:
      'What a bisection has just proven is tested alone once more before it is tested on top.',
    parts: alteringAllEvents((event, { groups }) =>
      event.type === 'groupScreened' && groups[event.group]?.phase.kind === 'waiting'
        ? []
        : [event],
    ),
  },
  {
    name: 'overtaken-convicts',
    sentence: 'A failure from before another commit counts as a verdict of the bisection.',
    parts: alteringAllEvents(withoutOvertaken),
  },
]
