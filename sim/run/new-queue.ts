import { configurationWith, newQueue, type Millis, type Queue } from '../../engine/index.ts'
import { codeHostOf } from './faults.ts'
import type { Scenario } from '../scenario/scenario.ts'

/** Returns the queue of a scenario, without pull requests. `at` is the time of its creation. */
export function newQueueOf(scenario: Scenario, at: Millis = 0): Queue {
  const { state = 'RUNNING', ...configuration } = scenario.queue ?? {}
  return newQueue({
    at,
    configuration: configurationWith(configuration),
    state,
    codeHost: codeHostOf(scenario),
  })
}
