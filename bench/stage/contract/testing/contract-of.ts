/** One contract for every code host: the same stories end in the same way. */

import { describe, expect, test } from 'vitest'
import { contractCases } from '../cases.ts'
import type { ContractHost } from '../contract-case.ts'

/** Plays every case on a host. Each host has a test file of its own, so that they run side by side. */
export function contractOf({ name, cannot, play }: ContractHost): void {
  describe(`on ${name}`, () => {
    test.for(contractCases)('$it', async (contractCase, { skip }) => {
      const reason = cannot(contractCase)
      if (reason !== null) skip(reason)
      expect(await play(contractCase)).toEqual({ ...contractCase.expected, broken: [] })
    })
  })
}
