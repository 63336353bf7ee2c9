/** Defects of the composition of runs, and of restarts when it changes. */

import {
  engineParts,
  rules,
  type EngineParts,
  type Event,
  type RestartReason,
  type Step,
} from '../../engine/index.ts'
import type { Defect } from './defect.ts'
import {
  alteredStep,
  alteringEvents,
  alteringAllEvents,
  deciding,
  decidingOnMisreadQueue,
  engineWithRules,
  evolving,
  withMisreadQueue,
} from '../run/altered-engines.ts'

/** Whether the event is part of a restart for this reason. */
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

/** The engine that overlooks uploads for pull requests that are in a group, or in a bisection. */
function ignoringUploads(where: 'group' | 'bisection'): EngineParts {
  return {
    ...engineParts,
    evolve(queue, event) {
      const uploaded =
        event.type === 'impactedTargetsSet' ? queue.pullRequests[event.number] : undefined
      const home = uploaded?.home
      if (!uploaded || home?.in !== where) return engineParts.evolve(queue, event)
      uploaded.home = { in: 'nowhere' }
      engineParts.evolve(queue, event)
      uploaded.home = home
    },
  }
}

/** The engine with other events of an upload. */
const uploading = (alter: (event: Event) => Event[]): EngineParts =>
  deciding((step, command) =>
    engineParts.decide(
      command.type === 'setImpactedTargets' ? alteredStep(step, alter) : step,
      command,
    ),
  )

