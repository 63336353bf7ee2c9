/**
 * The swarm: one random scenario per seed, derived from the seed alone. Each has some features of
 * the table in features.ts and lacks the others. All are small, so that thousands of them run in a
 * minute and a failure is easy to read.
 */

import { drawsOf } from '../random/draw.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { diceOf } from './dice.ts'
import { eventsOf } from './events.ts'
import { codeHostOf, faultsOf, suiteFlakesOf } from './faults.ts'
import { featuresOf, type Feature } from './features.ts'
import { pullRequestsOf } from './pull-requests.ts'
import { queueOf, suiteOf } from './queue.ts'
import type { ScenarioDraft } from './scenario-draft.ts'

export const swarmName = 'swarm'

/** Returns the scenario of this seed. It has the drawn features and those in `wanted`. */
export function swarmScenario(seed: number, wanted: readonly Feature[] = []): Scenario {
  const draw = drawsOf(seed)
  const features = featuresOf(draw, wanted)
  const draft: ScenarioDraft = {
    dice: diceOf(draw),
    has: (feature: Feature) => features.has(feature),
  }
  const pullRequests = pullRequestsOf(draft)
  return {
    name: swarmName,
    description: `Scenario ${seed} of the swarm: ${[...features].join(', ')}.`,
    seed,
    queue: queueOf(draft),
    suite: suiteOf(draft),
    pullRequests,
    suiteFlakes: suiteFlakesOf(draft),
    events: eventsOf(draft, pullRequests),
    ...resubmitOf(draft),
    ...codeHostOf(draft),
    faults: faultsOf(draft),
    tieOrder: draft.has('shuffled ties') ? 'shuffled' : 'submission',
  }
}

/** Authors come again soon, among the others, or when the queue is quiet. */
function resubmitOf({ dice, has }: ScenarioDraft): Pick<Scenario, 'resubmit'> {
  if (!has('authors come again')) return {}
  return { resubmit: { afterMinutes: dice.pick('authors come again after', [1, 7, 25, 90]) } }
}
