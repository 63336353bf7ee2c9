/** Real full disks: nobody fails, and the queue goes on when there is room. */

import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { canMount, withMounts } from '../testing/small-disk.ts'
import { temporaryFolder } from '../testing/test-server.ts'
import { TestRepository } from './testing/test-repository.ts'

const program = fileURLToPath(new URL('./testing/full-disk-program.js', import.meta.url))

/** 2 MiB that cannot be compressed to less than 1 MiB. */
function bigText(): string {
  const lines = Array.from({ length: 32 << 10 }, (_, index) =>
    createHash('sha256').update(String(index)).digest('hex'),
  )
  return lines.join('')
}

//
test.runIf(canMount())(
  'given a full disk for the mirror, then one for the test runs, a pull request merges when there is room',
  async () => {
    const folder = temporaryFolder()
    const repository = new TestRepository(join(folder, 'shop.git'))
    await repository.make()
    await repository.commit('refs/heads/big', { 'big.txt': bigText() })
    expect(await withMounts(program, join(folder, 'data'), repository.path)).toEqual({
      faults: ['No space left on device', 'too little of the disk is free'],
      moves: ['TESTING', 'TESTS_PASSED', 'MERGED'],
      after: [],
    })
    expect(await repository.landed()).toEqual(['1'])
  },
)
