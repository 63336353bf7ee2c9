/** Requests that come while the server does something else, step by step and without a network. */

import { expect, onTestFinished, test, vi } from 'vitest'
import { ForgeFailed } from '../forge/failed.ts'
import { SimulatedHost } from '../forge/testing/simulated-host.ts'
import { change, nextId, noteBranch, type FakePull } from '../forge/testing/state.ts'
import { github } from './testing/fake-github.ts'

const label = 'merge-queue'

type Played = { readonly state: 'PAUSED' | 'RUNNING'; readonly isThere: () => boolean }

/** A queue with one pull request, which somebody with the right labels. */
async function labelled({ state: is, isThere }: Played) {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  const landed: string[] = []
  const host = new SimulatedHost({
    ...{ kind: github, clockAheadMs: 0, set: { mergeMethod: 'squash', state: is } },
    before: (what) => {
      if (what.endsWith('/merge') && !isThere()) throw new ForgeFailed('away', 502)
      return undefined
    },
    ...{ onLanding: () => undefined, onLanded: (head) => landed.push(head), passes: () => true },
  })
  const wait = (ms: number): void => {
    host.clock += ms
    vi.setSystemTime(host.clock)
  }
  const { state } = host
  const pull: FakePull = {
    ...{ number: 7, title: 'Pay twice', body: '', author: 'bob', base: 'main', branch: 'pay' },
    ...{ isFork: false, head: 'a'.repeat(40), state: 'open', mergedAt: null, mergeCommit: null },
    ...{ isDraft: false, labels: [], updatedAt: state.now(), reviews: [] },
  }
  state.pulls.set(7, pull)
  noteBranch(state, pull, { after: pull.head, isForced: false })
  wait(0)
  await host.pass()
  const deeds = {
    label: () => change(state, pull, { labels: [label], by: 'ada' }),
    push: () => {
      noteBranch(state, pull, { after: 'b'.repeat(40), isForced: true })
      change(state, pull, { head: 'b'.repeat(40), by: 'bob' })
    },
    closeAndReopen: () => {
      change(state, pull, { state: 'closed', by: 'bob' })
      change(state, pull, { state: 'open', by: 'bob' })
    },
    unlabel: () => change(state, pull, { labels: [], by: 'ada' }),
    ask: () => {
      const [createdAt, updatedAt] = [state.now(), state.now()]
      const about = { id: nextId(state), number: 7, user: 'ada', body: '/merge' }
      state.comments.push({ ...about, createdAt, updatedAt, reactions: [] })
    },
  }
  /** Each deed after so many seconds, and then one look of the server. */
  const play = async (seconds: number, ...names: readonly (keyof typeof deeds)[]) => {
    for (const name of names) {
      wait(seconds * 1_000)
      deeds[name]()
    }
    wait(seconds * 1_000)
    await host.pass()
    return host.queue.pullRequests[7]?.state
  }
  return { play, landed, pull, faults: host.fake.faults }
}

//
test('given /merge and the removal of the label within one poll, the last of them counts', async () => {
  const { play, faults } = await labelled({ state: 'PAUSED', isThere: () => true })
  expect(await play(2, 'label')).toBe('NOT_READY')
  expect(await play(2, 'ask', 'unlabel')).toBe('CANCELLED')
  expect(await play(2)).toBe('CANCELLED')
  expect(await play(2, 'label')).toBe('NOT_READY')
  expect(await play(2, 'unlabel', 'ask')).toBe('NOT_READY')
  expect(faults).toEqual([])
})

// GitHub tells whole seconds, and nothing about the order within one.
test('a label of the second in which its pull request was closed and reopened is no new request', async () => {
  const { play, pull } = await labelled({ state: 'PAUSED', isThere: () => true })
  await play(2)
  expect(await play(0, 'label')).toBe('NOT_READY')
  expect(await play(0, 'closeAndReopen')).toBe('CANCELLED')
  expect(await play(0)).toBe('CANCELLED')
  expect(pull.labels).toEqual([])
  expect(await play(0, 'label')).toBe('NOT_READY')
})

//
test('given a push and /merge while the merge of the earlier commit is under way, the pushed one merges', async () => {
  let isThere = false
  const { play, landed } = await labelled({ state: 'RUNNING', isThere: () => isThere })
  expect(await play(2, 'label')).toBe('TESTS_PASSED')
  isThere = true
  await play(2, 'push', 'ask')
  expect(await play(2)).toBe('MERGED')
  expect(landed).toEqual(['b'.repeat(40)])
})
