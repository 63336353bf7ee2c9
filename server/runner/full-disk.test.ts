import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { main, makeBare, write } from '../git/testing/commits.ts'
import { canMount, withMounts } from '../testing/small-disk.ts'
import { temporaryFolder } from '../testing/test-server.ts'

const program = fileURLToPath(new URL('./testing/full-disk-program.js', import.meta.url))

const full = 'Error: too little of the disk is free for a test run: make room, at least 1 GiB'

//
test.runIf(canMount())(
  'a run that fills the disk has no verdict, and leaves room for others; a slot in which something is mounted is replaced',
  async () => {
    const folder = temporaryFolder()
    const mirror = join(folder, 'mirror.git')
    makeBare(mirror)
    const [commit = ''] = await write(mirror, { ref: main, files: { 'shop.txt': 'open\n' } })
    expect(await withMounts(program, folder, mirror, commit)).toEqual({
      told: [full, 'passed', full, 'passed', 'passed'],
      // It is said once.
      words: [
        expect.stringMatching(
          /^slot 0 cannot be emptied, so another one takes its place: .* is mounted in it: unmount it$/,
        ),
      ],
      slots: ['0', '1'],
    })
  },
)
