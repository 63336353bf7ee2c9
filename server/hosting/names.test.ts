/** Numbers of refs, names of repositories, and waits. */

import { expect, test } from 'vitest'
import { Backoff, ReportedFaults } from './backoff.ts'
import { pageOfPull } from './options.ts'
import { PullRefs, numberIn, pullRef } from './observation.ts'
import { isLocal, repositoryIn } from '../identity/queue-ref.ts'
import { matrix } from '../../engine/testing/matrix.ts'
import { hostedWorld } from './testing/hosted-world.ts'

const none = { heads: new Map<string, string>() }

test('a branch gets the next free number and keeps it', () => {
  const refs = new PullRefs()
  refs.note(3, { ref: 'refs/heads/queue/a' })
  refs.taken(5)
  expect(refs.numberOf('refs/heads/queue/b', none)).toBe(6)
  expect(refs.numberOf('refs/heads/queue/b', none)).toBe(6)
  expect(refs.numberOf('refs/heads/queue/a', none)).toBe(3)
  expect([3, 6, 9].map((number) => refs.refOf(number))).toEqual([
    'refs/heads/queue/a',
    'refs/heads/queue/b',
    'refs/pull/9/head',
  ])
})

test('given a branch called like a number, who asks for that number reads how to name the branch', async () => {
  const world = await hostedWorld({ set: { state: 'PAUSED' } })
  await world.repository.commit('refs/heads/42', { 'pay.txt': 'twice\n' })
  await world.poll()
  const words =
    'no pull request 42: the repository has no refs/pull/42/head; to name the branch, write refs/heads/42'
  await expect(world.submit(42)).rejects.toThrow(words)
  await expect(world.submit(43)).rejects.toThrow(/has no refs\/pull\/43\/head$/)
})

//
test('a branch gets a number that the host of the repository has given to none and will give to none', () => {
  const observation = { heads: new Map([[pullRef(12), 'aa']]) }
  const refs = new PullRefs()
  expect(refs.numberOf('refs/heads/queue/a', observation)).toBe(1_000_001)
  expect(refs.numberOf('refs/heads/queue/b', observation)).toBe(1_000_002)
})

//
test('a branch keeps the number that somebody was told, also if it is submitted after a restart', async () => {
  const world = await hostedWorld()
  await world.repository.commit('refs/heads/pay', { 'pay.txt': 'twice\n' })
  await world.repository.commit('refs/heads/login', { 'login.txt': 'once\n' })
  expect(await world.host().open('pay')).toEqual({ value: { number: 1 } })
  await world.stop()
  await world.start()
  expect(await world.host().open('login')).toEqual({ value: { number: 2 } })
  await world.submit(1)
  await world.untilState('MERGED', 1)
  expect(await world.repository.files()).toEqual(['line.txt', 'pay.txt', 'test.sh'])
  // What is forgotten gives its number to nobody.
  await world.repository.commit('refs/heads/queue/gone', { 'gone.txt': 'gone\n' })
  await world.untilState('MERGED', 3)
  world.send({ type: 'forget', numbers: [1, 3] })
  await world.stop()
  await world.start()
  await world.repository.commit('refs/heads/more', { 'more.txt': 'more\n' })
  expect(await world.host().open('more')).toEqual({ value: { number: 4 } })
})

//
test('given a host that gives the number of a branch to another change, neither merges in the place of the other', async () => {
  const world = await hostedWorld()
  const { repository } = world
  const pay = 'refs/heads/pay'
  const head = await repository.commit(pay, { 'pay.txt': 'twice\n' })
  expect(await world.host().open('pay')).toEqual({ value: { number: 1 } })
  await repository.set(pullRef(1), head)
  await world.submit(1)
  await world.untilState('MERGED', 1)
  await repository.commit(pay, { 'pay.txt': 'thrice\n' })
  await repository.commit(pullRef(1), { 'login.txt': 'once\n' })
  const words =
    'number 1 is the branch pay here, and refs/pull/1/head is another change: push the one that is to merge below queue/'
  await expect(world.submit(1)).rejects.toThrow(words)
  expect(await repository.text('pay.txt')).toBe('twice')
})

test.each([
  [pullRef(7), 7],
  ['refs/pull/007/head', null],
  ['refs/pull/7/merge', null],
  ['refs/pull/1234567890/head', null],
  ['refs/heads/refs/pull/7/head', null],
])('%s is number %s', (ref, number) => {
  expect(numberIn(ref)).toBe(number)
})

test.each([
  ['https://github.com/acme/shop.git', 'github.com', 'acme', 'shop'],
  ['https://token:x@GitHub.com/acme/shop', 'github.com', 'acme', 'shop'],
  ['git@github.com:acme/shop.git', 'github.com', 'acme', 'shop'],
  ['ssh://git@example.com:2222/group/part/shop.git', 'example.com', 'group/part', 'shop'],
  ['https://example.com/shop.git', 'example.com', 'local', 'shop'],
  ['work:acme/shop.git', 'work', 'acme', 'shop'],
  ['ssh://git@[::1]:2222/acme/shop.git', '[::1]', 'acme', 'shop'],
  ['./work:acme/shop.git', 'local', 'work-acme', 'shop'],
  ['/repositories/git/shop.git', 'local', 'git', 'shop'],
  ['/people/ada/shop/.git', 'local', 'ada', 'shop'],
  ['file:///repositories/git/my shop', 'local', 'git', 'my-shop'],
])('%s is %s %s %s', (url, host, owner, name) => {
  expect(repositoryIn(url)).toEqual({ host, owner, name })
  expect(isLocal(url)).toBe(host === 'local')
})

