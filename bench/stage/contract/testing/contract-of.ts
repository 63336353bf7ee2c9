/** One contract for every code host: the same stories end in the same way. */

import { describe, expect, test } from 'vitest'
import { contractCases } from '../cases.ts'
import type { ContractCase, ContractHost } from '../contract-case.ts'

const isAll = process.env['MERGEYARD_CONTRACT'] === 'all'

/**
 * What happens during a landing. Before, a story is decided in the mirror alone. Afterwards the host is asked
 * once more: the tests of crashes do that by path and on GitHub, and only the long form on the others.
 */
export const ofLandings: Chosen = ({ happening }) => happening?.when === 'landing'

type Chosen = (contractCase: ContractCase) => boolean

/**
 * Plays the chosen cases on a host; MERGEYARD_CONTRACT=all plays the others as well.
 * Each host has a test file of its own: they run side by side.
 */
export function contractOf(
  { name, cannot, play }: ContractHost,
  isChosen: Chosen = () => true,
): void {
  const cases = contractCases.filter((each) => isAll || isChosen(each))

  describe(`on ${name}`, () => {
    test.for(cases)('$it', async (contractCase, { skip }) => {
      const reason = cannot(contractCase)
      if (reason !== null) skip(reason)
      expect(await play(contractCase)).toEqual({ ...contractCase.expected, broken: [] })
    })
  })
}
