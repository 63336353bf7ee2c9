/** Wrong about what merges, when, and in what order; and about the states of the queue. */

import { parts, rules, type QueueView } from '../../engine/index.ts'
import type { Defect } from './defect.ts'
import {
  bendingAll,
  deciding,
  decidingMistaken,
  engineWith,
  evolving,
  mistaking,
  nothing,
} from './wrapping.ts'

const asRunning =
  (mistaken: QueueView['state']) =>
  ({ state }: QueueView): Partial<QueueView> =>
    state === mistaken ? { state: 'RUNNING' } : {}

export const mergingDefects: readonly Defect[] = [
  {
    name: 'merge-order-swapped',
    sentence: 'Of those that passed, the last in the line merges first.',
    parts: engineWith({
      merge: mistaking(rules.merge, ({ line, phases }) => ({
        line: [...line].reverse(),
        phases: { ...phases, passed: [...phases.passed].reverse() },
      })),
    }),
  },
  {
    name: 'batch-merged-backwards',
    sentence: 'The members of a batch merge from the last to the first.',
    parts: engineWith({
      merge: mistaking(rules.merge, ({ groups }) => ({
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
    parts: engineWith({ merge: mistaking(rules.merge, () => ({ bisections: [] })) }),
  },
  {
    name: 'direct-merge-past-the-line',
    sentence: 'What is green on the tip merges directly, whoever is ahead of it.',
    parts: engineWith({
      mergeDirectly: mistaking(rules.mergeDirectly, () => ({ line: [], bisections: [] })),
    }),
  },
  {
    name: 'green-on-an-older-tip',
    sentence: 'What was green on an earlier tip counts as green on this one.',
    parts: {
      ...parts,
      evolve(queue, event) {
        const { greenOnTip } = queue
        parts.evolve(queue, event)
        if (event.type !== 'tipMoved') return
        queue.greenOnTip = greenOnTip.filter((number) => number !== event.number)
      },
    },
  },
  {
    name: 'cancelled-during-its-merge',
    sentence: 'A cancel takes effect while the code host works on the merge.',
    parts: deciding((step, command) => {
      if (command.type !== 'cancelPullRequest') return parts.decide(step, command)
      const blind = decidingMistaken(({ groups }) => ({
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
      parts.decide(step, command.type === 'finishMerge' ? { ...command, refused: null } : command),
    ),
  },
  {
    name: 'commit-without-a-merge',
    sentence: 'The first commit of a batch lands twice.',
    parts: bendingAll((event, { tip }) => {
      if (event.type !== 'tipMoved' || event.number === null || tip.number !== 0) return [event]
      return [event, { ...event, tip: event.tip + 1 }]
    }),
  },
  {
    name: 'survivors-on-a-moved-tip',
    sentence: 'What a bisection has proven merges although the branch has moved since.',
    parts: engineWith({
      mergeSurvivors: mistaking(rules.mergeSurvivors, ({ bisections }) => ({
        bisections: bisections.map((bisection) => ({ ...bisection, isTipMoved: false })),
      })),
    }),
  },
  {
    name: 'survivors-past-the-line',
    sentence: 'What a bisection has proven merges although groups in the line stand on the tip.',
    parts: engineWith({
      mergeSurvivors: mistaking(rules.mergeSurvivors, ({ line, groups }) => ({
        line: line.filter((id) => groups[id]?.provenBy !== null),
      })),
    }),
  },
  {
    name: 'paused-starts-runs',
    sentence: 'A PAUSED queue goes on starting runs.',
    parts: engineWith({
      startWaiting: mistaking(rules.startWaiting, asRunning('PAUSED')),
      startBisectionRuns: mistaking(rules.startBisectionRuns, asRunning('PAUSED')),
      formGroup: mistaking(rules.formGroup, asRunning('PAUSED')),
    }),
  },
  {
    name: 'paused-merges',
    sentence: 'A PAUSED queue goes on merging.',
    parts: engineWith({ merge: mistaking(rules.merge, asRunning('PAUSED')) }),
  },
  {
    name: 'draining-starts-new-groups',
    sentence: 'A DRAINING queue goes on taking pull requests into the line.',
    parts: engineWith({ formGroup: mistaking(rules.formGroup, asRunning('DRAINING')) }),
  },
  {
    name: 'draining-admits',
    sentence: 'A pull request that is submitted to a DRAINING queue is PENDING at once.',
    parts: deciding((step, command) =>
      command.type === 'submitPullRequest'
        ? decidingMistaken(asRunning('DRAINING')).decide(step, command)
        : parts.decide(step, command),
    ),
  },
  {
    name: 'objection-ignored',
    sentence: 'A pull request that the code host objects to is taken into the line.',
    parts: {
      ...parts,
      evolve(queue, event) {
        const objects = event.type === 'pullRequestReported' && event.mergeable === false
        parts.evolve(queue, objects ? { ...event, mergeable: true } : event)
      },
    },
  },
  {
    name: 'switch-never-ends',
    sentence: 'The queue stays in SWITCHING_MODES when the line is empty.',
    parts: engineWith({ switchMode: nothing }),
  },
  {
    name: 'left-behind-in-the-line',
    sentence: 'A group of which the last member has merged stays in the line.',
    parts: bendingAll((event, { groups }) => {
      const hasMerged = event.type === 'groupLeft' && groups[event.group]?.phase.kind === 'passed'
      return hasMerged ? [] : [event]
    }),
  },
  {
    name: 'submission-forgotten',
    sentence: 'Who is submitted behind others while runs are under way has no place in the order.',
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
