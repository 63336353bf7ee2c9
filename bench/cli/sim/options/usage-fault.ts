/** Errors in the command line of `mergeyard sim`. */

import type { BadInput } from '../../../../terminal/bad-input.ts'
import { badUsage } from '../../../../terminal/options.ts'

/** Returns the error for an invalid command line. */
export function usageFault(actual: string, expected: string): BadInput {
  return badUsage('sim', actual, expected)
}

/** Returns the error for a `--why` of a pull request that does not exist. */
export function unknownNumber(number: number, numbers: string): BadInput {
  return usageFault(`--why ${number}`, `the number of a pull request: ${numbers}`)
}
