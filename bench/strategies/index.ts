/** Every strategy there is to compare, Mergeyard first. */

import { configurationWith, targetBatchSize } from '../../engine/index.ts'
import { MeasureBook } from '../../sim/run-scenario.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { simulate } from '../../sim/simulate.ts'
import { borsHalves } from './bors.ts'
import { figuresOfEngine, type ComparedFigures } from './figures.ts'
import { githubAllGreen, githubLastGreen } from './github.ts'
import { gitlabTrain } from './gitlab.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { oracle } from './oracle.ts'
import type { MakePolicy, PolicySettings } from './policy.ts'
import { rehearse } from './rehearse.ts'
import { zuulWindow } from './zuul.ts'

export type Strategy = {
  readonly name: string
  readonly about: string
  /** What it is made after, and from what source. */
  readonly after: string
  /** What of the original it does not do. */
  readonly leavesOut: string
  /** Nobody can have it: it is shown, and takes part in no ranking. */
  readonly isBound: boolean
  readonly play: (scenario: Scenario) => ComparedFigures
}

/** Plays the scenario through the engine that ships. */
function playMergeyard(scenario: Scenario): ComparedFigures {
  const book = new MeasureBook(scenario)
  const outcome = simulate(scenario, { readers: [book.reader], isUnhashed: true })
  return figuresOfEngine(book.measure(outcome).figures)
}

function settingsOf({ queue }: Scenario): PolicySettings {
  const configuration = configurationWith(queue)
  const batchSize = configuration.batch ? targetBatchSize(configuration) : null
  return { concurrency: configuration.concurrency, batchSize }
}

type Words = Pick<Strategy, 'name' | 'about' | 'after' | 'leavesOut'>

function policy(make: MakePolicy, words: Words): Strategy {
  const play = (scenario: Scenario): ComparedFigures =>
    rehearse(scenario, make, settingsOf(scenario))
  return { ...words, isBound: false, play }
}

const github = {
  after: 'GitHub’s merge queue (docs.github.com, “Managing a merge queue”)',
  leavesOut:
    'the least size of a group and its wait, jumping the queue, the timeout of status checks',
}

export const strategies: readonly Strategy[] = [
  {
    name: 'Mergeyard',
    about: 'the real engine, with the settings of the scenario',
    after: 'itself: it is the engine that ships',
    leavesOut: 'nothing',
    isBound: false,
    play: playMergeyard,
  },
  policy(oneAtATime, {
    name: 'one at a time',
    about: 'tests one, merges it, tests the next (homu, rust-lang/bors)',
    after: 'homu and rust-lang/bors: test, then merge exactly that',
    leavesOut: 'priorities, roll-ups that people make by hand',
  }),
  policy(githubAllGreen, {
    ...github,
    name: 'GitHub-like',
    about: 'a build for each on top of those ahead; all must pass',
  }),
  policy(githubLastGreen, {
    ...github,
    name: 'GitHub-like, last green',
    about: 'the same, but a group merges when its last has passed',
  }),
  policy(gitlabTrain, {
    name: 'GitLab-like',
    about: 'a train of 20; who fails is dropped at once',
    after: 'GitLab’s merge trains (docs.gitlab.com, “Merge trains”)',
    leavesOut: 'merging immediately and skipping the train: both land what nobody has tested',
  }),
  policy(zuulWindow, {
    name: 'Zuul-like',
    about: 'a chain with a window; who fails stays until it is proven',
    after: 'OpenStack Zuul’s dependent pipeline (zuul-ci.org, “Project gating”)',
    leavesOut:
      'several projects, dependencies and cycles of changes, early failure by a pattern in the log',
  }),
  policy(borsHalves, {
    name: 'bors-like',
    about: 'one batch of all who wait, cut in half when it fails',
    after: 'bors-ng (batcher.ex, divider.ex)',
    leavesOut: 'priorities, the timeout, retrying a batch whose push lost a race',
  }),
  {
    ...policy(oracle, {
      name: 'oracle',
      about: 'knows who fails, and tests each once: a bound',
      after: 'nobody: what predictions like those of Uber’s SubmitQueue aim for',
      leavesOut: 'batches: it bounds queues that test each pull request by itself',
    }),
    isBound: true,
  },
]
