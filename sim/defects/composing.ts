/** Wrong about what a run is made of, and who restarts when that changes. */

import { parts, rules, type Event, type RestartReason, type Step } from '../../engine/index.ts'
import type { Defect } from './defect.ts'
import {
  bending,
  bendingAll,
  deciding,
  decidingMistaken,
  engineWith,
  evolving,
  mistaking,
} from './wrapping.ts'

/** Whatever restarts a group, for this reason. */
const isRestart = (event: Event, reason: RestartReason): boolean =>
  (event.type === 'testRunCancelled' && event.cause === reason) ||
  (event.type === 'groupRestarted' && event.reason === reason) ||
  (event.type === 'pullRequestMoved' && event.to === 'PENDING' && event.reason === reason)

const withoutRestarts =
  (reason: RestartReason) =>
  (event: Event): Event[] =>
    isRestart(event, reason) ? [] : [event]

function restartLine(step: Step): void {
  const reason = 'TESTS_RESTARTED_BY_API_REQUEST'
  for (const id of [...step.queue.line]) {
    const group = step.queue.groups[id]
    if (group?.phase.kind !== 'testing') continue
    step.emit({ type: 'testRunCancelled', testRun: group.phase.run.id, cause: reason })
    step.emit({ type: 'groupRestarted', group: id, reason, retry: null })
    for (const number of [...group.members]) {
      const move = { type: 'pullRequestMoved', number, reason, testRun: null } as const
      step.emit({ ...move, from: 'TESTING', to: 'PENDING' })
    }
  }
}

export const composingDefects: readonly Defect[] = [
  {
    name: 'predecessor-forgotten',
    sentence: 'A main run leaves out the first pull request below it.',
    parts: bendingAll((event) => {
      if (event.type !== 'testRunStarted' || event.run.owner.kind !== 'main') return [event]
      const { base, submissions } = event.run
      if (base.length === 0) return [event]
      const run = { ...event.run, base: base.slice(1), submissions: submissions.slice(1) }
      return [{ ...event, run }]
    }),
  },
  {
    name: 'bisection-on-the-newest-tip',
    sentence: 'Runs of a bisection are made on the branch as it is, not on the pinned tip.',
    parts: engineWith({
      startBisectionRuns: bending(rules.startBisectionRuns, (event, { tip }) => [
        event.type === 'testRunStarted'
          ? { ...event, run: { ...event.run, tip: tip.number } }
          : event,
      ]),
    }),
  },
  {
    name: 'text-conflict-forgotten',
    sentence: 'Runs are put together without a look at text conflicts.',
    parts: engineWith({ startWaiting: mistaking(rules.startWaiting, () => ({ hostFacts: {} })) }),
  },
  {
    name: 'cancel-restarts-nobody',
    sentence: 'Who was tested with a pull request that was taken out goes on as if nothing were.',
    parts: bendingAll(withoutRestarts('PREREQUISITE_MERGE_ITEM_CANCELLED')),
  },
  {
    name: 'failure-restarts-nobody',
    sentence: 'Who was tested on top of a pull request that failed goes on as if nothing were.',
    parts: bendingAll(withoutRestarts('PREREQUISITE_MERGE_ITEM_FAILED')),
  },
  {
    name: 'push-restarts-nobody',
    sentence: 'A push to the branch is noted, and the line goes on with what it was testing.',
    parts: bendingAll(withoutRestarts('MANUAL_PUSH_TO_TARGET_BRANCH')),
  },
  {
    name: 'urgent-restarts-nobody',
    sentence: 'Those behind an urgent pull request go on without it below them.',
    parts: bendingAll(withoutRestarts('SKIP_THE_LINE_INTERRUPTED')),
  },
  {
    name: 'restart-takes-others-along',
    sentence: 'When a pull request is to be tested again, so is the whole line.',
    parts: deciding((step, command) => {
      const rejection = parts.decide(step, command)
      if (command.type === 'restartTests' && rejection === null) restartLine(step)
      return rejection
    }),
  },
  {
    name: 'targets-index-stale',
    sentence: 'New targets of a pull request that waits are not found by who looks for them.',
    parts: {
      ...parts,
      evolve(queue, event) {
        const before =
          event.type === 'impactedTargetsSet' ? structuredClone(queue.order.sharing) : null
        parts.evolve(queue, event)
        if (before) queue.order.sharing = before
      },
    },
  },
  {
    name: 'all-targets-ignored',
    sentence: 'Who impacts ALL targets counts as impacting none.',
    parts: {
      ...parts,
      evolve(queue, event) {
        const isAll = event.type === 'impactedTargetsSet' && event.targets === 'ALL'
        parts.evolve(queue, isAll ? { ...event, targets: [] } : event)
      },
    },
  },
  {
    name: 'lanes-depend-on-nobody',
    sentence: 'In parallel mode a new group depends on nothing ahead of it.',
    parts: evolving((queue, event) => {
      const group = event.type === 'groupPlaced' ? queue.groups[event.group] : undefined
      if (group) group.dependsOn = []
    }),
  },
  {
    name: 'lanes-beside-no-bisection',
    sentence:
      'In parallel mode a new group does not notice bisections that share a target with it.',
    parts: evolving((queue, event) => {
      const group = event.type === 'groupPlaced' ? queue.groups[event.group] : undefined
      if (group) group.beside = []
    }),
  },
  {
    name: 'mode-switched-while-busy',
    sentence: 'A change of mode does not wait for the line to be empty.',
    parts: engineWith({
      switchMode: mistaking(rules.switchMode, () => ({ line: [], bisections: [] })),
    }),
  },
  {
    name: 'mode-switched-at-once',
    sentence: 'A change of mode is taken for one on an empty line.',
    parts: deciding((step, command) =>
      command.type === 'updateQueue'
        ? decidingMistaken(() => ({ line: [], bisections: [] })).decide(step, command)
        : parts.decide(step, command),
    ),
  },
]
