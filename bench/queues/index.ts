/** The queues of other products that tune can search, and all strategies of the comparison. */

import { configurationWith, targetBatchSize } from '../../engine/index.ts'
import { measuredRun } from '../../sim/judge/measurement.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { bors } from './bors.ts'
import { withEqualSlots } from './fair-scenario.ts'
import { type ComparedFigures, figuresOfEngine } from './figures.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { mergify } from './mergify.ts'
import {
  usualValues,
  type Values,
  type MakePolicy,
  type OtherQueue,
  type OtherQueueName,
} from './queue.ts'
import { namesIn } from './names-in.ts'
import { clairvoyant, oracle } from './references.ts'
import { simulatePolicy } from './simulate-policy.ts'
import { zuul } from './zuul.ts'

const otherQueues: Readonly<Record<OtherQueueName, OtherQueue>> = {
  github,
  gitlab,
  mergify,
  bors,
  zuul,
}

export const otherQueueNames = namesIn(otherQueues)

export function otherQueue(name: OtherQueueName): OtherQueue {
  return otherQueues[name]
}

export type Strategy = {
  readonly name: string
  readonly about: string
  /** The product that it models, and the source of the model. */
  readonly after: string
  /** The behaviour of the product that it does not model. */
  readonly leavesOut: string
  /** True for a reference that knows what breaks. It is shown but not ranked, and is no bound. */
  readonly isReference: boolean
  readonly simulate: (scenario: Scenario) => ComparedFigures
}

/** Simulates the scenario with the real engine. */
export function simulateEngine(scenario: Scenario): ComparedFigures {
  return figuresOfEngine(measuredRun(scenario).figures)
}

type Model = Omit<Strategy, 'isReference' | 'simulate'> & {
  readonly policy: (scenario: Scenario) => MakePolicy
}

function modelRow({ policy, ...texts }: Model, isReference = false): Strategy {
  return {
    ...texts,
    isReference,
    simulate: (scenario) => simulatePolicy(scenario, policy(scenario), concurrencyOf(scenario)),
  }
}

/** Another product's queue at its defaults, apart from what `changed` says. */
function queueRow(
  queue: OtherQueue,
  texts: Pick<Strategy, 'name' | 'about'>,
  changed: (scenario: Scenario) => Values = () => ({}),
): Strategy {
  const { title, after, leavesOut } = queue
  return modelRow({
    ...texts,
    after: `${title} (${after})`,
    leavesOut,
    policy: (scenario) => queue.policy({ ...usualValues(queue), ...changed(scenario) }),
  })
}

function concurrencyOf({ queue }: Scenario): number {
  return configurationWith(queue).concurrency
}

/** Only the last must be green, in groups of the scenario's batch size. */
function lastGreen({ queue }: Scenario): Values {
  const configuration = configurationWith(queue)
  const most = configuration.batch ? { max_entries_to_merge: targetBatchSize(configuration) } : {}
  return { grouping_strategy: 'HEADGREEN', ...most }
}

/** The names of rows that others look for. */
export const ownName = 'Mergeyard'
export const clairvoyantName = 'batching clairvoyant'

/** Mergeyard first. */
export const strategies: readonly Strategy[] = [
  {
    name: ownName,
    about:
      'the real engine, with the settings of the scenario; two fifths of its slots are for bisections',
    after: 'Mergeyard itself: this is the engine that ships',
    leavesOut: 'nothing',
    isReference: false,
    simulate: (scenario) => simulateEngine(withEqualSlots(scenario)),
  },
  modelRow({
    name: 'one at a time',
    about: 'tests one pull request, merges it, tests the next (homu, rust-lang/bors)',
    after: 'homu and rust-lang/bors: test, then merge exactly that',
    leavesOut: 'priorities, manual roll-ups',
    policy: () => bors.policy({ max_batch_size: 1, batch_delay_sec: 0 }),
  }),
  queueRow(github, {
    name: 'GitHub-like',
    about: 'a build per pull request on top of all ahead; every build must pass',
  }),
  queueRow(
    github,
    {
      name: 'GitHub-like, last green',
      about: 'the same, but a build that passes merges all of its group ahead of it',
    },
    lastGreen,
  ),
  queueRow(gitlab, {
    name: 'GitLab-like',
    about: 'a train of 20; a failing pull request is dropped at once',
  }),
  queueRow(mergify, {
    name: 'Mergify-like',
    about: 'at most five batches of one at once, each on top of those ahead; failed batches split',
  }),
  queueRow(zuul, {
    name: 'Zuul-like',
    about: 'a chain with a window; a failing pull request stays until its failure is proven',
  }),
  queueRow(
    zuul,
    {
      name: 'Zuul-like, floor of 10',
      about: 'the same, but the window never shrinks below 10',
    },
    () => ({ 'window-floor': 10 }),
  ),
  queueRow(
    zuul,
    {
      name: 'Zuul-like, no window',
      about: 'the same without a window: only the slots limit how many are tested',
    },
    () => ({ window: Infinity, 'window-floor': Infinity }),
  ),
  queueRow(bors, {
    name: 'bors-like',
    about: 'one batch of all waiting pull requests, split in half when it fails',
  }),
  modelRow(
    {
      name: 'oracle',
      about: 'knows which pull requests fail; tests each once, one at a time in order',
      after: 'no product: the goal of predictors such as Uber’s SubmitQueue',
      leavesOut: 'batches, and merging on the proof of a successor',
      policy: () => oracle,
    },
    true,
  ),
  modelRow(
    {
      name: clairvoyantName,
      about: 'knows which fail; every run holds all good ones that wait, each bad one costs a run',
      after: 'no product: batches and optimistic merging, if all were known',
      leavesOut: 'waiting for larger batches, which is cheaper; repeating runs at once',
      policy: () => clairvoyant,
    },
    true,
  ),
]
