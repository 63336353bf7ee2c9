/** Faults of the command line of `npm run sim` itself. */

import type { BadInput } from '../scenario/bad-input.ts'
import { badUsage, wholeNumber as wholeNumberOf } from './parse-options.ts'

/** What came, and what was expected. */
export function usageFault(came: string, expected: string): BadInput {
  return badUsage('sim', came, expected)
}

/** A whole number, 0 or more. Throws `BadInput` for anything else. */
export function wholeNumber(option: string, text: string): number {
  return wholeNumberOf('sim', option, text)
}
