/** Defects of starts: which pull requests start, when, and in which batch. */

import { engineParts, rules } from '../../engine/index.ts'
import type {
  Configuration,
  EngineParts,
  Event,
  EventOf,
  QueueView,
  Rule,
} from '../../engine/index.ts'
import type { Defects } from './hunt.ts'
import {
  alteringAllEvents,
  alteringEventsOf,
  ofType,
  engineWithRules,
  evolving,
  evolvingAs,
  misreadingQueue,
  misreadingSettings,
  reading,
  without,
  withoutRules,
} from '../run/altered-engines.ts'

const minuteMs = 60_000

/** Changes what is kept of a submission. */
const submittedAs = (
  change: (event: EventOf<'pullRequestSubmitted' | 'pullRequestRewritten'>) => Event,
): EngineParts =>
  evolvingAs((event) => [
    event.type === 'pullRequestSubmitted' || event.type === 'pullRequestRewritten'
      ? change(event)
      : event,
  ])

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

export const startingDefects: Defects = {
  'one-slot-too-many': [
    'One more main run than concurrency allows can be in progress.',
    misreadingSettings(['startWaiting', 'formGroup'], ({ concurrency }) => ({
      concurrency: concurrency + 1,
    })),
  ],
  'slot-leaked-on-cancel': [
    'A cancelled run keeps its slot.',
    evolving((queue, event) => {
      if (event.type === 'testRunCancelled') queue.slots.main++
    }),
  ],
  'slot-freed-twice': [
    'A lost run frees two slots.',
    evolving((queue, event) => {
      const isLost = event.type === 'testRunFinished' && event.outcome === 'errored'
      if (isLost && queue.slots.main > 0) queue.slots.main--
    }),
  ],
  'batch-of-one-more': [
    'A batch takes one pull request more than the target size.',
    misreadingSettings('formGroup', ({ batchingMinSize }) => ({
      batchingMinSize: batchingMinSize + 1,
    })),
  ],
  'no-batch-ignored': [
    'A noBatch pull request is batched like the others.',
    submittedAs((event) => ({ ...event, noBatch: false })),
  ],
  'no-batch-passed-over': [
    'A batch takes pull requests from behind one that is noBatch.',
    misreadingQueue('formGroup', withoutNoBatch),
  ],
  'another-commit-ignored': [
    'The run of a commit merges the pull request after another commit was submitted.',
    reading('submitPullRequest', (command) => without(command, 'sha')),
  ],
  'wait-forgotten': [
    'A batch that does not fill waits permanently, past the maximum wait.',
    misreadingSettings(['formGroup', 'armWake'], () => ({
      batchingMaxWaitTimeMinutes: 1_000_000,
    })),
  ],
  'priority-ignored': [
    'No priority except urgent changes the order.',
    submittedAs((event) => (event.priority > 0 ? { ...event, priority: 100 } : event)),
  ],
  'urgent-ignored': [
    'An urgent pull request does not interrupt the line.',
    withoutRules('interruptForUrgent'),
  ],
  'urgent-at-the-end': [
    'An urgent pull request enters at the end of the line.',
    alteringEventsOf(
      'interruptForUrgent',
      ofType('groupPlaced', (event, { line }) => ({ ...event, index: line.length })),
    ),
  ],
  'first-in-order-skipped': [
    'A batch leaves out the pull request that is first in the pending order.',
    alteringEventsOf(
      'formGroup',
      ofType('groupPlaced', (event) =>
        event.members.length > 1 ? { ...event, members: event.members.slice(1) } : event,
      ),
    ),
  ],
  'new-before-restarted': [
    'New groups start before restarted groups in the line.',
    {
      ...engineParts,
      rules: [
        ...engineParts.rules.filter(
          (rule) => rule !== rules.startWaiting && rule !== rules.armWake,
        ),
        rules.startWaiting,
        rules.armWake,
      ],
    },
  ],
  'wake-not-armed': ['The engine never requests a wake-up.', withoutRules('armWake')],
  'wake-a-minute-late': [
    'The wake-up for timeouts and retries is requested a minute too late.',
    misreadingQueue('armWake', ({ nextDeadline }) => ({
      nextDeadline: nextDeadline === null ? null : nextDeadline + minuteMs,
    })),
  ],
  'woken-for-nothing': [
    'While a bisection is in progress, the engine requests a wake-up every ten milliseconds.',
    engineWithRules({ armWake: wakeAllTheTime }),
  ],
}

