/** Webhooks only say where to look: doubled, late, out of order or missing, the end is the same. */

import { expect, test } from 'vitest'
import { githubWorld } from './testing/github-world.ts'

const change = { 'pay.txt': 'twice\n' }
const label = 'merge-queue-submit'
/** So long that only webhooks make the server look. */
const never = 3_600_000

//
test('with webhooks nothing waits for a poll', { tags: ['matrix'] }, async () => {
  const world = await githubWorld({ pollMs: never, webhooks: 'once', isAutomatic: true })
  await world.open(7, change, { labels: [label] })
  await world.open(8, { 'broken/8': '' }, { labels: [label] })
  await world.queue.untilState('MERGED', 7)
  await world.queue.untilState('FAILED', 8)
  await world.fake.hooks.settled()
  expect(world.fake.faults).toEqual([])
})

//
test.each(['missing', 'once', 'twice', 'late'] as const)(
  'given webhooks that come %s, the end is the same',
  { tags: ['matrix'] },
  async (webhooks) => {
    const world = await githubWorld({ isAutomatic: true, webhooks })
    await world.open(7, change, { labels: [label] })
    await world.open(8, { 'broken/8': '' }, { labels: [label] })
    await world.open(9, { 'other.txt': 'new\n' }, { labels: [label] })
    world.change(9, { state: 'closed' })
    await world.deliver('pull_request', { pull_request: { number: 99 } })
    await world.queue.untilState('MERGED', 7)
    await world.queue.untilState('FAILED', 8)
    // They say what was true once.
    await world.fake.hooks.sendLate()
    await world.seen()
    expect(world.queue.states()).toMatchObject({ 7: 'MERGED', 8: 'FAILED' })
    expect(world.queue.states()[9] ?? 'CANCELLED').toBe('CANCELLED')
    expect(await world.repository.landed()).toEqual(['7'])
    expect(world.fake.faults).toEqual([])
  },
)

//
test('a webhook that is not signed with our secret is refused', async () => {
  const world = await githubWorld()
  const payload = { pull_request: { number: 7 } }
  expect(await world.deliver('pull_request', payload, 'another secret')).toBe(401)
  expect(await world.deliver('pull_request', payload)).toBe(202)
  const url = `${world.queue.server.url}/hooks/github`
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401)
  expect((await fetch(url)).status).toBe(405)
})
