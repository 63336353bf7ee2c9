/** One contract for every code host: the same stories end in the same way. */

import { describe, expect, test } from 'vitest'
import { contractCases } from './cases.ts'
import { hosts } from './testing/hosts.ts'

describe.each(hosts)('$name', ({ cannot, play }) => {
  test.each(contractCases)('$it', async (contractCase) => {
    const reason = cannot(contractCase)
    if (reason !== null) console.log(reason)
    else expect(await play(contractCase)).toEqual({ ...contractCase.expected, broken: [] })
  })
})
