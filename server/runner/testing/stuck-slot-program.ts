/**
 * Three runs; the first one ends, and a disk is then mounted in its slot. Arguments: a folder. Prints how they
 * ended, what was said, and which slots there are.
 */

import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { main, makeBare, write } from '../../git/testing/commits.ts'
import { mountDisk } from '../../testing/small-disk.ts'
import { CommandRunner } from '../command-runner.ts'

const [folder = ''] = process.argv.slice(2)
const mirror = join(folder, 'mirror.git')
makeBare(mirror)
const [commit = ''] = await write(mirror, { ref: main, files: { 'shop.txt': 'open\n' } })
const words: string[] = []
const runner = new CommandRunner({
  slots: join(folder, 'slots'),
  logs: join(folder, 'runs'),
  mirror,
  command: 'true',
  setup: null,
  setupWhen: [],
  junit: [],
  keep: [],
  environment: [],
  readReports: () => Promise.resolve({ failed: [], flaky: [] }),
  leastFreeBytes: 0,
  onSlotFault: (each) => words.push(each),
})
const outcomes: (string | null)[] = []
for (const id of ['a', 'b', 'c']) {
  const verdict = await runner.test({ id, commit, numbers: [7], base: '' })
  outcomes.push(verdict?.outcome ?? null)
  if (id !== 'a') continue
  const mounted = join(folder, 'slots/0/tree/mounted')
  mkdirSync(mounted)
  mountDisk(mounted, '1m')
}
process.stdout.write(JSON.stringify({ outcomes, words, slots: readdirSync(join(folder, 'slots')) }))
