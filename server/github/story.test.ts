/** From a label on a pull request to merged on the host, over the real server and real git. */

import { expect, test } from 'vitest'
import { githubWorld, type GitHubWorld } from './testing/github-world.ts'

const label = 'merge-queue-submit'

/** The run in progress, when there is one. */
async function going({ ci }: GitHubWorld) {
  await expect.poll(() => ci.going).toHaveLength(1)
  const [run] = ci.going
  if (!run) throw new Error('no run is in progress')
  return run
}

test('a label submits, CI of the host decides, and the pull request is merged', async () => {
  const world = await githubWorld()
  const { head } = await world.open(7, { 'pay.txt': 'twice\n' }, { labels: [label] })
  const run = await going(world)
  await expect.poll(() => world.statusOf(head)).toBe('pending: is being tested')
  world.ci.finish(run, 'success')
  await expect.poll(() => world.pull(7).mergedAt).not.toBe(null)
  expect(await world.repository.oidOf('main')).toBe(run.sha)
  await expect.poll(() => world.statusOf(head)).toBe('success: has merged')
  await expect.poll(() => world.said(7)).toEqual([expect.stringContaining('has merged')])
  expect(world.fake.faults).toEqual([])
})
