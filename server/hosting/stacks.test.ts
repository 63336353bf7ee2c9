/** Branches that are built on each other and land as a stack, with real git. */

import { expect, test } from 'vitest'
import { hostedWorld, type HostedWorld } from './testing/hosted-world.ts'

/** Of polls: what is pushed is seen when the test polls. */
const never = 2 ** 30
const methods = ['merge_commit', 'squash', 'rebase'] as const

/** Three branches with two commits each, all on one line: `c` is built on `b`, and that on `a`. They are not pushed below `queue/` yet. */
async function stackOfThree({ repository }: HostedWorld): Promise<void> {
  let from = 'main'
  for (const name of ['a', 'b', 'c']) {
    const ref = `refs/heads/${name}`
    await repository.commit(ref, { 'pay.txt': `${name} begins\n`, [`${name}.txt`]: 'x\n' }, from)
    await repository.commit(ref, { 'pay.txt': `${name} ends\n` }, ref)
    from = ref
  }
}

const dependsOn = (world: HostedWorld) =>
  Object.fromEntries(
    Object.values(world.queue().pullRequests).map((each) => [each.number, each.dependsOn ?? []]),
  )

/** The commits of the branch after its first one, oldest first, by the files that they change. */
async function changes({ repository }: HostedWorld): Promise<string[]> {
  const log = ['log', '--reverse', '--first-parent', '-m', '--name-only', '--format=%x00', 'main']
  const text = await repository.git(log)
  return text
    .split('\0')
    .slice(2)
    .map((files) => files.trim().split('\n').sort().join(' '))
}

//
test.each(methods)('three that are pushed at once land from below by %s', async (mergeMethod) => {
  const world = await hostedWorld({ set: { mergeMethod, concurrency: 3 }, pollMs: never })
  const { repository } = world
  await stackOfThree(world)
  // The names say the order the other way round.
  for (const [at, name] of ['c', 'b', 'a'].entries()) {
    await repository.set(`refs/heads/queue/${at}-${name}`, await repository.oidOf(name))
  }
  await world.poll()
  await world.untilState('MERGED', 1, 2, 3)
  expect(dependsOn(world)).toEqual({ 1: [2], 2: [3], 3: [] })
  const ofEach = ['a', 'b', 'c'].map((name) => `${name}.txt pay.txt`)
  expect(await changes(world)).toEqual(
    mergeMethod === 'rebase' ? ofEach.flatMap((files) => [files, 'pay.txt']) : ofEach,
  )
  expect(await repository.text('pay.txt')).toBe('c ends')
  expect((await repository.landed()).filter((each) => each !== '')).toEqual(['3', '2', '1'])
  const said = await repository.git(['log', '--format=%B', 'main'])
  expect(said.match(/Change pay.txt [abc].txt/g)?.toSorted()).toEqual(
    ['a', 'b', 'c'].map((name) => `Change pay.txt ${name}.txt`),
  )
})

//
test.each([
  ['squash', '* Change pay.txt c.txt\n\n* Change pay.txt\n\n'],
  ['rebase', ''],
] as const)(
  'what is pushed later on top of what landed by %s depends on nobody who has merged, and brings only its own commits',
  async (mergeMethod, told) => {
    const world = await hostedWorld({ set: { mergeMethod } })
    const { repository } = world
    await stackOfThree(world)
    for (const name of ['a', 'b']) {
      await repository.set(`refs/heads/queue/${name}`, await repository.oidOf(name))
    }
    await world.untilState('MERGED', 1, 2)
    const below = await repository.oidOf('main')
    await repository.set('refs/heads/queue/c', await repository.oidOf('c'))
    await world.untilState('MERGED', 3)
    expect(dependsOn(world)).toEqual({ 1: [], 2: [1], 3: [] })
    const own = mergeMethod === 'rebase' ? 'main~2' : 'main^'
    expect(await repository.oidOf(own)).toBe(below)
    const body = await repository.git(['log', '-1', '--format=%b', 'main'])
    expect(body).toBe(`${told}Mergeyard-Pull: 3`)
    expect(await repository.text('pay.txt')).toBe('c ends')
  },
)

