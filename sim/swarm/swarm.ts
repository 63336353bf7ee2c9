/**
 * The swarm: a scenario for every seed, out of the seed alone. Each has some features of the
 * table in features.ts and lacks the others; all are small, so that thousands of them take a
 * minute and what they find can be read.
 */

import { drawsOf } from '../draw.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { diceOf } from './dice.ts'
import { eventsOf } from './events.ts'
import { faultsOf, suiteFlakesOf } from './faults.ts'
import { featuresOf, type Feature } from './features.ts'
import { pullRequestsOf } from './pull-requests.ts'
import { queueOf, suiteOf } from './queue.ts'
import type { Sketch } from './sketch.ts'

export const swarmName = 'swarm'

/** The scenario of this seed; these features are on in it, whatever else is. */
export function swarmScenario(seed: number, wanted: readonly Feature[] = []): Scenario {
  const draw = drawsOf(seed)
  const features = featuresOf(draw, wanted)
  const sketch: Sketch = {
    dice: diceOf(draw),
    has: (feature: Feature) => features.has(feature),
  }
  const pullRequests = pullRequestsOf(sketch)
  return {
    name: swarmName,
    description: `Scenario ${seed} of the swarm: ${[...features].join(', ')}.`,
    seed,
    queue: queueOf(sketch),
    suite: suiteOf(sketch),
    pullRequests,
    suiteFlakes: suiteFlakesOf(sketch),
    events: eventsOf(sketch, pullRequests),
    faults: faultsOf(sketch),
    tieOrder: sketch.has('shuffled ties') ? 'shuffled' : 'submission',
  }
}
