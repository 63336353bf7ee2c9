/**
 * A server is killed after each of its effects, and started again on the same data folder: the end is
 * the same as without. `npm run test:matrix` tries effect 110, `MERGEYARD_EFFECTS=all` every one.
 */

import {
  readdirSync,
  readFileSync,
  chmodSync,
  existsSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createHash } from 'node:crypto'
import { expect, type TestContext, test } from 'vitest'
import { git } from '../git/git.ts'
import { onlyCommand } from '../runner/command-runner.ts'
import { effectsIn, crashTests, live, mergedInCrash } from './testing/crash-tests.ts'
import { crashChanges, pushAll } from './testing/crash-story.ts'
import { TestRepository } from './testing/test-repository.ts'
import { matrix } from '../../engine/testing/matrix.ts'
import { hostedWorld, type HostedWorld } from './testing/hosted-world.ts'
import { canMount, withMounts } from '../testing/disks.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'

type Ended = {
  readonly states: Readonly<Record<string, string>>
  readonly kills: number
  readonly effects: number
  readonly repository: TestRepository
  readonly data: string
}

/** Plays the story; the server dies after effect `last`, and is started again. */
async function play(last: number, { onTestFinished }: TestContext): Promise<Ended> {
  // Of the context: these tests run side by side.
  const folder = temporaryFolder(onTestFinished)
  const data = join(folder, 'data')
  const repository = new TestRepository(join(folder, 'shop.git'))
  await repository.make()
  const effects = effectsIn(folder, last)
  const run = `FLAKED='${join(folder, 'flaked')}' sh test.sh; code=$?; ${effects.count} $PPID; exit $code`
  // In a sandbox a test command could not kill the server at its end.
  const tests = { ...onlyCommand, kind: 'command', run, bubblewrap: false } as const
  const story = { url: repository.path, tests }
  const env = { ...process.env, PATH: effects.path }
  const life = { data, story, env, count: effects.count, file: repository.path }
  const polled = await live('poll', life)
  await pushAll(repository)
  const entered = await live('enter', life)
  const merged = await live('merge', life)
  const states: Ended['states'] = JSON.parse(merged.stdout)
  const kills = polled.kills + entered.kills + merged.kills
  return { states, kills, effects: effects.number(), repository, data }
}

/** What is promised: who merged, that each commit passes, and that nothing is left. */
async function judge({ states, repository, data }: Ended): Promise<void> {
  const merged = mergedInCrash(states)
  expect((await repository.landed()).sort((a, b) => a.localeCompare(b))).toEqual(merged)
  expect(await repository.files()).toEqual(['b.txt', 'd.txt', 'flaky', 'line.txt', 'test.sh'])
  expect(await repository.text('line.txt')).toBe(merged.includes('3') ? 'c' : 'f')
  for (const commit of (await repository.git(['rev-list', 'main'])).split('\n')) {
    expect((await repository.files(commit)).filter((file) => file.startsWith('broken'))).toEqual([])
  }
  const left = crashChanges.filter((_, index) => !merged.includes(String(index + 1)))
  const branches = left.map(([name]) => `refs/heads/queue/${name}`)
  expect(repository.refs()).toEqual(['refs/heads/main', ...branches])
  expect(locksIn(data)).toEqual([])
  expect(processesOf(data)).toEqual([])
  const mirror = join(data, 'mirrors', readdirSync(join(data, 'mirrors'))[0] ?? '')
  await git(['--git-dir', mirror, 'fsck', '--connectivity-only'])
}

function locksIn(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return all.filter((path) => path.endsWith('.lock'))
}

/** The processes whose environment names the data folder: tests that nobody waits for. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`HOME=${folder}`)
    } catch {
      return false
    }
  })
}

crashTests({ play, judge, most: 180, step: 110 })

// A damaged mirror heals by itself: the queue goes on, and only who cannot be tested leaves it.

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

const fullDiskProgram = fileURLToPath(new URL('./testing/full-disk-program.js', import.meta.url))

/** 2 MiB that cannot be compressed to less than 1 MiB. */
function bigText(): string {
  const lines = Array.from({ length: 32 << 10 }, (_, index) =>
    createHash('sha256').update(String(index)).digest('hex'),
  )
  return lines.join('')
}

//
test.runIf(canMount())('after full disks of the mirror and of test runs, it merges', async () => {
  const folder = temporaryFolder()
  const repository = new TestRepository(join(folder, 'shop.git'))
  await repository.make()
  await repository.commit('refs/heads/big', { 'big.txt': bigText() })
  expect(await withMounts(fullDiskProgram, join(folder, 'data'), repository.path)).toEqual({
    faults: ['No space left on device', 'too little of the disk is free'],
    moves: ['TESTING', 'TESTS_PASSED', 'MERGED'],
    after: [],
  })
  expect(await repository.landed()).toEqual(['1'])
})

test(
  'a stop does not wait for a repository that takes a push and does not answer',
  matrix,
  async () => {
    const world = await hostedWorld()
    const { repository } = world
    // It answers by itself, but long after a stop has to be over.
    const waits = 'for each in $(seq 1200); do [ -e answer ] && exit; sleep 0.05; done'
    repository.hook('post-receive', `touch pushed; ${waits}; touch late`)
    await repository.commit('refs/heads/queue/pay', { 'pay.txt': 'twice\n' })
    await expect.poll(() => existsSync(join(repository.path, 'pushed'))).toBe(true)
    await world.stop()
    expect(existsSync(join(repository.path, 'late'))).toBe(false)
    writeFileSync(join(repository.path, 'answer'), '')
    await world.start()
    await world.untilState('MERGED', 1)
    expect(await repository.landed()).toEqual(['1'])
  },
)
