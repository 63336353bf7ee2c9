/** Defects of holds: a failure counts before its successors have spoken, or waits for too long. */

import { rules } from '../../engine/index.ts'
import type { GroupPhase, QueueView, Rule, EngineParts } from '../../engine/index.ts'
import type { Defects } from './hunt.ts'
import {
  alteringEventsOf,
  ofType,
  engineWithRules,
  evolvingAs,
  mapped,
  misreadingFor,
  misreadingQueue,
  misreadingSettings,
  withMisreadQueue,
  withoutRules,
} from '../run/altered-engines.ts'

// Defects of waits, sizes and merges: the queue does something too early, takes too few, or never
// does what it could.

type Settings = QueueView['configuration']

/** The rules that read how long a batch waits. */
const withWait = (wait: (minutes: number) => number): EngineParts => {
  const shortened = ({ batchingMaxWaitTimeMinutes }: Settings): Partial<Settings> => ({
    batchingMaxWaitTimeMinutes: wait(batchingMaxWaitTimeMinutes),
  })
  return misreadingSettings(['formGroup', 'armWake'], shortened)
}

/** A pull request that waits counts as PENDING since its submission. */
const sinceSubmission = (queue: QueueView): Partial<QueueView> => {
  const pullRequests = mapped(queue.pullRequests, (one) =>
    one.pendingSince === null ? one : { ...one, pendingSince: one.submittedAt },
  )
  const waiting = Object.values(pullRequests).filter(
    ({ home, state }) => home.in === 'order' && state === 'PENDING',
  )
  const oldest = waiting.toSorted((a, b) => a.submittedAt - b.submittedAt)
  const arrivals = {
    head: 0,
    numbers: oldest.map(({ number }) => number),
    keys: oldest.map(({ submittedAt }) => submittedAt),
  }
  return { pullRequests, order: { ...queue.order, arrivals } }
}

/** Runs under way time out by the settings of now. */
const expireBySettings: Rule = (step) => {
  const { queue, at } = step
  const limit = queue.configuration.testingTimeoutMinutes * minuteMs
  const testRuns = mapped(queue.testRuns, (run) => {
    return { ...run, deadline: Math.min(run.deadline, run.startedAt + limit) }
  })
  const isAnyDue = Object.values(testRuns).some(({ deadline }) => deadline <= at)
  const early = withMisreadQueue(rules.expireRuns, () => ({ testRuns, nextDeadline: at }))
  return isAnyDue && early(step)
}

export const tooEarlyOrNeverDefects: Defects = {
  'wait-skipped': ['A batch does not wait to fill.', withWait(() => 0)],
  'wait-halved': [
    'A batch waits for half of the maximum wait.',
    withWait((minutes) => minutes / 2),
  ],
  'wait-from-submission': [
    'The wait of a batch counts from the submission of a member, not from PENDING.',
    misreadingQueue(['formGroup', 'armWake'], sinceSubmission),
  ],
  'batch-of-one-fewer': [
    'A batch leaves out the last pull request that could join it.',
    alteringEventsOf(
      'formGroup',
      ofType('groupPlaced', (event) =>
        event.members.length > 1 ? { ...event, members: event.members.slice(0, -1) } : event,
      ),
    ),
  ],
  'direct-merge-never': [
    'A pull request that may merge without a run is tested.',
    withoutRules('mergeDirectly'),
  ],
  'survivors-never-merge-at-once': [
    'Survivors of a bisection always return to the line to be tested again.',
    withoutRules('mergeSurvivors'),
  ],
  'lowered-priority-ignored': [
    'The first that waits stays the first when its priority is lowered.',
    evolvingAs(
      ofType('pullRequestRewritten', (event, { pullRequests, order: { levels } }) => {
        const known = pullRequests[event.number]
        const isFirst = known !== undefined && levels[0]?.numbers[levels[0].head] === known.number
        return isFirst ? { ...event, priority: Math.min(event.priority, known.priority) } : event
      }),
    ),
  ],
  'timeout-of-now': [
    'A shorter testingTimeoutMinutes also ends runs that started before it was set.',
    engineWithRules({ expireRuns: expireBySettings }),
  ],
  'paused-in-mid-batch': [
    'A PAUSED queue does not finish a batch of which the first member has merged.',
    misreadingQueue('merge', ({ groups, state }) => ({
      groups: mapped(groups, (group) =>
        state === 'PAUSED' && group.phase.kind === 'passed'
          ? { ...group, phase: { ...group.phase, begun: false } }
          : group,
      ),
    })),
  ],
  'cancel-waits-for-the-batch': [
    'A cancel of any member is stored while the code host merges one of its batch.',
    misreadingFor('cancelPullRequest', ({ groups }, { number: merging }) => ({
      groups: mapped(groups, (group) => {
        const { phase, members } = group
        const isMerging = phase.kind === 'passed' && phase.merging !== null
        return isMerging && members.includes(merging)
          ? { ...group, phase: { ...phase, merging } }
          : group
      }),
    })),
  ],
}

const minuteMs = 60_000

/** The engine that settles failures with another depth, where there is one. */
const settlingWithDepth = (change: (depth: number) => number): EngineParts =>
  misreadingSettings('settleFailure', ({ pendingFailureDepth: depth }) => ({
    pendingFailureDepth: depth === 0 ? 0 : change(depth),
  }))