export const composingDefects: readonly Defect[] = [
  {
    name: 'predecessor-forgotten',
    sentence: 'A main run leaves out the first pull request of its base.',
    parts: alteringAllEvents((event) => {
      if (event.type !== 'testRunStarted' || event.run.owner.kind !== 'main') return [event]
      const { base, submissions } = event.run
      if (base.length === 0) return [event]
      const run = { ...event.run, base: base.slice(1), submissions: submissions.slice(1) }
      return [{ ...event, run }]
    }),
  },
  {
    name: 'bisection-on-the-newest-tip',
    sentence: 'Bisection runs use the current tip of the branch, not the pinned tip.',
    parts: engineWithRules({
      startBisectionRuns: alteringEvents(rules.startBisectionRuns, (event, { tip }) => [
        event.type === 'testRunStarted'
          ? { ...event, run: { ...event.run, tip: tip.number } }
          : event,
      ]),
    }),
  },
  {
    name: 'text-conflict-forgotten',
    sentence: 'Runs are composed without a check for text conflicts.',
    parts: engineWithRules({
      startWaiting: withMisreadQueue(rules.startWaiting, () => ({ hostFacts: {} })),
    }),
  },
  {
    name: 'split-turns-the-order-round',
    sentence:
      'A member that leaves its batch because of a text conflict goes ahead of those that left it before.',
    parts: engineWithRules({
      startWaiting: alteringEvents(rules.startWaiting, (event, { line }) => [
        event.type === 'groupSplit' ? { ...event, index: line.indexOf(event.group) + 1 } : event,
      ]),
    }),
  },
  {
    name: 'cancel-restarts-nobody',
    sentence: 'Groups that were tested with a cancelled pull request continue without a restart.',
    parts: alteringAllEvents(withoutRestarts('PREREQUISITE_MERGE_ITEM_CANCELLED')),
  },
  {
    name: 'failure-restarts-nobody',
    sentence: 'Groups that were tested on top of a failed pull request continue without a restart.',
    parts: alteringAllEvents(withoutRestarts('PREREQUISITE_MERGE_ITEM_FAILED')),
  },
  {
    name: 'number-left-out',
    sentence: 'Every fifth number of a group is left out.',
    parts: alteringAllEvents((event) =>
      event.type === 'groupPlaced'
        ? [{ ...event, group: event.group + (event.group % 5 === 4 ? 1 : 0) }]
        : [event],
    ),
  },
  {
    name: 'push-restarts-nobody',
    sentence: 'A push to the branch restarts no group of the line.',
    parts: alteringAllEvents(withoutRestarts('MANUAL_PUSH_TO_TARGET_BRANCH')),
  },
  {
    name: 'urgent-restarts-nobody',
    sentence: 'Groups behind an urgent pull request continue without it in their base.',
    parts: alteringAllEvents(withoutRestarts('SKIP_THE_LINE_INTERRUPTED')),
  },
  {
    name: 'restart-takes-others-along',
    sentence: 'A restart of one pull request restarts the whole line.',
    parts: deciding((step, command) => {
      const rejection = engineParts.decide(step, command)
      if (command.type === 'restartTests' && rejection === null) restartLine(step)
      return rejection
    }),
  },
  {
    name: 'targets-index-stale',
    sentence: 'New targets of a pending pull request are missing in the index of targets.',
    parts: {
      ...engineParts,
      evolve(queue, event) {
        const before =
          event.type === 'impactedTargetsSet' ? structuredClone(queue.order.sharing) : null
        engineParts.evolve(queue, event)
        if (before) queue.order.sharing = before
      },
    },
  },
  {
    name: 'all-targets-ignored',
    sentence: 'A pull request with ALL targets counts as one without targets.',
    parts: {
      ...engineParts,
      evolve(queue, event) {
        const isAll = event.type === 'impactedTargetsSet' && event.targets === 'ALL'
        engineParts.evolve(queue, isAll ? { ...event, targets: [] } : event)
      },
    },
  },
  {
    name: 'upload-ignored-by-who-starts-again',
    sentence:
      'A group that starts again, or has passed alone, depends on what it depended on when it started, whatever was uploaded since.',
    parts: {
      ...engineParts,
      evolve(queue, event) {
        const startsAgain = event.type === 'groupRestarted' || event.type === 'groupScreened'
        const group = startsAgain ? queue.groups[event.group] : undefined
        const before = group?.dependsOn
        engineParts.evolve(queue, event)
        if (group && before) group.dependsOn = before
      },
    },
  },
  {
    name: 'upload-ignored-until-restart',
    sentence:
      'Targets that are uploaded for a pull request in the line count for nobody until its own group restarts.',
    parts: ignoringUploads('group'),
  },
  {
    name: 'upload-ignored-in-a-bisection',
    sentence: 'A bisection has the targets of its batch, whatever is uploaded for its members.',
    parts: ignoringUploads('bisection'),
  },
  {
    name: 'upload-restarts-nobody',
    sentence:
      'A group for which more targets are uploaded goes on, as do those that share one with it by now.',
    parts: uploading((event) =>
      event.type === 'groupMoved' ? [] : withoutRestarts('TESTS_RESTARTED_BY_API_REQUEST')(event),
    ),
  },
  {
    name: 'upload-keeps-its-place',
    sentence:
      'A group for which more targets are uploaded stays ahead of those that were tested without it.',
    parts: uploading((event) => (event.type === 'groupMoved' ? [] : [event])),
  },
  {
    name: 'upload-overlooks-what-merged',
    sentence:
      'More targets are uploaded for a group, and what has merged beside its run meanwhile does not count.',
    parts: deciding((step, command) =>
      command.type === 'setImpactedTargets'
        ? decidingOnMisreadQueue(() => ({ landed: [] })).decide(step, command)
        : engineParts.decide(step, command),
    ),
  },
  {
    name: 'lanes-depend-on-nobody',
    sentence: 'In parallel mode a new group depends on no group ahead of it.',
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
    sentence: 'A change of mode does not wait until the line is empty.',
    parts: engineWithRules({
      switchMode: withMisreadQueue(rules.switchMode, () => ({ line: [], bisections: [] })),
    }),
  },
  {
    name: 'mode-switched-at-once',
    sentence: 'A change of mode takes effect at once, as if the line were empty.',
    parts: deciding((step, command) =>
      command.type === 'updateQueue'
        ? decidingOnMisreadQueue(() => ({ line: [], bisections: [] })).decide(step, command)
        : engineParts.decide(step, command),
    ),
  },
]
