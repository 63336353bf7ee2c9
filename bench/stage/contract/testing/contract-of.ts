/** One contract for every code host: the same stories end in the same way. */

import { expect, test } from 'vitest'
import { contractCases } from './cases.ts'
import type { ContractCase, ContractHost } from './contract-case.ts'

/**
 * What happens during a landing. Before, a story is decided in the mirror alone. Afterwards the host is asked
 * once more: the tests of crashes do that by path, and in the matrix on GitHub.
 */
const ofLandings: Chosen = ({ happening }) => happening?.when === 'landing'

/** The first of them: what a landing does is decided above the hosts, and played in full by path. */
export const oneLanding: Chosen = (contractCase) => contractCase === contractCases.find(ofLandings)

/** Only in the matrix: its landing is that of another host, with other requests, which its own stories send. */
export const noneFirst: Chosen = () => false

type Chosen = (contractCase: ContractCase) => boolean

/**
 * Plays the cases on a host; those that are not chosen belong to the matrix.
 * Each host has a test file of its own: they run side by side.
 */
export function contractOf(
  { name, cannot, play }: ContractHost,
  isChosen: Chosen = ofLandings,
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
