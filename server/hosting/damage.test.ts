/** A damaged mirror heals by itself: the queue goes on, and only who cannot be tested leaves it. */

import { chmodSync, readdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { git } from '../git/git.ts'
import { hostedWorld, type HostedWorld } from './testing/hosted-world.ts'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { canMount, withMounts } from '../testing/disks.ts'
import { temporaryFolder } from '../testing/test-server.ts'
import { TestRepository } from './testing/test-repository.ts'

const mirrorOf = ({ folder }: HostedWorld): string => {
  const mirrors = join(folder, 'data', 'mirrors')
  return join(mirrors, readdirSync(mirrors)[0] ?? '')
}

async function empty(world: HostedWorld, name: string): Promise<void> {
  const mirror = mirrorOf(world)
  const oid = (await git(['--git-dir', mirror, 'rev-parse', name])).trim()
  const path = join(mirror, 'objects', oid.slice(0, 2), oid.slice(2))
  chmodSync(path, 0o644)
  truncateSync(path, 0)
}

//
test.each(['tree', 'file'])('given a damaged %s, everybody is merged', matrix, async (what) => {
  const world = await hostedWorld({ set: { state: 'PAUSED' } })
  const { repository } = world
  const head = await repository.commit('refs/pull/1/head', { 'pay.txt': 'twice\n' })
  await repository.commit('refs/pull/2/head', { 'more.txt': 'more\n' })
  for (const number of [1, 2]) await world.submit(number)
  // The work tree of the first run is the first to read the file.
  await empty(world, what === 'tree' ? `${head}^{tree}` : `${head}:pay.txt`)
  world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  await world.untilState('MERGED', 1, 2)
  expect([1, 2].flatMap((number) => world.moves(number)).join()).not.toContain('FAILED')
  await git(['--git-dir', mirrorOf(world), 'fsck', '--connectivity-only'])
})

test('a head that is damaged and gone when it is to land leaves the queue alone', async () => {
  const held: (() => void)[] = []
  const world = await hostedWorld({
    pollMs: 2 ** 30,
    set: { state: 'PAUSED', concurrency: 3 },
    hold: (command, send) => void (command.type === 'finishTestRun' ? held.push(send) : send()),
  })
  const { repository } = world
  await repository.commit('refs/pull/1/head', { 'pay.txt': 'twice\n' })
  const head = await repository.commit('refs/pull/2/head', { 'more.txt': 'more\n' })
  await repository.commit('refs/pull/3/head', { 'last.txt': 'last\n' })
  for (const number of [1, 2, 3]) await world.submit(number)
  world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  await expect.poll(() => held.length).toBe(3)
  await repository.commit('refs/pull/2/head', { 'more.txt': 'less\n' })
  await repository.git(['gc', '--quiet', '--prune=now'])
  await empty(world, head)
  // When the first has merged, the second is composed on a tip that is new.
  for (const send of held) send()
  await world.untilState('CANCELLED', 2)
  await expect.poll(() => held.length).toBe(4)
  held[3]?.()
  await world.untilState('MERGED', 1, 3)
  expect(world.reasonOf(2)).toBe('PR_PUSHED_TO')
  expect(await repository.landed()).toEqual(['1', '3'])
})

// Real full disks: nobody fails, and the queue goes on when there is room.

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
