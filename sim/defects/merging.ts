/** Defects of merging (which groups, when, in which order), and of the states of the queue. */

import { beingMerged, engineParts, type QueueView, rules } from '../../engine/index.ts'
import type { Defect } from './defect.ts'
import {
  alteredStep,
  alteringAllEvents,
  deciding,
  decidingOnMisreadQueue,
  engineWithRules,
  evolving,
  nothing,
  withMisreadQueue,
} from '../run/altered-engines.ts'

const asRunning =
  (misread: QueueView['state']) =>
  ({ state }: QueueView): Partial<QueueView> =>
    state === misread ? { state: 'RUNNING' } : {}

export const mergingDefects: readonly Defect[] = [
  {
    name: 'merge-order-swapped',
    sentence: 'Of the groups that passed, the last in the line merges first.',
    parts: engineWithRules({
      merge: withMisreadQueue(rules.merge, ({ line, phases }) => ({
        line: [...line].reverse(),
        phases: { ...phases, passed: [...phases.passed].reverse() },
      })),
    }),
  },
  {
    name: 'batch-merged-backwards',
    sentence: 'The members of a batch merge from the last to the first.',
    parts: engineWithRules({
      merge: withMisreadQueue(rules.merge, ({ groups }) => ({
        groups: Object.fromEntries(
          Object.entries(groups).map(([id, group]) => [
            id,
            { ...group, members: [...group.members].reverse() },
          ]),
        ),
      })),
    }),
  },
  {
    name: 'merge-past-a-bisection',
    sentence: 'Without optimistic merging, groups merge while a failure ahead is being bisected.',
    parts: engineWithRules({ merge: withMisreadQueue(rules.merge, () => ({ bisections: [] })) }),
  },
  {
    name: 'direct-merge-past-the-line',
    sentence:
      'A pull request that is green on the tip merges directly, even with pull requests ahead of it.',
    parts: engineWithRules({
      mergeDirectly: withMisreadQueue(rules.mergeDirectly, () => ({ line: [], bisections: [] })),
    }),
  },
  {
    name: 'green-on-an-older-tip',
    sentence: 'A pull request that was green on an earlier tip counts as green on the current tip.',
    parts: {
      ...engineParts,
      evolve(queue, event) {
        const { greenOnTip } = queue
        engineParts.evolve(queue, event)
        if (event.type !== 'tipMoved') return
        queue.greenOnTip = greenOnTip.filter((number) => number !== event.number)
      },
    },
  },
  {
    name: 'cancelled-during-its-merge',
    sentence: 'A cancel takes effect while the code host performs the merge.',
    parts: deciding((step, command) => {
      if (command.type !== 'cancelPullRequest') return engineParts.decide(step, command)
      const blind = decidingOnMisreadQueue(({ groups }) => ({
        groups: Object.fromEntries(
          Object.entries(groups).map(([id, group]) => [
            id,
            group.phase.kind === 'passed'
              ? { ...group, phase: { ...group.phase, merging: null } }
              : group,
          ]),
        ),
      }))
      return blind.decide(step, command)
    }),
  },
  {
    name: 'refusal-ignored',
    sentence: 'A merge that the code host refused counts as done.',
    parts: deciding((step, command) =>
      engineParts.decide(
        step,
        command.type === 'finishMerge' ? { ...command, refused: null } : command,
      ),
    ),
  },
  {
    name: 'moved-branch-counts-as-a-refusal',
    sentence: 'A merge for which the target branch had moved makes the pull request FAILED.',
    parts: deciding((step, command) =>
      engineParts.decide(
        step,
        command.type === 'finishMerge' && command.refused === 'TARGET_BRANCH_MOVED'
          ? { ...command, refused: 'GITHUB_API_MERGE_PR_FAILED' }
          : command,
      ),
    ),
  },
  {
    name: 'moved-branch-keeps-the-verdict',
    sentence: 'After the target branch has moved during a merge, the old verdict still counts.',
    parts: deciding((step, command) => {
      const isMoved = command.type === 'finishMerge' && command.refused === 'TARGET_BRANCH_MOVED'
      const altered = alteredStep(step, (event) => (event.type === 'mergeRefused' ? [event] : []))
      return engineParts.decide(isMoved ? altered : step, command)
    }),
  },
  {
    name: 'moved-branch-concerns-one-group',
    sentence:
      'After the target branch has moved during a merge, only the group that was merging is tested again, unless the push is reported.',
    parts: evolving((queue, event) => {
      if (event.type !== 'mergeRequested') return
      const group = queue.groups[event.group]
      if (group?.phase.kind === 'passed') group.phase = { ...group.phase, pushedTo: true }
    }),
  },
  {
    name: 'commit-without-a-merge',
    sentence: 'The first commit of a batch lands twice.',
    parts: alteringAllEvents((event, { tip }) => {
      if (event.type !== 'tipMoved' || event.number === null || tip.number !== 0) return [event]
      return [event, { ...event, tip: event.tip + 1 }]
    }),
  },
  {
    name: 'survivors-on-a-moved-tip',
    sentence: 'Survivors of a bisection merge although the branch has moved since.',
    parts: engineWithRules({
      mergeSurvivors: withMisreadQueue(rules.mergeSurvivors, ({ bisections }) => ({
        bisections: bisections.map((bisection) => ({ ...bisection, isTipMoved: false })),
      })),
    }),
  },
  {
    name: 'survivors-past-the-line',
    sentence: 'Survivors of a bisection merge although groups in the line are based on the tip.',
    parts: engineWithRules({
      mergeSurvivors: withMisreadQueue(rules.mergeSurvivors, ({ line, groups }) => ({
        line: line.filter((id) => groups[id]?.provenBy !== null),
      })),
    }),
  },
  {
    name: 'survivors-past-an-urgent-one',
    sentence:
      'Survivors of a bisection merge ahead of an urgent pull request that waits for a run.',
    parts: engineWithRules({
      mergeSurvivors: withMisreadQueue(rules.mergeSurvivors, ({ line, groups }) => ({
        line: line.filter((id) => !groups[id]?.urgent || groups[id].phase.kind !== 'waiting'),
      })),
    }),
  },
  {
    name: 'paused-starts-runs',
    sentence: 'A PAUSED queue still starts runs.',
    parts: engineWithRules({
      startWaiting: withMisreadQueue(rules.startWaiting, asRunning('PAUSED')),
      startBisectionRuns: withMisreadQueue(rules.startBisectionRuns, asRunning('PAUSED')),
      formGroup: withMisreadQueue(rules.formGroup, asRunning('PAUSED')),
    }),
  },
  {
    name: 'paused-merges',
    sentence: 'A PAUSED queue still merges.',
    parts: engineWithRules({ merge: withMisreadQueue(rules.merge, asRunning('PAUSED')) }),
  },
  {
    name: 'draining-starts-new-groups',
    sentence: 'A DRAINING queue still takes pull requests into the line.',
    parts: engineWithRules({ formGroup: withMisreadQueue(rules.formGroup, asRunning('DRAINING')) }),
  },
  {
    name: 'draining-admits',
    sentence: 'A pull request that is submitted to a DRAINING queue becomes PENDING at once.',
    parts: deciding((step, command) =>
      command.type === 'submitPullRequest'
        ? decidingOnMisreadQueue(asRunning('DRAINING')).decide(step, command)
        : engineParts.decide(step, command),
    ),
  },
  {
    name: 'objection-ignored',
    sentence: 'A pull request that the code host reports as not mergeable enters the line.',
    parts: {
      ...engineParts,
      evolve(queue, event) {
        const objects = event.type === 'pullRequestReported' && event.mergeable === false
        engineParts.evolve(queue, objects ? { ...event, mergeable: true } : event)
      },
    },
  },
  {
    name: 'switch-never-ends',
    sentence: 'The queue stays in SWITCHING_MODES after the line has become empty.',
    parts: engineWithRules({ switchMode: nothing }),
  },
  {
    name: 'left-behind-in-the-line',
    sentence: 'A group stays in the line after its last member has merged.',
    parts: alteringAllEvents((event, { groups }) => {
      const hasMerged = event.type === 'groupLeft' && groups[event.group]?.phase.kind === 'passed'
      return hasMerged ? [] : [event]
    }),
  },
  {
    name: 'submission-forgotten',
    sentence:
      'A pull request submitted behind others during a main run is missing in the pending order.',
    parts: evolving((queue, event) => {
      if (event.type !== 'pullRequestSubmitted' || queue.slots.main === 0) return
      for (const level of queue.order.levels) {
        const at = level.numbers.indexOf(event.number)
        if (at > 0 && at === level.numbers.length - 1) {
          level.numbers.pop()
          level.keys.pop()
        }
      }
    }),
  },
]

