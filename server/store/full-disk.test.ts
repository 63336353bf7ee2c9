/** The disk of the data folder is full. */

import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { canMount, withMounts } from '../testing/small-disk.ts'
import { temporaryFolder } from '../testing/test-server.ts'

const program = fileURLToPath(new URL('./testing/full-disk-program.js', import.meta.url))

//
test.runIf(canMount())(
  'given a disk that fills up, the server says so, and nothing acknowledged is lost',
  async () => {
    const folder = temporaryFolder()
    const full = (segment: string): unknown =>
      expect.stringMatching(new RegExp(`kept\\. The disk of ${folder}/log/${segment} is full$`))
    expect(await withMounts(program, folder)).toEqual({
      faults: [full('00000001.jsonl'), full('00000002.jsonl')],
      isMany: true,
      lost: 0,
    })
  },
)
