/** One contract for the simulated code host and a real one: the same stories end in the same way. */

import { expect, test } from 'vitest'
import { contractCases } from './cases.ts'
import type { ContractCase, ContractHost } from './contract-case.ts'

/**
 * Plays the cases on a host; those that are not chosen belong to the matrix.
 * Each host has a test file of its own: they run side by side.
 */
export function contractOf(
  { name, cannot, play }: ContractHost,
  isChosen: (contractCase: ContractCase) => boolean,
): void {
  for (const contractCase of contractCases) {
    const tags = isChosen(contractCase) ? [] : ['matrix']
    test(`on ${name}: ${contractCase.it}`, { tags }, async ({ skip }) => {
      const reason = cannot(contractCase)
      if (reason !== null) skip(reason)
      expect(await play(contractCase)).toEqual({ ...contractCase.expected, broken: [] })
    })
  }
}
