/** All strategies of the comparison, Mergeyard first. */

import { configurationWith, targetBatchSize } from '../../engine/index.ts'
import { MeasurementCollector } from '../../sim/judge/measurement.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { simulate } from '../../sim/run/simulate.ts'
import { borsDefaults, borsHalves } from './bors.ts'
import { clairvoyant } from './clairvoyant.ts'
import { withEqualSlots } from './equal-slots.ts'
import { figuresOfEngine, type ComparedFigures } from './figures.ts'
import { githubAllGreen, githubLastGreen } from './github.ts'
import { gitlabDefaults, gitlabTrain } from './gitlab.ts'
import { mergifyBatches, mergifyDefaults } from './mergify.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { oracle } from './oracle.ts'
import type { MakePolicy, PolicySettings } from './policy.ts'
import { simulatePolicy } from './simulate-policy.ts'
import { zuulChain } from './zuul.ts'
import { zuulDefaults, zuulFloorOfTen, zuulWithoutWindow } from './zuul-window.ts'

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
  const collector = new MeasurementCollector(scenario)
  const outcome = simulate(scenario, { observers: [collector.observer], isUnhashed: true })
  return figuresOfEngine(collector.measure(outcome).figures)
}

function settingsOf({ queue }: Scenario): PolicySettings {
  const configuration = configurationWith(queue)
  const batchSize = configuration.batch ? targetBatchSize(configuration) : null
  return { concurrency: configuration.concurrency, batchSize }
}

type StrategyTexts = Pick<Strategy, 'name' | 'about' | 'after' | 'leavesOut'>

function policy(make: MakePolicy, texts: StrategyTexts): Strategy {
  return {
    ...texts,
    isReference: false,
    simulate: (scenario) => simulatePolicy(scenario, make, settingsOf(scenario)),
  }
}

const github = {
  after: 'GitHub’s merge queue (docs.github.com, “Managing a merge queue”)',
  leavesOut: 'jumping the queue, the timeout of status checks',
}

const zuul = {
  after: 'OpenStack Zuul’s dependent pipeline (zuul-ci.org, “Project gating”)',
  leavesOut:
    'several projects, dependencies and cycles of changes, early failure by a pattern in the log',
}

/** The names of rows that others look for. */
export const ownName = 'Mergeyard'
export const clairvoyantName = 'batching clairvoyant'

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
  policy(oneAtATime, {
    name: 'one at a time',
    about: 'tests one pull request, merges it, tests the next (homu, rust-lang/bors)',
    after: 'homu and rust-lang/bors: test, then merge exactly that',
    leavesOut: 'priorities, manual roll-ups',
  }),
  policy(githubAllGreen, {
    ...github,
    name: 'GitHub-like',
    about: 'a build per pull request on top of all ahead; every build must pass',
  }),
  policy(githubLastGreen, {
    ...github,
    name: 'GitHub-like, last green',
    about: 'the same, but a build that passes merges all of its group ahead of it',
  }),
  policy(gitlabTrain(gitlabDefaults), {
    name: 'GitLab-like',
    about: 'a train of 20; a failing pull request is dropped at once',
    after: 'GitLab’s merge trains (docs.gitlab.com, “Merge trains”)',
    leavesOut: 'merging immediately and skipping the train: both merge untested states',
  }),
  policy(mergifyBatches(mergifyDefaults), {
    name: 'Mergify-like',
    about: 'at most five batches of one at once, each on top of those ahead; failed batches split',
    after: 'Mergify’s merge queue in serial mode (docs.mergify.com, “Batches” and “Performance”)',
    leavesOut: 'grouping by similar changes, scopes, retries of checks, partial reruns',
  }),
  policy(zuulChain(zuulDefaults), {
    ...zuul,
    name: 'Zuul-like',
    about: 'a chain with a window; a failing pull request stays until its failure is proven',
  }),
  policy(zuulChain(zuulFloorOfTen), {
    ...zuul,
    name: 'Zuul-like, floor of 10',
    about: 'the same, but the window never shrinks below 10',
  }),
  policy(zuulChain(zuulWithoutWindow), {
    ...zuul,
    name: 'Zuul-like, no window',
    about: 'the same without a window: only the slots limit how many are tested',
  }),
  policy(borsHalves(borsDefaults), {
    name: 'bors-like',
    about: 'one batch of all waiting pull requests, split in half when it fails',
    after: 'bors-ng (batcher.ex, divider.ex)',
    leavesOut: 'priorities, the timeout, retrying a batch whose push lost a race',
  }),
  {
    ...policy(oracle, {
      name: 'oracle',
      about: 'knows which pull requests fail; tests each once, one at a time in order',
      after: 'no product: the goal of predictors such as Uber’s SubmitQueue',
      leavesOut: 'batches, and merging on the proof of a successor',
    }),
    isReference: true,
  },
  {
    ...policy(clairvoyant, {
      name: clairvoyantName,
      about: 'knows which fail; every run holds all good ones that wait, each bad one costs a run',
      after: 'no product: batches and optimistic merging, if all were known',
      leavesOut: 'waiting for larger batches, which is cheaper; repeating runs at once',
    }),
    isReference: true,
  },
]
