import { expect, test } from 'vitest'
import { isRequestFor } from './observation.ts'
import { matrix } from '../../engine/testing/matrix.ts'
import { hostOverHttp, type HttpHost } from '../git/testing/git-backend.ts'
import { hostedWorld, type HostedWorld } from './testing/hosted-world.ts'

test.each([
  ['queue/pay', 'main'],
  ['queue/main/pay', 'main'],
  ['queue/release/pay', 'release'],
  ['queue/release/2/pay', 'release/2'],
  ['queue/release', 'main'],
  ['queue/next', null],
  ['pay', null],
])(
  'of the queues of main, release, release/2 and queue/next, %s enters that of %s',
  (branch, entered) => {
    const branches = ['main', 'release', 'release/2', 'queue/next']
    const ref = `refs/heads/${branch}`
    expect(branches.filter((target) => isRequestFor(ref, target, branches))).toEqual(
      entered === null ? [] : [entered],
    )
  },
)

// What is submitted in a repository without pull requests of its own is the commit that somebody asked for.

const pull = 'refs/pull/7/head'
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
  // The first of all polls is over.
  await world.poll()
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
  await world.poll()
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
  await world.poll()
  const frozen = (): string | undefined => world.queue().pullRequests[1]?.sha ?? undefined
  expect([undefined, first]).toContain(frozen())
  await world.poll()
  expect(frozen()).toBe(await repository.oidOf(branch))
})

//
test('a push to a pull request right before its batch lands fails it alone, and the others land without it', async () => {
  const held: (() => void)[] = []
  const world = await hostedWorld({
    // During a merge nobody polls: the merge itself must notice.
    pollMs: 2 ** 30,
    set: { state: 'PAUSED', batch: true, batchingMinSize: 3, concurrency: 1 },
    hold: (_command, send) => (held.length === 0 ? void held.push(send) : send()),
  })
  const { repository } = world
  for (const number of [1, 2, 3]) {
    await repository.commit(`refs/pull/${number}/head`, { [`${number}.txt`]: 'new\n' })
    await world.submit(number)
  }
  world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  await expect.poll(() => held).toHaveLength(1)
  await repository.commit('refs/pull/2/head', { '2.txt': 'late\n' })
  held[0]?.()
  await world.untilState('MERGED', 1, 3)
  expect(world.moves(2)).toContain('FAILED PR_UPDATED_AT_MERGE_TIME')
  expect(await repository.landed()).toEqual(['1', '3'])
})
