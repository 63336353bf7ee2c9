/** Defects of holds: a failure counts before its successors have spoken, or waits for too long. */

import { rules, type GroupPhase, type QueueView, type Rule } from '../../engine/index.ts'
import type { Defect } from './defect.ts'
import {
  alteringEvents,
  engineWithRules,
  nothing,
  withMisreadQueue,
  withMisreadSettings,
} from '../run/altered-engines.ts'

const minuteMs = 60_000

/** The engine that settles failures on a false state of the queue. */
const settlingOn = (misread: (queue: QueueView) => Partial<QueueView>): Defect['parts'] =>
  engineWithRules({ settleFailure: withMisreadQueue(rules.settleFailure, misread) })

/** The engine that settles failures with another depth, where there is one. */
const settlingWithDepth = (change: (depth: number) => number): Defect['parts'] =>
  engineWithRules({
    settleFailure: withMisreadSettings(rules.settleFailure, ({ pendingFailureDepth: depth }) => ({
      pendingFailureDepth: depth === 0 ? 0 : change(depth),
    })),
  })

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

export const holdingDefects: readonly Defect[] = [
  {
    name: 'depth-one-short',
    sentence: 'A failure waits for one successor fewer than pendingFailureDepth.',
    parts: settlingWithDepth((depth) => Math.max(1, depth - 1)),
  },
  {
    name: 'depth-one-more',
    sentence: 'A failure waits for one successor more than pendingFailureDepth.',
    parts: settlingWithDepth((depth) => depth + 1),
  },
  {
    name: 'hold-forgotten',
    sentence: 'A failure does not wait for its successors.',
    parts: settlingWithDepth(() => 0),
  },
  {
    name: 'not-held-though-flaky',
    sentence: 'A failure that is held only while runs flake is never held.',
    parts: engineWithRules({
      settleFailure: withMisreadSettings(rules.settleFailure, ({ policy }) =>
        policy === 'adaptive' ? { pendingFailureDepth: 0 } : {},
      ),
    }),
  },
  {
    name: 'every-failure-counts-as-a-flake',
    sentence: 'Failures that nothing has contradicted count among the runs that flake.',
    parts: settlingOn(({ configuration, verdicts }) =>
      configuration.policy === 'adaptive'
        ? { verdicts: verdicts.map((each) => ({ ...each, contradicted: true })) }
        : {},
    ),
  },
  {
    name: 'hold-ends-with-a-lost-run',
    sentence: 'A successor that waits to repeat a lost run is not awaited.',
    parts: settlingOn(withoutWaiting((isRetry) => isRetry)),
  },
  {
    name: 'hold-ends-with-a-restart',
    sentence: 'A successor that waits for a slot or a restart is not awaited.',
    parts: settlingOn(withoutWaiting((isRetry) => !isRetry)),
  },
  {
    name: 'later-successor-not-awaited',
    sentence: 'A successor that has not entered the line is not awaited.',
    parts: settlingOn(({ order }) => ({
      order: { ...order, arrivals: { ...order.arrivals, numbers: [], keys: [], head: 0 } },
    })),
  },
  {
    name: 'verdict-of-another-lane-counts',
    sentence:
      'A verdict behind a failure counts, also if its run does not contain the failed group.',
    parts: settlingOn(withRunsOfEverything),
  },
  {
    name: 'passes-end-no-hold',
    sentence: 'Of the verdicts on top of a failure only the failed ones count.',
    parts: settlingOn(({ phases }) => ({ phases: { ...phases, passed: [] } })),
  },
  {
    name: 'filling-batch-awaited',
    sentence: 'A failure waits for pull requests whose batch still fills.',
    parts: engineWithRules({
      settleFailure: withMisreadSettings(rules.settleFailure, () => ({ batchingMinSize: 1 })),
    }),
  },
  {
    name: 'hold-has-no-end',
    sentence: 'A failure waits without end for successors that have no run.',
    parts: settlingOn(withoutEnds),
  },
  {
    name: 'hold-never-begins',
    sentence: 'The end of a hold is never set.',
    parts: engineWithRules({ startHold: nothing }),
  },
  {
    name: 'hold-cut-short',
    sentence: 'A failure waits a minute too little for successors that have no run.',
    parts: engineWithRules({
      startHold: alteringEvents(rules.startHold, (event) => [
        event.type === 'holdStarted' ? { ...event, heldUntil: event.heldUntil - minuteMs } : event,
      ]),
    }),
  },
  {
    name: 'end-of-a-hold-slept-through',
    sentence: 'The engine does not ask to be woken at the end of a hold.',
    parts: engineWithRules({ armWake: wakeForRunsOnly }),
  },
]