/** The queue without some of its groups that wait for a run. */
const withoutWaiting =
  (isHidden: (isRetry: boolean) => boolean) =>
  ({ phases, groups }: QueueView): Partial<QueueView> => ({
    phases: {
      ...phases,
      waiting: phases.waiting.filter((id) => {
        const phase = groups[id]?.phase
        return phase?.kind === 'waiting' && !isHidden(phase.retry !== null)
      }),
    },
  })

/** The groups with another phase. Later changes of the groups are visible. */
const withPhases = (
  groups: QueueView['groups'],
  change: (phase: GroupPhase) => GroupPhase,
): QueueView['groups'] =>
  new Proxy(groups, {
    get(target, key): unknown {
      const group = typeof key === 'string' ? target[Number(key)] : undefined
      return group ? { ...group, phase: change(group.phase) } : Reflect.get(target, key)
    },
  })

/** The queue in which every run that gave a verdict contains every pull request. */
const withRunsOfEverything = ({ groups, pullRequests }: QueueView): Partial<QueueView> => ({
  groups: withPhases(groups, (phase) => {
    if ((phase.kind !== 'passed' && phase.kind !== 'failed') || !phase.run) return phase
    const all = Object.values(pullRequests).map(({ submission }) => submission)
    return { ...phase, run: { ...phase.run, submissions: [...phase.run.submissions, ...all] } }
  }),
})

/** The queue in which no hold has an end. */
const withoutEnds = ({ groups }: QueueView): Partial<QueueView> => ({
  groups: withPhases(groups, (phase) =>
    phase.kind === 'failed' ? { ...phase, heldUntil: null } : phase,
  ),
})

/** Requests wake-ups for timeouts and retries, but not for the end of a hold. */
const wakeForRunsOnly: Rule = withMisreadQueue(rules.armWake, (queue) => {
  const due = Object.values(queue.testRuns).map(({ deadline }) => deadline)
  for (const id of queue.phases.waiting) {
    const phase = queue.groups[id]?.phase
    if (phase?.kind === 'waiting' && phase.retry) due.push(phase.retry.notBefore)
  }
  for (const { retries } of queue.bisections) due.push(...retries.map(({ notBefore }) => notBefore))
  const later = due.filter((instant) => instant > queue.now)
  return { nextDeadline: later.length > 0 ? Math.min(...later) : null }
})

export const holdingDefects: Defects = {
  'depth-one-short': [
    'A failure waits for one successor fewer than pendingFailureDepth.',
    settlingWithDepth((depth) => Math.max(1, depth - 1)),
  ],
  'depth-one-more': [
    'A failure waits for one successor more than pendingFailureDepth.',
    settlingWithDepth((depth) => depth + 1),
  ],
  'hold-forgotten': ['A failure does not wait for its successors.', settlingWithDepth(() => 0)],
  'not-held-though-flaky': [
    'A failure that is held only while runs flake is never held.',
    misreadingSettings('settleFailure', ({ policy }) =>
      policy === 'adaptive' ? { pendingFailureDepth: 0 } : {},
    ),
  ],
  'every-failure-counts-as-a-flake': [
    'Failures that nothing has contradicted count among the runs that flake.',
    misreadingQueue('settleFailure', ({ configuration, verdicts }) =>
      configuration.policy === 'adaptive'
        ? { verdicts: verdicts.map((each) => ({ ...each, contradicted: true })) }
        : {},
    ),
  ],
  'hold-ends-with-a-lost-run': [
    'A successor that waits to repeat a lost run is not awaited.',
    misreadingQueue(
      'settleFailure',
      withoutWaiting((isRetry) => isRetry),
    ),
  ],
  'hold-ends-with-a-restart': [
    'A successor that waits for a slot or a restart is not awaited.',
    misreadingQueue(
      'settleFailure',
      withoutWaiting((isRetry) => !isRetry),
    ),
  ],
  'later-successor-not-awaited': [
    'A successor that has not entered the line is not awaited.',
    misreadingQueue('settleFailure', ({ order }) => ({
      order: { ...order, arrivals: { ...order.arrivals, numbers: [], keys: [], head: 0 } },
    })),
  ],
  'verdict-of-another-lane-counts': [
    'A verdict behind a failure counts, also if its run does not contain the failed group.',
    misreadingQueue('settleFailure', withRunsOfEverything),
  ],
  'passes-end-no-hold': [
    'Of the verdicts on top of a failure only the failed ones count.',
    misreadingQueue('settleFailure', ({ phases }) => ({ phases: { ...phases, passed: [] } })),
  ],
  'filling-batch-awaited': [
    'A failure waits for pull requests whose batch still fills.',
    misreadingSettings('settleFailure', () => ({ batchingMinSize: 1 })),
  ],
  'hold-has-no-end': [
    'A failure waits without end for successors that have no run.',
    misreadingQueue('settleFailure', withoutEnds),
  ],
  'hold-never-begins': ['The end of a hold is never set.', withoutRules('startHold')],
  'hold-cut-short': [
    'A failure waits a minute too little for successors that have no run.',
    alteringEventsOf(
      'startHold',
      ofType('holdStarted', (event) => ({ ...event, heldUntil: event.heldUntil - minuteMs })),
    ),
  ],
  'end-of-a-hold-slept-through': [
    'The engine does not ask to be woken at the end of a hold.',
    engineWithRules({ armWake: wakeForRunsOnly }),
  ],
}
