/** Which scenarios can be played on a real repository: those that say nothing about time. */

import type { InputFault } from '../../terminal/bad-input.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'

/** What keeps the scenario from being played; none if it can be. */
export function notPlayable(scenario: Scenario): InputFault[] {
  const { pullRequests = [] } = scenario
  const parts = ['traffic', 'events', 'resubmit', 'faults', 'suiteFlakes'] as const
  const timed = pullRequests.findIndex(({ at = 0 }) => at > 0)
  const drawn = pullRequests.findIndex(({ flakeRate = 0 }) => flakeRate > 0)
  return [
    ...parts
      .filter((part) => scenario[part] !== undefined)
      .map((part) => fault(`/${part}`, 'nothing: real git has no simulated time and faults', part)),
    ...(timed < 0
      ? []
      : [fault(`/pullRequests/${timed}/at`, 'nothing: all are submitted at once', 'a time')]),
    ...(drawn < 0
      ? []
      : [fault(`/pullRequests/${drawn}/flakeRate`, 'flakyRuns, which name runs', 'a rate')]),
    ...(pullRequests.length > 0 ? [] : [fault('/pullRequests', 'pull requests', 'none')]),
  ]
}

function fault(where: string, expected: string, actual: string): InputFault {
  return { where, expected, actual }
}
