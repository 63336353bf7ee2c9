/** Requests in any order, on a host in memory: quicker than with the fake of a real one, so it plays many. */

import { expect, test } from 'vitest'
import type { Deed, ForgeApi } from './api.ts'
import { ForgeFailed } from './failed.ts'
import { requestOrders } from './testing/request-orders.ts'
import { simulatedStage, unapprovedFor } from './testing/simulated-api.ts'
import { SimulatedHost } from './testing/simulated-host.ts'
import { change, nextId, noteBranch, type FakePull } from './testing/state.ts'

//
requestOrders({
  host: 'a simulated host',
  stage: simulatedStage,
  isApproved: ({ number }, state) => unapprovedFor(state, number) === null,
  seeds: 100,
})

const label = 'merge-queue'

type Played = {
  readonly state: 'PAUSED' | 'RUNNING'
  readonly isThere: () => boolean
  readonly stage?: typeof simulatedStage
}

/** As GitHub tells them: whole seconds, and nothing about the order within one. */
const inWholeSeconds: typeof simulatedStage = (parts) => {
  const staged = simulatedStage(parts)
  const open = (): ForgeApi => {
    const api = staged.open()
    const whole = (deeds: readonly Deed[]): Deed[] =>
      deeds.map((deed) => {
        return { ...deed, when: { at: Math.floor(deed.when.at / 1_000) * 1_000, place: null } }
      })
    return {
      ...api,
      activity: async (number) => {
        const { deeds, tellsPushes } = await api.activity(number)
        return { deeds: whole(deeds), tellsPushes }
      },
      changes: async (number) => whole(await api.changes(number)),
    }
  }
  return { ...staged, open }
}

/** A queue with one pull request, which somebody with the right labels. */
async function labelled({ state: is, isThere, stage = simulatedStage }: Played) {
  const landed: string[] = []
  const host = new SimulatedHost({
    ...{ stage, clockAheadMs: 0, set: { state: is } },
    before: (what) => {
      if (what === 'press' && !isThere()) throw new ForgeFailed('away', 502)
      return undefined
    },
    ...{ onLanding: () => undefined, onLanded: (head) => landed.push(head), passes: () => true },
  })
  const { state } = host
  const pull: FakePull = {
    ...{ number: 7, title: 'Pay twice', body: '', author: 'bob', base: 'main', branch: 'pay' },
    ...{ isFork: false, head: 'a'.repeat(40), state: 'open', mergedAt: null, mergeCommit: null },
    ...{ isDraft: false, labels: [], updatedAt: state.now(), reviews: [] },
  }
  state.pulls.set(7, pull)
  noteBranch(state, pull, { after: pull.head, isForced: false })
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
  type Names = readonly (keyof typeof deeds)[]
  const passed = async (): Promise<string | undefined> => {
    await host.pass()
    return host.queue.pullRequests[7]?.state
  }
  const play = (...names: Names): Promise<string | undefined> => {
    for (const name of names) {
      host.clock += 2_000
      deeds[name]()
    }
    host.clock += 2_000
    return passed()
  }
  /** While the clock of the host shows the same second. */
  const playAtOnce = (...names: Names): Promise<string | undefined> => {
    for (const name of names) deeds[name]()
    return passed()
  }
  return { play, playAtOnce, landed, pull }
}

//
test('given /merge and the removal of the label within one poll, the last of them counts', async () => {
  const { play } = await labelled({ state: 'PAUSED', isThere: () => true })
  expect(await play('label')).toBe('NOT_READY')
  expect(await play('ask', 'unlabel')).toBe('CANCELLED')
  expect(await play()).toBe('CANCELLED')
  expect(await play('label')).toBe('NOT_READY')
  expect(await play('unlabel', 'ask')).toBe('NOT_READY')
})

//
test('a label of the second in which its pull request was closed and reopened is no new request', async () => {
  const { play, playAtOnce, pull } = await labelled({
    ...{ state: 'PAUSED', isThere: () => true, stage: inWholeSeconds },
  })
  await play()
  expect(await playAtOnce('label')).toBe('NOT_READY')
  expect(await playAtOnce('closeAndReopen')).toBe('CANCELLED')
  expect(await playAtOnce()).toBe('CANCELLED')
  expect(pull.labels).toEqual([])
  expect(await playAtOnce('label')).toBe('NOT_READY')
})

//
test('given a push and /merge while the merge of the earlier commit is under way, the pushed one merges', async () => {
  let isThere = false
  const { play, landed } = await labelled({ state: 'RUNNING', isThere: () => isThere })
  expect(await play('label')).toBe('TESTS_PASSED')
  isThere = true
  await play('push', 'ask')
  expect(await play()).toBe('MERGED')
  expect(landed).toEqual(['b'.repeat(40)])
})