test('waits double up to five minutes, and begin anew when it works', () => {
  const backoff = new Backoff()
  const waits = Array.from({ length: 11 }, () => backoff.next() / 1_000)
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
  backoff.worked()
  expect(backoff.next()).toBe(1_000)
})

const shop = { owner: 'acme', name: 'shop' }

//
test.each([
  [{ kind: 'github', api: 'https://api.github.com' }, 'https://github.com/acme/shop/pull/7'],
  [{ kind: 'github', api: 'https://ghe.example/api/v3' }, 'https://ghe.example/acme/shop/pull/7'],
  [
    { kind: 'gitea', api: 'http://git.example:3000/api/v1' },
    'http://git.example:3000/acme/shop/pulls/7',
  ],
  [
    { kind: 'gitea', api: 'https://example.com/git/api/v1' },
    'https://example.com/git/acme/shop/pulls/7',
  ],
  [
    { kind: 'gitlab', api: 'https://git.example/api/v4' },
    'https://git.example/acme/shop/-/merge_requests/7',
  ],
] as const)('given %o, the page of pull request 7 is %s', (codeHost, page) => {
  expect(pageOfPull({ ...shop, ...codeHost }, 7)).toBe(page)
})

test('a fault that stays is reported once in five minutes, another one beside it at once', () => {
  const reported = new ReportedFaults()
  const minute = 60_000
  const times = [0, 1, 4, 5, 6].map((at) => reported.isNew('the disk is full', at * minute))
  expect(times).toEqual([true, false, false, true, false])
  expect(reported.isNew('no route to the host', 6 * minute)).toBe(true)
  expect(reported.isNew('the disk is full', 6 * minute)).toBe(false)
})

// Two queues on one repository share its mirror, and nothing else.

async function twoQueues() {
  const world = await hostedWorld({ branches: ['main'] })
  await world.stop()
  await world.repository.set('refs/heads/release', await world.repository.oidOf('main'))
  return world
}

test('a branch below queue/ enters the queue that it names, or the first', async () => {
  const world = await twoQueues()
  await world.start(['main', 'release'])
  await world.repository.commit('refs/heads/queue/pay', { 'pay.txt': 'twice\n' })
  await world.repository.commit('refs/heads/queue/release/fix', { 'fix.txt': 'fix\n' })
  await world.until(() => world.states('main')[1] === 'MERGED')
  await world.until(() => world.states('release')[1] === 'MERGED')
  await world.poll('main')
  await world.poll('release')
  expect(await world.repository.files('main')).toEqual(['line.txt', 'pay.txt', 'test.sh'])
  expect(await world.repository.files('release')).toEqual(['fix.txt', 'line.txt', 'test.sh'])
  expect([world.states('main'), world.states('release')]).toEqual([
    { 1: 'MERGED' },
    { 1: 'MERGED' },
  ])
})

//
test('given a branch that has failed in one queue, it is no request of another one that gets its name', async () => {
  const world = await twoQueues()
  await world.start(['main', 'release'])
  for (const name of ['bad', 'release/bad'])
    await world.repository.commit(`refs/heads/queue/${name}`, {
      [name]: name,
      'broken/any': 'yes\n',
    })
  await world.until(() => world.states('main')[1] === 'FAILED')
  await world.until(() => world.states('release')[1] === 'FAILED')
  const startWith = async (...branches: string[]): Promise<unknown> => {
    await world.stop()
    await world.start(branches)
    const [first = ''] = branches
    await world.poll(first)
    return [
      world.states('main'),
      world.states('release'),
      world.log.filter((line) => line.includes('no request')).length,
    ]
  }
  const failed = { 1: 'FAILED' }
  expect(await startWith('main')).toEqual([failed, failed, 1])
  expect(await startWith('release', 'main')).toEqual([failed, failed, 2])
})

//
test('a fast-forward of one branch merges nobody of the same number', matrix, async () => {
  const world = await twoQueues()
  await world.start(['main', 'release'])
  world.send({ type: 'updateQueue', set: { state: 'PAUSED' } }, 'main')
  await world.repository.commit('refs/heads/queue/pay', { 'pay.txt': 'twice\n' })
  await world.untilState('NOT_READY', 1)
  await world.repository.commit('refs/heads/queue/release/fix', { 'fix.txt': 'fix\n' })
  await world.until(() => world.states('release')[1] === 'MERGED')
  await world.repository.set('refs/heads/main', await world.repository.oidOf('release'))
  await world.poll('main')
  expect(world.states('main')).toEqual({ 1: 'NOT_READY' })
  world.send({ type: 'updateQueue', set: { state: 'RUNNING' } }, 'main')
  await world.untilState('MERGED', 1)
  expect(await world.repository.files('main')).toContain('pay.txt')
})
