/** Webhooks only say where to look: doubled, late, out of order or missing, the end is the same. */

import { expect, test } from 'vitest'
import { githubWorld, type GitHubWorld } from './testing/github-world.ts'

const change = { 'pay.txt': 'twice\n' }
const label = 'merge-queue-submit'
/** So long that only webhooks make the server look. */
const never = 3_600_000

async function refsOf({ repository }: GitHubWorld): Promise<string[]> {
  return (await repository.refs()).filter((ref) => ref.startsWith('refs/heads/mergeyard/'))
}

test('with webhooks nothing waits for a poll', async () => {
  const world = await githubWorld({ pollMs: never })
  await world.open(7, change, { labels: [label] })
  expect(await world.deliver('pull_request', { pull_request: { number: 7 } })).toBe(202)
  await expect.poll(() => world.ci.going).toHaveLength(1)
  const [run] = world.ci.going
  if (!run) throw new Error('no run is in progress')
  await expect.poll(() => refsOf(world)).toHaveLength(1)
  world.ci.finish(run, 'success')
  const over = async (): Promise<string | undefined> => {
    await world.deliver('workflow_run', { workflow_run: { head_sha: run.sha } })
    return world.queue.states()[7]
  }
  await expect.poll(over).toBe('MERGED')
})

test.each([
  ['missing', 0],
  ['doubled', 2],
])('given webhooks %s, the end is the same', async (_, times) => {
  const world = await githubWorld({ isAutomatic: true })
  await world.open(7, change, { labels: [label] })
  await world.open(8, { 'broken/8': '' }, { labels: [label] })
  for (let count = 0; count < times; count++) {
    // Out of order: the end of a check before the pull request, and for a pull request that is unknown.
    await world.deliver('check_run', { check_run: { head_sha: world.pull(7).head } })
    await world.deliver('pull_request', { pull_request: { number: 8 } })
    await world.deliver('pull_request', { pull_request: { number: 99 } })
    await world.deliver('pull_request', { pull_request: { number: 7 } })
  }
  await world.queue.untilState('MERGED', 7)
  await world.queue.untilState('FAILED', 8)
  // Late: it says what was true once.
  await world.deliver('pull_request', { action: 'labeled', pull_request: { number: 7 } })
  await world.seen()
  expect(world.queue.states()).toEqual({ 7: 'MERGED', 8: 'FAILED' })
  expect(await world.repository.landed()).toEqual(['7'])
  expect(world.fake.faults).toEqual([])
})

test('a webhook that is not signed with our secret is refused', async () => {
  const world = await githubWorld()
  const payload = { pull_request: { number: 7 } }
  expect(await world.deliver('pull_request', payload, 'another secret')).toBe(401)
  const url = `${world.queue.server.url}/hooks/github`
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401)
  expect((await fetch(url)).status).toBe(405)
})
