/** Defects of speculation: groups that are tested alone, and failures that step aside. */

import { rules, type Event, type QueueView } from '../../engine/index.ts'
import type { Defect } from './defect.ts'
import {
  alteringAllEvents,
  engineWithRules,
  withMisreadQueue,
  withMisreadSettings,
} from '../run/altered-engines.ts'

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
    name: 'overtaken-convicts',
    sentence: 'A failure from before another commit counts as a verdict of the bisection.',
    parts: alteringAllEvents(withoutOvertaken),
  },
]
