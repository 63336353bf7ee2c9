/** The option `--resubmit-after` of `mergeyard tune` and `compare` (S-243). */

import type { Scenario } from '../../sim/scenario/scenario.ts'
import type { OptionTable, ParsedOptions } from '../../server/terminal/options.ts'
import { resubmitAfter } from '../../sim/cli/values.ts'
import { defaultResubmit } from '../queues/fair-scenario.ts'

export const resubmitTable = {
  'resubmit-after <minutes | never>':
    "a pull request that was evicted although healthy, or that clashed, comes again after this time (default: the scenario's, else 15)",
} as const satisfies OptionTable

type ResubmitOptions = Pick<ParsedOptions<typeof resubmitTable>, 'text' | 'fault'>

/** Returns how the option changes a scenario. Throws `BadInput` for an invalid value. */
export function resubmitting({ text, fault }: ResubmitOptions): (scenario: Scenario) => Scenario {
  const given = text('resubmit-after')
  if (given === null) {
    return (scenario) => ({ ...scenario, resubmit: scenario.resubmit ?? defaultResubmit })
  }
  const afterMinutes = resubmitAfter(given, (expected) => fault('resubmit-after', expected))
  return ({ resubmit: _resubmit, ...scenario }) =>
    afterMinutes === null ? scenario : { ...scenario, resubmit: { afterMinutes } }
}