//
test('of branches that are pushed at once, with commits of one second, the first by name enters first', async () => {
  const world = await hostedWorld({ pollMs: 3_600_000, tests: { kind: 'external' } })
  const at = 'Ada <ada@example.com> 1767603600 +0000'
  const commits = ['a', 'b', 'c'].map(
    (name) =>
      `commit refs/heads/queue/${name}\nauthor ${at}\ncommitter ${at}\ndata 1\n${name}\n` +
      `from refs/heads/main^0\nM 100644 inline ${name}.txt\ndata 1\n${name}\n`,
  )
  await world.repository.git(['fast-import', '--quiet', '--force'], commits.join(''))
  await world.poll()
  await world.until(() => Object.keys(world.states()).length === 3)
  const entered = Object.values(world.queue().pullRequests)
    .toSorted((one, other) => one.submission - other.submission)
    .map(({ number }) => number)
  // They have their numbers by name.
  expect(entered).toEqual([1, 2, 3])
})

test('what is built on one that fails leaves with it, and lands when both are pushed again', async () => {
  const world = await hostedWorld({ pollMs: never })
  const { repository } = world
  const [below, above] = ['refs/heads/queue/a', 'refs/heads/queue/b']
  const bad = await repository.commit('refs/heads/a', { 'broken/a': 'x\n' })
  const onBad = await repository.commit('refs/heads/b', { 'b.txt': 'b\n' }, bad)
  await repository.set(below, bad)
  await repository.set(above, onBad)
  await world.poll()
  await world.untilState('FAILED', 1)
  expect(world.reasonOf(2)).toBe('PREREQUISITE_MERGE_ITEM_FAILED')
  const good = await repository.commit(below, { 'broken/a': null, 'a.txt': 'a\n' }, bad)
  await repository.commit(above, { 'b.txt': 'b\n' }, good)
  await world.poll()
  await world.untilState('MERGED', 1, 2)
  expect(dependsOn(world)).toEqual({ 1: [], 2: [1] })
  expect(await repository.landed()).toEqual(['1', '2'])
})

//
test('what it depends on is frozen with its commit: another priority ends no submission', async () => {
  const world = await hostedWorld({ set: { state: 'PAUSED' } })
  await stackOfThree(world)
  const { repository } = world
  for (const [at, name] of ['a', 'b', 'c'].entries()) {
    await repository.set(`refs/pull/${at + 1}/head`, await repository.oidOf(name))
  }
  for (const number of [2, 1, 3, 2]) await world.submit(number)
  expect(dependsOn(world)).toEqual({ 1: [], 2: [], 3: [1, 2] })
  expect(world.queue().last.submission).toBe(3)
})

//
test('a request that names what is not there is refused, and a pushed branch waits for it', async () => {
  const world = await hostedWorld({ set: { state: 'PAUSED' } })
  const { repository } = world
  await repository.commit('refs/pull/1/head', { 'a.txt': 'a\n' })
  await repository.commit('refs/pull/2/head', { 'b.txt': 'b\n' })
  const asked = (named: readonly number[]) => world.host().snapshotOf(2, named)
  expect(await asked([1, 99])).toEqual({
    refused: { status: 409, text: 'it depends on 99, which does not exist' },
  })
  expect(await asked([1])).toMatchObject({ value: { after: [1] } })
  const person = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  const commit = [
    'commit-tree',
    'refs/pull/2/head^{tree}',
    '-p',
    'main',
    '-m',
    'B\n\nDepends-On: #99',
  ]
  await repository.set('refs/heads/queue/b', await repository.git([...person, ...commit]))
  // The host goes on to number its own.
  await world.untilState('NOT_READY', 1_000_001)
  expect(dependsOn(world)).toEqual({ 1_000_001: [99] })
})

// Text conflicts: with the tip, and with another pull request of the queue.

const requestRef = (name: string): string => `refs/heads/queue/${name}`

test.each([
  ['somebody pushes to it', requestRef('pay'), 'mine\n'],
  ['the branch no longer conflicts with it', 'refs/heads/main', 'old\n'],
])('a pull request that conflicts with the branch waits until %s', async (_, ref, line) => {
  const world = await hostedWorld()
  const { repository } = world
  const begin = await repository.oidOf('main')
  await repository.commit('refs/heads/main', { 'line.txt': 'new\n' })
  await repository.commit(requestRef('pay'), { 'line.txt': 'mine\n' }, begin)
  await world.untilState('NOT_READY', 1)
  await repository.commit(ref, { 'line.txt': line })
  await world.untilState('MERGED', 1)
  expect(await repository.text('line.txt')).toBe('mine')
})
