/** Defects of merging (which groups, when, in which order), and of the states of the queue. */

import { beingMerged, type EngineParts, type Event, type QueueView } from '../../engine/index.ts'
import type { Defects } from './hunt.ts'
import {
  alteringAllEvents,
  alteringDecisions,
  ofType,
  evolving,
  evolvingAs,
  mapped,
  misreadingFor,
  misreadingQueue,
  puttingBack,
  reading,
  without,
  withoutRules,
} from '../run/altered-engines.ts'

const moved = 'TARGET_BRANCH_MOVED'

const asRunning =
  (misread: QueueView['state']) =>
  ({ state }: QueueView): Partial<QueueView> =>
    state === misread ? { state: 'RUNNING' } : {}

/** The engine without some events of a merge that was refused. */
const refusing = (
  isMeant: (refused: string) => boolean,
  isKept: (event: Event) => boolean,
): EngineParts =>
  alteringDecisions((event, _queue, command) => {
    const refused = command.type === 'finishMerge' ? command.refused : null
    return refused !== null && isMeant(refused) && !isKept(event) ? [] : [event]
  })

export const mergingDefects: Defects = {
  'merge-order-swapped': [
    'Of the groups that passed, the last in the line merges first.',
    misreadingQueue('merge', ({ line, phases }) => ({
      line: [...line].reverse(),
      phases: { ...phases, passed: [...phases.passed].reverse() },
    })),
  ],
  'batch-merged-backwards': [
    'The members of a batch merge from the last to the first.',
    misreadingQueue('merge', ({ groups }) => ({
      groups: mapped(groups, (group) => ({ ...group, members: [...group.members].reverse() })),
    })),
  ],
  'merge-past-a-bisection': [
    'Without optimistic merging, groups merge while a failure ahead is being bisected.',
    misreadingQueue('merge', () => ({ bisections: [] })),
  ],
  'direct-merge-past-the-line': [
    'A pull request that is green on the tip merges directly, even with pull requests ahead of it.',
    misreadingQueue('mergeDirectly', () => ({ line: [], bisections: [] })),
  ],
  'green-on-an-older-tip': [
    'A pull request that was green on an earlier tip counts as green on the current tip.',
    puttingBack((queue, event) => {
      if (event.type !== 'tipMoved') return undefined
      const before = queue.greenOnTip.filter((number) => number !== event.number)
      return () => void (queue.greenOnTip = before)
    }),
  ],
  'cancelled-during-its-merge': [
    'A cancel takes effect while the code host performs the merge.',
    misreadingFor('cancelPullRequest', ({ groups }) => ({
      groups: mapped(groups, (group) =>
        group.phase.kind === 'passed'
          ? { ...group, phase: { ...group.phase, merging: null } }
          : group,
      ),
    })),
  ],
  'refusal-ignored': [
    'A merge that the code host refused counts as done.',
    reading('finishMerge', (command) => ({ ...command, refused: null })),
  ],
  'moved-branch-counts-as-a-refusal': [
    'A merge for which the target branch had moved makes the pull request FAILED.',
    reading('finishMerge', (command) =>
      command.refused === moved ? { ...command, refused: 'GITHUB_API_MERGE_PR_FAILED' } : command,
    ),
  ],
  'moved-branch-keeps-the-verdict': [
    'After the target branch has moved during a merge, the old verdict still counts.',
    refusing(
      (refused) => refused === moved,
      ({ type }) => type === 'mergeRefused',
    ),
  ],
  'moved-branch-concerns-one-group': [
    'After the target branch has moved during a merge, only the group that was merging is tested again, unless the push is reported.',
    evolving((queue, event) => {
      if (event.type !== 'mergeRequested') return
      const group = queue.groups[event.group]
      if (group?.phase.kind === 'passed') group.phase = { ...group.phase, pushedTo: true }
    }),
  ],
  'commit-without-a-merge': [
    'The first commit of a batch lands twice.',
    alteringAllEvents(
      ofType('tipMoved', (event, { tip }) =>
        event.number === null || tip.number !== 0
          ? event
          : [event, { ...event, tip: event.tip + 1 }],
      ),
    ),
  ],
  'survivors-on-a-moved-tip': [
    'Survivors of a bisection merge although the branch has moved since.',
    misreadingQueue('mergeSurvivors', ({ bisections }) => ({
      bisections: bisections.map((bisection) => ({ ...bisection, isTipMoved: false })),
    })),
  ],
  'survivors-past-the-line': [
    'Survivors of a bisection merge although groups in the line are based on the tip.',
    misreadingQueue('mergeSurvivors', ({ line, groups }) => ({
      line: line.filter((id) => groups[id]?.provenBy !== null),
    })),
  ],
  'survivors-past-an-urgent-one': [
    'Survivors of a bisection merge ahead of an urgent pull request that waits for a run.',
    misreadingQueue('mergeSurvivors', ({ line, groups }) => ({
      line: line.filter((id) => !groups[id]?.urgent || groups[id].phase.kind !== 'waiting'),
    })),
  ],
  'paused-starts-runs': [
    'A PAUSED queue still starts runs.',
    misreadingQueue(['startWaiting', 'startBisectionRuns', 'formGroup'], asRunning('PAUSED')),
  ],
  'paused-merges': ['A PAUSED queue still merges.', misreadingQueue('merge', asRunning('PAUSED'))],
  'draining-starts-new-groups': [
    'A DRAINING queue still takes pull requests into the line.',
    misreadingQueue('formGroup', asRunning('DRAINING')),
  ],
  'draining-admits': [
    'A pull request that is submitted to a DRAINING queue becomes PENDING at once.',
    misreadingFor('submitPullRequest', asRunning('DRAINING')),
  ],
  'objection-ignored': [
    'A pull request that the code host reports as not mergeable enters the line.',
    evolvingAs(
      ofType('pullRequestReported', (event) =>
        event.mergeable === false ? { ...event, mergeable: true } : event,
      ),
    ),
  ],
  'switch-never-ends': [
    'The queue stays in SWITCHING_MODES after the line has become empty.',
    withoutRules('switchMode'),
  ],
  'left-behind-in-the-line': [
    'A group stays in the line after its last member has merged.',
    alteringAllEvents(
      ofType('groupLeft', (event, { groups }) =>
        groups[event.group]?.phase.kind === 'passed' ? null : event,
      ),
    ),
  ],
  'submission-forgotten': [
    'A pull request submitted behind others during a main run is missing in the pending order.',
    evolving((queue, event) => {
      if (event.type !== 'pullRequestSubmitted' || queue.slots.main === 0) return
      for (const level of queue.order.levels) {
        const at = level.numbers.indexOf(event.number)
        if (at > 0 && at === level.numbers.length - 1) {
          level.numbers.pop()
          level.keys.pop()
        }
      }
    }),
  ],
}

