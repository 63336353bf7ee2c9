import { configurationWith, newQueue, type Millis, type Queue } from '../../engine/index.ts'
import { codeHostOf } from './faults.ts'
import type { QuarantinedTest, Scenario } from '../scenario/scenario.ts'
import { toMillis } from '../scenario/time.ts'

/** Returns the queue of a scenario, without pull requests. `at` is the time of its creation. */
export function newQueueOf(scenario: Scenario, at: Millis = 0): Queue {
  const { state = 'RUNNING', ...configuration } = scenario.queue ?? {}
  return newQueue({
    at,
    configuration: configurationWith(configuration),
    state,
    codeHost: codeHostOf(scenario),
    ...(scenario.quarantine ? { quarantine: entriesOf(scenario.quarantine, at) } : {}),
  })
}

function entriesOf(tests: readonly QuarantinedTest[], since: Millis) {
  return Object.fromEntries(
    tests.map(({ test, until }) => {
      const end = until === undefined ? {} : { until: since + toMillis(until) }
      return [test, { since, ...end }]
    }),
  )
}
