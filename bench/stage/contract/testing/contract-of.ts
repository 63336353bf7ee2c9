/** One contract for every code host: the same stories end in the same way. */

import { describe, expect, test } from 'vitest'
import { contractCases } from '../cases.ts'
import type { ContractCase, ContractHost } from '../contract-case.ts'

/** Plays the cases on a host, by default all. Each host has a test file of its own: they run side by side. */
export function contractOf(
  { name, cannot, play }: ContractHost,
  cases: readonly ContractCase[] = contractCases,
): void {
  describe(`on ${name}`, () => {
    test.for(cases)('$it', async (contractCase, { skip }) => {
      const reason = cannot(contractCase)
      if (reason !== null) skip(reason)
      expect(await play(contractCase)).toEqual({ ...contractCase.expected, broken: [] })
    })
  })
}
