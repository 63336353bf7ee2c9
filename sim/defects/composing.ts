/** Defects of the composition of runs, and of restarts when it changes. */

import { engineParts } from '../../engine/index.ts'
import type { EngineParts, Event, Queue, RestartReason, Step } from '../../engine/index.ts'
import type { Defects } from './hunt.ts'
import {
  alteringAllEvents,
  alteringDecisions,
  alteringEventsOf,
  decidingOn,
  ofType,
  evolving,
  evolvingAs,
  misreadingFor,
  misreadingQueue,
  puttingBack,
} from '../run/altered-engines.ts'

const isRestart = (event: Event, reason: RestartReason): boolean =>
  (event.type === 'testRunCancelled' && event.cause === reason) ||
  (event.type === 'groupRestarted' && event.reason === reason) ||
  (event.type === 'pullRequestMoved' && event.to === 'PENDING' && event.reason === reason)

const withoutRestarts = (reason: RestartReason): EngineParts =>
  alteringAllEvents((event) => (isRestart(event, reason) ? [] : [event]))

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
const ignoringUploads = (where: 'group' | 'bisection'): EngineParts =>
  puttingBack((queue, event) => {
    const uploaded =
      event.type === 'impactedTargetsSet' ? queue.pullRequests[event.number] : undefined
    const home = uploaded?.home
    if (!uploaded || home?.in !== where) return undefined
    uploaded.home = { in: 'nowhere' }
    return () => void (uploaded.home = home)
  })

/** The engine without some events of an upload. */
const uploading = (isLost: (event: Event) => boolean): EngineParts =>
  alteringDecisions((event, _queue, command) =>
    command.type === 'setImpactedTargets' && isLost(event) ? [] : [event],
  )

/** The engine in which new groups forget something. */
const placing = (forget: (group: Queue['groups'][number]) => void): EngineParts =>
  evolving((queue, event) => {
    const group = event.type === 'groupPlaced' ? queue.groups[event.group] : undefined
    if (group) forget(group)
  })

export const composingDefects: Defects = {
  'predecessor-forgotten': [
    'A main run leaves out the first pull request of its base.',
    alteringAllEvents(
      ofType('testRunStarted', (event) => {
        const { base, submissions, owner } = event.run
        if (owner.kind !== 'main' || base.length === 0) return event
        const run = { ...event.run, base: base.slice(1), submissions: submissions.slice(1) }
        return { ...event, run }
      }),
    ),
  ],
  'bisection-on-the-newest-tip': [
    'Bisection runs use the current tip of the branch, not the pinned tip.',
    alteringEventsOf(
      'startBisectionRuns',
      ofType('testRunStarted', (event, { tip }) => {
        return { ...event, run: { ...event.run, tip: tip.number } }
      }),
    ),
  ],
  'text-conflict-forgotten': [
    'Runs are composed without a check for text conflicts.',
    misreadingQueue('startWaiting', () => ({ hostFacts: {} })),
  ],
  'split-turns-the-order-round': [
    'A member that leaves its batch because of a text conflict goes ahead of those that left it before.',
    alteringEventsOf(
      'startWaiting',
      ofType('groupSplit', (event, { line }) => {
        return { ...event, index: line.indexOf(event.group) + 1 }
      }),
    ),
  ],
  'cancel-restarts-nobody': [
    'Groups that were tested with a cancelled pull request continue without a restart.',
    withoutRestarts('PREREQUISITE_MERGE_ITEM_CANCELLED'),
  ],
  'failure-restarts-nobody': [
    'Groups that were tested on top of a failed pull request continue without a restart.',
    withoutRestarts('PREREQUISITE_MERGE_ITEM_FAILED'),
  ],
  'number-left-out': [
    'Every fifth number of a group is left out.',
    alteringAllEvents(
      ofType('groupPlaced', (event) => {
        return { ...event, group: event.group + (event.group % 5 === 4 ? 1 : 0) }
      }),
    ),
  ],
  'push-restarts-nobody': [
    'A push to the branch restarts no group of the line.',
    withoutRestarts('MANUAL_PUSH_TO_TARGET_BRANCH'),
  ],
  'urgent-restarts-nobody': [
    'Groups behind an urgent pull request continue without it in their base.',
    withoutRestarts('SKIP_THE_LINE_INTERRUPTED'),
  ],
  'restart-takes-others-along': [
    'A restart of one pull request restarts the whole line.',
    decidingOn('restartTests', (step, command) => {
      const rejection = engineParts.decide(step, command)
      if (rejection === null) restartLine(step)
      return rejection
    }),
  ],
  'targets-index-stale': [
    'New targets of a pending pull request are missing in the index of targets.',
    puttingBack((queue, { type }) => {
      if (type !== 'impactedTargetsSet') return undefined
      const before = structuredClone(queue.order.sharing)
      return () => void (queue.order.sharing = before)
    }),
  ],
  'all-targets-ignored': [
    'A pull request with ALL targets counts as one without targets.',
    evolvingAs(
      ofType('impactedTargetsSet', (event) => {
        return event.targets === 'ALL' ? { ...event, targets: [] } : event
      }),
    ),
  ],
  'upload-ignored-by-who-starts-again': [
    'A group that starts again, or has passed alone, depends on what it depended on when it started, whatever was uploaded since.',
    puttingBack((queue, event) => {
      const startsAgain = event.type === 'groupRestarted' || event.type === 'groupScreened'
      const group = startsAgain ? queue.groups[event.group] : undefined
      const before = group?.dependsOn
      return group && before && (() => void (group.dependsOn = before))
    }),
  ],
  'upload-ignored-until-restart': [
    'Targets that are uploaded for a pull request in the line count for nobody until its own group restarts.',
    ignoringUploads('group'),
  ],
  'upload-ignored-in-a-bisection': [
    'A bisection has the targets of its batch, whatever is uploaded for its members.',
    ignoringUploads('bisection'),
  ],
  'upload-restarts-nobody': [
    'A group for which more targets are uploaded goes on, as do those that share one with it by now.',
    uploading(
      (event) => event.type === 'groupMoved' || isRestart(event, 'TESTS_RESTARTED_BY_API_REQUEST'),
    ),
  ],
  'upload-keeps-its-place': [
    'A group for which more targets are uploaded stays ahead of those that were tested without it.',
    uploading(({ type }) => type === 'groupMoved'),
  ],
  'upload-overlooks-what-merged': [
    'More targets are uploaded for a group, and what has merged beside its run meanwhile does not count.',
    misreadingFor('setImpactedTargets', () => ({ landed: [] })),
  ],
  'lanes-depend-on-nobody': [
    'In parallel mode a new group depends on no group ahead of it.',
    placing((group) => void (group.dependsOn = [])),
  ],
  'lanes-beside-no-bisection': [
    'In parallel mode a new group does not notice bisections that share a target with it.',
    placing((group) => void (group.beside = [])),
  ],
  'mode-switched-while-busy': [
    'A change of mode does not wait until the line is empty.',
    misreadingQueue('switchMode', () => ({ line: [], bisections: [] })),
  ],
  'mode-switched-at-once': [
    'A change of mode takes effect at once, as if the line were empty.',
    misreadingFor('updateQueue', () => ({ line: [], bisections: [] })),
  ],
}
