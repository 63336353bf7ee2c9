/**
 * Defects of waits, sizes and merges: the queue does something too early, takes too few, or never
 * does what it could.
 */

import { engineParts, rules, type Event, type QueueView, type Rule } from '../../engine/index.ts'
import type { Defect } from './defect.ts'
import {
  alteringEvents,
  deciding,
  decidingOnMisreadQueue,
  engineWithRules,
  nothing,
  withMisreadQueue,
  withMisreadSettings,
} from '../run/altered-engines.ts'

const minuteMs = 60_000

type Settings = QueueView['configuration']

/** The rules that read how long a batch waits. */
const withWait = (wait: (minutes: number) => number): typeof engineParts => {
  const shortened = ({ batchingMaxWaitTimeMinutes }: Settings): Partial<Settings> => ({
    batchingMaxWaitTimeMinutes: wait(batchingMaxWaitTimeMinutes),
  })
  return engineWithRules({
    formGroup: withMisreadSettings(rules.formGroup, shortened),
    armWake: withMisreadSettings(rules.armWake, shortened),
  })
}

/** A pull request that waits counts as PENDING since its submission. */
const sinceSubmission = (queue: QueueView): Partial<QueueView> => {
  const pullRequests = Object.fromEntries(
    Object.entries(queue.pullRequests).map(([number, each]) => [
      number,
      each.pendingSince === null ? each : { ...each, pendingSince: each.submittedAt },
    ]),
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

const oneFewer = (event: Event): readonly Event[] => {
  const isBatch = event.type === 'groupPlaced' && event.members.length > 1
  return [isBatch ? { ...event, members: event.members.slice(0, -1) } : event]
}

/** Runs under way time out by the settings of now. */
const expireBySettings: Rule = (step) => {
  const { queue, at } = step
  const limit = queue.configuration.testingTimeoutMinutes * minuteMs
  const testRuns = Object.fromEntries(
    Object.entries(queue.testRuns).map(([id, run]) => [
      id,
      { ...run, deadline: Math.min(run.deadline, run.startedAt + limit) },
    ]),
  )
  const isAnyDue = Object.values(testRuns).some(({ deadline }) => deadline <= at)
  const early = withMisreadQueue(rules.expireRuns, () => ({ testRuns, nextDeadline: at }))
  return isAnyDue && early(step)
}

export const tooEarlyOrNeverDefects: readonly Defect[] = [
  {
    name: 'wait-skipped',
    sentence: 'A batch does not wait to fill.',
    parts: withWait(() => 0),
  },
  {
    name: 'wait-halved',
    sentence: 'A batch waits for half of the maximum wait.',
    parts: withWait((minutes) => minutes / 2),
  },
  {
    name: 'wait-from-submission',
    sentence: 'The wait of a batch counts from the submission of a member, not from PENDING.',
    parts: engineWithRules({
      formGroup: withMisreadQueue(rules.formGroup, sinceSubmission),
      armWake: withMisreadQueue(rules.armWake, sinceSubmission),
    }),
  },
  {
    name: 'batch-of-one-fewer',
    sentence: 'A batch leaves out the last pull request that could join it.',
    parts: engineWithRules({ formGroup: alteringEvents(rules.formGroup, oneFewer) }),
  },
  {
    name: 'direct-merge-never',
    sentence: 'A pull request that may merge without a run is tested.',
    parts: engineWithRules({ mergeDirectly: nothing }),
  },
  {
    name: 'survivors-never-merge-at-once',
    sentence: 'Survivors of a bisection always return to the line to be tested again.',
    parts: engineWithRules({ mergeSurvivors: nothing }),
  },
  {
    name: 'lowered-priority-ignored',
    sentence: 'The first that waits stays the first when its priority is lowered.',
    parts: {
      ...engineParts,
      evolve(queue, event) {
        const isNew = event.type === 'pullRequestRewritten'
        const known = isNew ? queue.pullRequests[event.number] : undefined
        const first = queue.order.levels[0]
        const isFirst = known !== undefined && first?.numbers[first.head] === known.number
        const isLowered = isNew && isFirst && event.priority > known.priority
        engineParts.evolve(queue, isLowered ? { ...event, priority: known.priority } : event)
      },
    },
  },
  {
    name: 'timeout-of-now',
    sentence: 'A shorter testingTimeoutMinutes also ends runs that started before it was set.',
    parts: engineWithRules({ expireRuns: expireBySettings }),
  },
  {
    name: 'paused-in-mid-batch',
    sentence: 'A PAUSED queue does not finish a batch of which the first member has merged.',
    parts: engineWithRules({
      merge: withMisreadQueue(rules.merge, ({ groups, state }) => ({
        groups: state === 'PAUSED' ? withoutBeginnings(groups) : groups,
      })),
    }),
  },
  {
    name: 'cancel-waits-for-the-batch',
    sentence: 'A cancel of any member is stored while the code host merges one of its batch.',
    parts: deciding((step, command) => {
      if (command.type !== 'cancelPullRequest') return engineParts.decide(step, command)
      const { number } = command
      const blind = decidingOnMisreadQueue(({ groups }) => ({
        groups: Object.fromEntries(
          Object.entries(groups).map(([id, group]) => {
            const { phase, members } = group
            const isMerging = phase.kind === 'passed' && phase.merging !== null
            return isMerging && members.includes(number)
              ? [id, { ...group, phase: { ...phase, merging: number } }]
              : [id, group]
          }),
        ),
      }))
      return blind.decide(step, command)
    }),
  },
]

function withoutBeginnings(groups: QueueView['groups']): QueueView['groups'] {
  return Object.fromEntries(
    Object.entries(groups).map(([id, group]) => [
      id,
      group.phase.kind === 'passed' ? { ...group, phase: { ...group.phase, begun: false } } : group,
    ]),
  )
}
