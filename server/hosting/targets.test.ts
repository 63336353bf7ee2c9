/** A monorepo in parallel mode, with a real server, real git and real tests; nobody uploads targets. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import type { TargetsOptions } from '../targets/matching.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import type { CommandTests } from './options.ts'
import { type HostedWorld, hostedWorld, type WorldOptions } from './testing/hosted-world.ts'
import { onlyCommand } from '../runner/command-runner.ts'

const manifest = (name: string, dependencies: Record<string, string> = {}): string =>
  JSON.stringify({ name, dependencies })

const monorepo = {
  'package.json': JSON.stringify({ private: true, workspaces: ['packages/*'] }),
  'packages/api/package.json': manifest('api'),
  'packages/docs/package.json': manifest('docs'),
  'packages/web/package.json': manifest('web', { api: '*' }),
}

/**
 * Each command waits for the other one, and passes only if its tree does not hold the other change: so
 * both are tested at once, and neither on top of the other.
 */
const meetingIn = (folder: string): string => `mkfifo '${folder}/meeting' 2>/dev/null
case $MERGEYARD_PULLS in
  1) echo met > '${folder}/meeting' && [ ! -e packages/docs/a.txt ];;
  2) cat '${folder}/meeting' && [ ! -e packages/web/a.txt ];;
  *) exit 1;;
esac`

const command = { ...onlyCommand, kind: 'command', run: 'true' } as const
const set = { mode: 'parallel', concurrency: 2 } as const

function monorepoWith(
  targets: TargetsOptions,
  tests: Partial<CommandTests> = {},
): Promise<HostedWorld> {
  return hostedWorld({ files: monorepo, targets, set, tests: { ...command, ...tests } })
}

//
test('two pull requests of different packages are tested side by side', async () => {
  const folder = temporaryFolder()
  const tests = { run: meetingIn(folder), bind: [folder] }
  const world = await monorepoWith({ workspaces: true }, tests)
  await world.repository.commit('refs/pull/1/head', { 'packages/web/a.txt': 'a\n' })
  await world.repository.commit('refs/pull/2/head', { 'packages/docs/a.txt': 'a\n' })
  await world.submit(1)
  await world.submit(2)
  await world.untilState('MERGED', 1, 2)
  expect(targetsOf(world)).toEqual({ 1: ['web'], 2: ['docs'] })
})

test('a change of a package impacts its dependents, one of the root impacts all', async () => {
  const world = await monorepoWith({ workspaces: true })
  await world.repository.commit('refs/pull/1/head', { 'packages/api/a.txt': 'a\n' })
  await world.repository.commit('refs/pull/2/head', { 'package-lock.json': '{}\n' })
  await world.submit(1)
  await world.submit(2)
  await world.untilState('MERGED', 1, 2)
  expect(targetsOf(world)).toEqual({ 1: ['api', 'web'], 2: 'ALL' })
})

//
test('a push gives new targets', matrix, async () => {
  const world = await monorepoWith({
    paths: { web: ['packages/web/**'], docs: ['packages/docs/**'] },
  })
  world.send({ type: 'updateQueue', set: { state: 'PAUSED' } })
  await world.repository.commit('refs/heads/queue/a', { 'packages/web/a.txt': 'a\n' })
  await world.untilState('NOT_READY', 1)
  expect(targetsOf(world)).toEqual({ 1: ['web'] })
  await world.repository.commit('refs/heads/queue/a', { 'packages/docs/a.txt': 'a\n' })
  await world.until(() => JSON.stringify(targetsOf(world)) === '{"1":["docs"]}')
  expect(world.moves(1)).toContain('CANCELLED PR_PUSHED_TO')
})

test('a file that moves to another package impacts both', matrix, async () => {
  const world = await monorepoWith({ workspaces: true })
  const text = 'the same text in both places\n'.repeat(20)
  await world.repository.commit('refs/heads/main', { 'packages/api/a.txt': text })
  await world.repository.commit('refs/pull/1/head', { 'packages/docs/a.txt': text })
  const input =
    'commit refs/pull/1/head\ncommitter A <a@b> 1767610000 +0000\ndata 1\nx\nfrom refs/pull/1/head^0\nD packages/api/a.txt\n'
  await world.repository.git(['fast-import', '--quiet', '--force'], input)
  await world.poll()
  await world.submit(1)
  expect(targetsOf(world)).toEqual({ 1: ['api', 'docs', 'web'] })
})

test.each([
  ['names', 'echo noise >&2; echo web; echo docs', ['web', 'docs']],
  [
    'a list',
    `test -f packages/api/package.json && printf '["%s"]' "pr-$MERGEYARD_PULLS"`,
    ['pr-1'],
  ],
  ['a failure', 'echo web; exit 3', 'ALL'],
  ['nothing', 'true', 'ALL'],
  ['as many names as a client may not send', 'seq 8001', 'ALL'],
])('a command prints %s', matrix, async (_, text, expected) => {
  const world = await monorepoWith({ command: text })
  await world.repository.commit('refs/pull/1/head', { 'packages/docs/a.txt': 'a\n' })
  await world.submit(1)
  expect(targetsOf(world)).toEqual({ 1: expected })
})

test('a stop while a command looks for targets finds none, and the next start does', async () => {
  const folder = temporaryFolder()
  const begun = join(folder, 'begun')
  const once = `[ -e '${begun}' ] || { touch '${begun}'; exec sleep 600; }; echo web`
  const world = await monorepoWith({ command: once }, { bind: [folder] })
  await world.repository.commit('refs/pull/1/head', { 'packages/web/a.txt': 'a\n' })
  const asked = world.host().snapshotOf(1)
  await expect.poll(() => existsSync(begun)).toBe(true)
  await world.stop()
  expect(await asked).toMatchObject({ refused: { status: 503 } })
  await world.start()
  expect(targetsOf(world)).toEqual({})
  await world.submit(1)
  expect(targetsOf(world)).toEqual({ 1: ['web'] })
})

test('a start that names other targets finds those of who waits anew, and one with the same does not', async () => {
  const options: { targets?: TargetsOptions } & WorldOptions = {
    files: monorepo,
    set: { ...set, state: 'PAUSED' },
    tests: command,
  }
  const world = await hostedWorld(options)
  await world.repository.commit('refs/pull/1/head', { 'packages/web/a.txt': 'a\n' })
  await world.submit(1)
  const startWith = async (name: string): Promise<unknown> => {
    options.targets = { paths: { [name]: ['packages/web/**'] } }
    await world.stop()
    await world.start()
    await world.poll()
    return targetsOf(world)[1]
  }
  expect(targetsOf(world)).toEqual({})
  expect(await startWith('web')).toEqual(['web'])
  expect(await startWith('frontend')).toEqual(['frontend'])
  world.send({ type: 'setImpactedTargets', number: 1, targets: ['own'] })
  expect(await startWith('frontend')).toEqual(['own'])
})

function targetsOf(world: HostedWorld) {
  return world.queue().impactedTargets
}