/** Defects of batches that grow: when they grow, how far, and when they wait. */
const pairs = ({ policy, batchingMinSize }: Configuration): Partial<Configuration> =>
  policy === 'adaptive' ? { batchingMinSize: Math.min(2, batchingMinSize) } : {}

export const growingDefects: Defects = {
  'batches-never-grow': [
    'Batches that may grow stay pairs, however many pull requests wait.',
    misreadingSettings('formGroup', pairs),
  ],
  'batches-grow-at-once': [
    'Batches that may grow fill up to the target size, however few pull requests wait.',
    misreadingSettings('formGroup', () => ({ policy: 'documented' })),
  ],
  'batches-grow-past-half-a-failure': [
    'Batches grow with those that wait, however often pull requests break.',
    misreadingQueue('formGroup', ({ configuration }) =>
      configuration.policy === 'adaptive' ? { judged: { count: 1000, failed: 0 } } : {},
    ),
  ],
  'batches-stay-pairs-where-many-fail': [
    'Batches stay pairs although more than one pull request in five fails.',
    misreadingQueue('formGroup', ({ judged: { count, failed } }) => ({
      judged: { count, failed: Math.min(failed, Math.floor((10 + count) / 5) - 1) },
    })),
  ],
  'a-batch-waits-in-an-idle-queue': [
    'With the adaptive policy a batch waits for further members in an idle queue.',
    // Group 0 does not exist, so that the line seems to hold others.
    misreadingQueue('formGroup', ({ line }) => ({ line: [0, 0, ...line] })),
  ],
  'no-batch-waits-in-a-busy-queue': [
    'With the adaptive policy no batch waits for further members.',
    misreadingSettings('formGroup', ({ policy }) =>
      policy === 'adaptive' ? { batchingMaxWaitTimeMinutes: 0 } : {},
    ),
  ],
}

// Defects of speculation: groups that are tested alone, and failures that step aside.

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

/** Failures of groups that were tested on top of others do not step aside. */
const withoutAside = ofType('groupFailed', (event, queue) => {
  const phase = queue.groups[event.group]?.phase
  const isAlone = phase?.kind === 'testing' && phase.run.screening === true
  return isAlone ? event : without(event, 'aside')
})

export const speculatingDefects: Defects = {
  'never-steps-aside': [
    'A failed group stays in the way of those behind, although it has to step aside.',
    alteringAllEvents(withoutAside),
  ],
  'merges-past-a-failure-aside': [
    'Without optimistic merging, groups merge past a failure that stepped aside.',
    misreadingQueue('merge', ({ phases }) => ({ phases: { ...phases, failed: [] } })),
  ],
  'never-screens': [
    'A group is tested on top of groups that will probably not all pass.',
    misreadingSettings('startWaiting', () => ({ policy: 'documented' })),
  ],
  'screens-the-likely': [
    'A group is tested alone although its predecessors will probably all pass.',
    misreadingQueue('startWaiting', ({ judged: { count, failed } }) => ({
      judged: { count: count + 20, failed: failed + 20 },
    })),
  ],
  'failure-says-nothing-of-those-below': [
    'A failed run does not make it less probable that those below it pass.',
    misreadingQueue('startWaiting', ({ phases }) => ({ phases: { ...phases, failed: [] } })),
  ],
  'screened-is-passed': [
    'A group that has passed alone merges without a run on top of its predecessors.',
    alteringAllEvents(passedAlone),
  ],
  'screened-is-forgotten': [
    'A group that has passed alone gets no second run while another group is in the line.',
    misreadingQueue('startWaiting', ({ phases, groups, line }) => ({
      phases: {
        ...phases,
        waiting: phases.waiting.filter((id) => line.length === 1 || !groups[id]?.screened),
      },
    })),
  ],
  'survivors-are-tested-alone': [
    'What a bisection has just proven is tested alone once more before it is tested on top.',
    alteringAllEvents(
      ofType('groupScreened', (event, { groups }) =>
        groups[event.group]?.phase.kind === 'waiting' ? null : event,
      ),
    ),
  ],
  'overtaken-convicts': [
    'A failure from before another commit counts as a verdict of the bisection.',
    alteringAllEvents(ofType('bisectionStarted', (event) => without(event, 'overtaken'))),
  ],
}