/** Defects of what a code host does with real branches: builds that fail, and pushes of groups. */
const withoutLine = (): Partial<QueueView> => ({ line: [], bisections: [] })

export const hostingDefects: readonly Defect[] = [
  {
    name: 'unbuildable-starts-again',
    sentence: 'Every second run that git cannot build is started again.',
    parts: deciding((step, command) => {
      // Not every one: a loop without an end would make the search for the defect slow.
      const isSecond = command.type === 'reportUnbuildable' && command.testRun % 2 === 0
      if (!isSecond) return engineParts.decide(step, command)
      const [number = 0] = step.queue.testRuns[command.testRun]?.tested ?? []
      return engineParts.decide(step, { type: 'restartTests', number })
    }),
  },
  {
    name: 'unbuildable-counts-as-failed',
    sentence: 'A run that git cannot build counts as one in which tests failed.',
    parts: deciding((step, command) => {
      if (command.type !== 'reportUnbuildable') return engineParts.decide(step, command)
      const { testRun } = command
      return engineParts.decide(step, { type: 'finishTestRun', testRun, outcome: 'failed' })
    }),
  },
  {
    name: 'found-conflict-fails-at-once',
    sentence: 'A conflict that a build has found is final, although the other one has not merged.',
    parts: deciding((step, command) =>
      engineParts.decide(
        step,
        command.type === 'reportUnbuildable' ? { ...command, conflictsWith: 'tip' } : command,
      ),
    ),
  },
  {
    name: 'push-lands-only-the-first',
    sentence: 'Of a group that has landed in one push only the first member becomes MERGED.',
    parts: deciding((step, command) => {
      if (command.type !== 'finishMerge') return engineParts.decide(step, command)
      const { numbers: _numbers, ...first } = command
      return engineParts.decide(step, first)
    }),
  },
  {
    name: 'part-of-a-push-lands-all',
    sentence: 'If only the first members of a group have landed, all of them become MERGED.',
    parts: deciding((step, command) => {
      if (command.type !== 'finishMerge' || command.refused !== null)
        return engineParts.decide(step, command)
      const home = step.queue.pullRequests[command.number]?.home
      const group = home?.in === 'group' ? step.queue.groups[home.group] : undefined
      const numbers = group ? [...beingMerged(group)] : []
      return engineParts.decide(step, numbers.length > 1 ? { ...command, numbers } : command)
    }),
  },
  {
    name: 'refused-push-keeps-the-verdict',
    sentence: 'If the code host refuses a push because of one member, the others merge untested.',
    parts: deciding((step, command) => {
      const isRefused = command.type === 'finishMerge' && command.refused !== null
      const altered = alteredStep(step, (event) => {
        const isRestart =
          event.type === 'groupRestarted' ||
          (event.type === 'pullRequestMoved' && event.to === 'PENDING')
        return isRestart ? [] : [event]
      })
      return engineParts.decide(isRefused ? altered : step, command)
    }),
  },
  {
    name: 'host-attached-in-mid-work',
    sentence: 'A queue gets a code host while groups are in its line.',
    parts: deciding((step, command) =>
      command.type === 'attachHost'
        ? decidingOnMisreadQueue(withoutLine).decide(step, command)
        : engineParts.decide(step, command),
    ),
  },
  {
    name: 'attached-host-not-asked',
    sentence: 'A queue that gets a code host later still merges without it.',
    parts: evolving((queue, event) => {
      if (event.type === 'hostAttached') queue.codeHost = 'merges at once'
    }),
  },
]
