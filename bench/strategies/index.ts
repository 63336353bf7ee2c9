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
  /** Nobody can have it: it is shown, and takes part in no ranking. */
  readonly isBound: boolean
  readonly play: (scenario: Scenario) => ComparedFigures
}

/** Plays the scenario through the engine that ships. */
function playMergeyard(scenario: Scenario): ComparedFigures {
  const book = new MeasureBook(scenario)
  const outcome = simulate(scenario, { readers: [book.reader] })
  return figuresOfEngine(book.measure(outcome).figures)
}

function settingsOf({ queue }: Scenario): PolicySettings {
  const configuration = configurationWith(queue)
  const batchSize = configuration.batch ? targetBatchSize(configuration) : null
  return { concurrency: configuration.concurrency, batchSize }
}

function policy(name: string, make: MakePolicy, about: string): Strategy {
  const play = (scenario: Scenario): ComparedFigures =>
    rehearse(scenario, make, settingsOf(scenario))
  return { name, about, isBound: false, play }
}

export const strategies: readonly Strategy[] = [
  {
    name: 'Mergeyard',
    about: 'the real engine, with the settings of the scenario',
    isBound: false,
    play: playMergeyard,
  },
  policy(
    'one at a time',
    oneAtATime,
    'tests one, merges it, tests the next (homu, rust-lang/bors)',
  ),
  policy('GitHub-like', githubAllGreen, 'a build for each on top of those ahead; all must pass'),
  policy(
    'GitHub-like, last green',
    githubLastGreen,
    'the same, but a group merges when its last has passed',
  ),
  policy('GitLab-like', gitlabTrain, 'a train of 20; who fails is dropped at once'),
  policy('Zuul-like', zuulWindow, 'a chain with a window; who fails stays until it is proven'),
  policy('bors-like', borsHalves, 'one batch of all who wait, cut in half when it fails'),
  { ...policy('oracle', oracle, 'knows who fails, and tests each once: a bound'), isBound: true },
]
