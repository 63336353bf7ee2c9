import { expect, test } from 'vitest'
import type { Card } from '../../engine/index.ts'
import { headChanges, type HeadChange } from './looking.ts'
import { PullRefs, isWishFor } from './sight.ts'
import { matrix } from '../../engine/testing/matrix.ts'
import { hostOverHttp, type HttpHost } from '../git/testing/git-backend.ts'
import { hostedWorld, type HostedWorld } from './testing/hosted-world.ts'

const pull = 'refs/pull/7/head'
const wish = 'refs/heads/queue/pay'

const card = (ref: string, head: string): Card => ({
  head,
  ref,
  title: 'Pay',
  body: '',
  author: { name: 'Ada', email: 'ada@example.com' },
})

type Case = {
  readonly it: string
  readonly queued?: readonly number[]
  readonly cards?: Readonly<Record<number, Card>>
  readonly heads: Readonly<Record<string, string>>
  readonly changes: readonly HeadChange[]
}

const cases: readonly Case[] = [
  {
    it: 'nothing, if each head is the one that was submitted',
    queued: [7],
    cards: { 7: card(pull, 'aa') },
    heads: { [pull]: 'aa', 'refs/heads/other': 'bb' },
    changes: [],
  },
  {
    it: 'a push, if the ref of a queued one holds another commit',
    queued: [7],
    cards: { 7: card(pull, 'aa') },
    heads: { [pull]: 'bb' },
    changes: [{ is: 'pushed to', number: 7 }],
  },
  {
    it: 'a close, if the ref of a queued one is gone',
    queued: [7],
    cards: { 7: card(pull, 'aa') },
    heads: {},
    changes: [{ is: 'closed', number: 7 }],
  },
  {
    it: 'nothing, if somebody pushes to one that is not in the queue',
    cards: { 7: card(pull, 'aa') },
    heads: { [pull]: 'bb' },
    changes: [],
  },
  {
    it: 'nothing, if a queued one was submitted without a card',
    queued: [7],
    heads: {},
    changes: [],
  },
  {
    it: 'a wish, for a new branch below queue/',
    heads: { [wish]: 'aa', [pull]: 'cc' },
    changes: [{ is: 'wished', number: 8, ref: wish, head: 'aa' }],
  },
  {
    it: 'a push and a wish, if a branch below queue/ holds another commit',
    queued: [8],
    cards: { 8: card(wish, 'aa') },
    heads: { [wish]: 'bb' },
    changes: [
      { is: 'pushed to', number: 8 },
      { is: 'wished', number: 8, ref: wish, head: 'bb' },
    ],
  },
  {
    it: 'nothing, if a branch that failed still holds what was submitted',
    cards: { 8: card(wish, 'aa') },
    heads: { [wish]: 'aa' },
    changes: [],
  },
]

test.each(cases)('heads mean: $it', ({ queued = [], cards = {}, heads, changes }) => {
  const refs = new PullRefs()
  for (const [number, each] of Object.entries(cards)) refs.note(Number(number), each)
  const known = {
    queued,
    refs,
    cardOf: (number: number) => cards[number] ?? null,
    isWish: (ref: string) => isWishFor(ref, 'main', ['main']),
  }
  const sight = { target: 'main', heads: new Map(Object.entries(heads)) }
  expect(headChanges(known, sight)).toEqual(changes)
})

test.each([
  ['queue/pay', 'main'],
  ['queue/main/pay', 'main'],
  ['queue/release/pay', 'release'],
  ['queue/release/2/pay', 'release/2'],
  ['queue/release', 'main'],
  ['pay', null],
])('of the queues of main, release and release/2, %s enters that of %s', (branch, entered) => {
  const branches = ['main', 'release', 'release/2']
  const ref = `refs/heads/${branch}`
  expect(branches.filter((target) => isWishFor(ref, target, branches))).toEqual(
    entered === null ? [] : [entered],
  )
})

// What is submitted in a repository without pull requests of its own is the commit that somebody asked for.

const branch = 'refs/heads/queue/pay'

/** A world in which the server reads the repository only when it is asked to. */
async function overHttp(): Promise<{ readonly world: HostedWorld; readonly host: HttpHost }> {
  const hosts: HttpHost[] = []
  const address = async (folder: string): Promise<string> => {
    const host = await hostOverHttp(folder)
    hosts.push(host)
    return host.url
  }
  const world = await hostedWorld({ address, pollMs: 3_600_000, set: { state: 'PAUSED' } })
  const [host] = hosts
  if (!host) throw new Error('the repository is not served')
  // The first of all looks is over.
  await world.look()
  return { world, host }
}

//
test('a submission over the API is about the commit of its call, and a push after it ends it', async () => {
  const { world, host } = await overHttp()
  const { repository } = world
  await repository.commit(pull, { 'pay.txt': 'twice\n' })
  // The call reads the head, and then its turn comes.
  host.beforeReads.push(
    () => undefined,
    () => repository.commit(pull, { 'pay.txt': 'never\n' }),
  )
  await expect(world.submit(7)).rejects.toThrow(/^somebody has pushed since \w{40} was asked for/)
  expect(world.states()).toEqual({})
  await world.submit(7)
  await world.untilState('NOT_READY', 7)
  await repository.commit(pull, { 'pay.txt': 'once\n' })
  await world.look()
  await world.untilState('CANCELLED', 7)
  expect(world.reasonOf(7)).toBe('PR_PUSHED_TO')
})

//
test('each push to a branch below queue/ asks for the pushed commit', matrix, async () => {
  const { world, host } = await overHttp()
  const { repository } = world
  const first = await repository.commit(branch, { 'pay.txt': 'twice\n' })
  // The server has read the branch, and not yet its commit.
  host.beforeReads.push(
    () => undefined,
    () => repository.commit(branch, { 'pay.txt': 'never\n' }),
  )
  await world.look()
  const frozen = (): string | undefined => world.queue().pullRequests[1]?.sha ?? undefined
  expect([undefined, first]).toContain(frozen())
  await world.look()
  expect(frozen()).toBe(await repository.oidOf(branch))
})