/** Defects of what a code host does with real branches: builds that fail, and pushes of groups. */
export const hostingDefects: Defects = {
  'unbuildable-starts-again': [
    'Every second run that git cannot build is started again.',
    reading('reportUnbuildable', (command, { testRuns }) => {
      // Not every one: a loop without an end would make the search for the defect slow.
      if (command.testRun % 2 !== 0) return command
      const [number = 0] = testRuns[command.testRun]?.tested ?? []
      return { type: 'restartTests', number }
    }),
  ],
  'unbuildable-counts-as-failed': [
    'A run that git cannot build counts as one in which tests failed.',
    reading('reportUnbuildable', ({ testRun }) => {
      return { type: 'finishTestRun', testRun, outcome: 'failed' }
    }),
  ],
  'found-conflict-fails-at-once': [
    'A conflict that a build has found is final, although the other one has not merged.',
    reading('reportUnbuildable', (command) => ({ ...command, conflictsWith: 'tip' })),
  ],
  'push-lands-only-the-first': [
    'Of a group that has landed in one push only the first member becomes MERGED.',
    reading('finishMerge', (command) => without(command, 'numbers')),
  ],
  'part-of-a-push-lands-all': [
    'If only the first members of a group have landed, all of them become MERGED.',
    reading('finishMerge', (command, { pullRequests, groups }) => {
      const home = pullRequests[command.number]?.home
      const group = home?.in === 'group' ? groups[home.group] : undefined
      const numbers = group && command.refused === null ? [...beingMerged(group)] : []
      return numbers.length > 1 ? { ...command, numbers } : command
    }),
  ],
  'refused-push-keeps-the-verdict': [
    'If the code host refuses a push because of one member, the others merge untested.',
    refusing(
      () => true,
      (event) =>
        event.type !== 'groupRestarted' &&
        !(event.type === 'pullRequestMoved' && event.to === 'PENDING'),
    ),
  ],
  'host-attached-in-mid-work': [
    'A queue gets a code host while groups are in its line.',
    misreadingFor('attachHost', () => ({ line: [], bisections: [] })),
  ],
  'attached-host-not-asked': [
    'A queue that gets a code host later still merges without it.',
    evolving((queue, event) => {
      if (event.type === 'hostAttached') queue.codeHost = 'merges at once'
    }),
  ],
}
