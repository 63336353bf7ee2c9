/** Requests in any order, on a host in memory: quicker than with the fake of a real one, so it plays many. */

import { expect, test } from 'vitest'
import { requestOrders } from './testing/request-orders.ts'
import { isApproved, simulatedStage } from './testing/simulated-api.ts'
import { SimulatedHost } from './testing/simulated-host.ts'
import { change, nextId, noteBranch, type FakePull } from './testing/state.ts'

//
requestOrders({
  host: 'a simulated host',
  stage: simulatedStage,
  isApproved: ({ number }, state) => isApproved(state, number),
  seeds: 100,
})

const label = 'merge-queue-submit'

/** A paused queue with one pull request, which somebody with the right has labelled. */
async function labelled() {
  const host = new SimulatedHost({
    ...{ stage: simulatedStage, clockAheadMs: 0, set: { state: 'PAUSED' } },
    ...{ before: () => undefined, onLanding: () => undefined, onLanded: () => undefined },
    passes: () => true,
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
    unlabel: () => change(state, pull, { labels: [], by: 'ada' }),
    ask: () => {
      const [createdAt, updatedAt] = [state.now(), state.now()]
      const about = { id: nextId(state), number: 7, user: 'ada', body: '/merge' }
      state.comments.push({ ...about, createdAt, updatedAt, reactions: [] })
    },
  }
  const play = async (...names: readonly (keyof typeof deeds)[]): Promise<string | undefined> => {
    for (const name of names) {
      host.clock += 2_000
      deeds[name]()
    }
    host.clock += 2_000
    await host.pass()
    return host.queue.pullRequests[7]?.state
  }
  expect(await play('label')).toBe('NOT_READY')
  return play
}

//
test('given /merge and the removal of the label within one poll, the last of them counts', async () => {
  const play = await labelled()
  expect(await play('ask', 'unlabel')).toBe('CANCELLED')
  expect(await play()).toBe('CANCELLED')
  expect(await play('label')).toBe('NOT_READY')
  expect(await play('unlabel', 'ask')).toBe('NOT_READY')
})
