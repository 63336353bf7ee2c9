/** One contract for every code host: the same stories end in the same way. */

import { describe, expect, test } from 'vitest'
import { contractCases } from './cases.ts'
import { hosts } from './testing/hosts.ts'

//
describe.each(hosts)('$name', ({ cannot, play }) => {
  test.for(contractCases)('$it', async (contractCase, { skip }) => {
    const reason = cannot(contractCase)
    if (reason !== null) skip(reason)
    expect(await play(contractCase)).toEqual({ ...contractCase.expected, broken: [] })
  })
})
