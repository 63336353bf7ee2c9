import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { canMountAsRoot, withMountsAsRoot } from '../testing/small-disk.ts'
import { temporaryFolder } from '../testing/test-server.ts'
import { isPostgresMissing } from './testing/private-postgres.ts'

const program = fileURLToPath(new URL('./testing/full-disk-program.js', import.meta.url))

test.runIf(canMountAsRoot() && !isPostgresMissing())(
  'given the disk of the database is full, clients get a 503, nothing is lost, and it goes on with room',
  async () => {
    expect(await withMountsAsRoot(program, temporaryFolder())).toEqual({
      wasFilled: true,
      refusal: 503,
      afterwards: 200,
      lost: [],
    })
  },
)
