/** From a label on a pull request to merged on the host, over the real server and real git. */

import { expect, test } from 'vitest'
import { githubWorld } from './testing/github-world.ts'
import { protect } from '../forge/testing/protected.ts'
import { runInProgress } from '../forge/testing/toy-ci.ts'

const label = 'merge-queue'

test(
  'a label submits, CI of the host decides, and the pull request is merged',
  { tags: ['matrix'] },
  async () => {
    const world = await githubWorld()
    protect(world.fake.state, { from: 'ruleset', checks: ['ci'], approvals: 0 })
    const { head } = await world.open(7, { 'pay.txt': 'twice\n' }, { labels: [label] })
    const run = await runInProgress(world.ci)
    await expect.poll(() => world.statusOf(head)).toBe('pending: is being tested')
    world.ci.finish(run, 'success')
    await expect.poll(() => world.pull(7).mergedAt).not.toBe(null)
    // The branch takes no commit without the check, so this is the one that was tested.
    expect(await world.repository.oidOf('main')).toBe(run.sha)
    await expect.poll(() => world.statusOf(head)).toBe('success: has merged')
    await expect.poll(() => world.said(7)).toEqual([expect.stringContaining('has merged')])
    expect(world.fake.faults).toEqual([])
  },
)

test(
  'a failure names the check, removes the label, and the label submits again',
  { tags: ['matrix'] },
  async () => {
    const world = await githubWorld({ jobs: ['ci', 'lint'] })
    const { head } = await world.open(7, { 'pay.txt': 'twice\n' }, { labels: [label] })
    const first = await runInProgress(world.ci)
    world.ci.finish(first, 'failure', 'ci')
    await world.queue.untilState('FAILED', 7)
    // Nobody waits for the other job.
    await expect.poll(() => first.conclusion).toBe('cancelled')
    await expect.poll(() => world.pull(7).labels).toEqual([])
    await expect.poll(() => world.statusOf(head)).toBe('failure: has failed: its tests failed')
    expect(world.said(7)).toEqual([expect.stringContaining('`ci` failed')])
    await world.seen()
    world.change(7, { labels: [label] })
    // The same commit: the checks of the first run must not count.
    const second = await runInProgress(world.ci)
    world.ci.finish(second, 'success')
    await world.queue.untilState('MERGED', 7)
    await expect.poll(() => world.said(7)).toEqual([expect.stringContaining('has merged')])
    expect(world.fake.faults).toEqual([])
  },
)

test('a flake of a batch costs a run, and nobody', { tags: ['matrix'] }, async () => {
  const set = {
    batch: true,
    batchingMinSize: 2,
    batchingMaxWaitTimeMinutes: 5,
    concurrency: 1,
    policy: 'adaptive',
  } as const
  const world = await githubWorld({ set })
  // The two become a batch because another one is in the line.
  await world.open(3, { 'c.txt': '3\n' }, { labels: [label] })
  const ahead = await runInProgress(world.ci)
  await world.open(1, { 'a.txt': '1\n' }, { labels: [label] })
  await world.open(2, { 'b.txt': '2\n' }, { labels: [label] })
  await expect.poll(() => world.queue.states()[2]).toBe('PENDING')
  world.ci.finish(ahead, 'success')
  const flaky = await runInProgress(world.ci)
  world.ci.finish(flaky, 'failure')
  const passAll = (): boolean => {
    for (const run of world.ci.going) world.ci.finish(run, 'success')
    return Object.values(world.queue.states()).every((state) => state === 'MERGED')
  }
  await expect.poll(passAll).toBe(true)
  expect(await world.repository.landed()).toEqual(['3', '1', '2'])
})

test(
  'a force-push in the middle takes it out; nobody enters by the label of another',
  { tags: ['matrix'] },
  async () => {
    const world = await githubWorld()
    await world.open(7, { 'pay.txt': 'twice\n' }, { labels: [label] })
    const run = await runInProgress(world.ci)
    await world.push(7, { 'pay.txt': 'thrice\n' })
    await world.queue.untilState('CANCELLED', 7)
    expect(world.queue.reasonOf(7)).toBe('PR_PUSHED_TO')
    await expect.poll(() => run.conclusion).toBe('cancelled')
    await expect.poll(() => world.pull(7).labels).toEqual([])
    expect(await world.repository.files()).not.toContain('pay.txt')
    await world.seen()
    world.change(7, { labels: [label] })
    world.ci.finish(await runInProgress(world.ci), 'success')
    await world.queue.untilState('MERGED', 7)
    expect(await world.repository.text('pay.txt')).toBe('thrice')
  },
)

test(
  'with squash the host makes the commit, of the tree that was tested',
  { tags: ['matrix'] },
  async () => {
    const world = await githubWorld({ set: { mergeMethod: 'squash' } })
    await world.open(7, { 'pay.txt': 'twice\n' }, { labels: [label], title: 'Pay [skip ci] twice' })
    const run = await runInProgress(world.ci)
    world.ci.finish(run, 'success')
    await world.queue.untilState('MERGED', 7)
    const main = await world.repository.oidOf('main')
    expect(world.pull(7)).toMatchObject({ state: 'closed', mergeCommit: main })
    expect(await world.repository.git(['log', '-1', '--format=%s', 'main'])).toBe('Pay twice')
    expect(await world.repository.oidOf('main^{tree}')).toBe(
      await world.repository.oidOf(`${run.sha}^{tree}`),
    )
    expect(world.fake.faults).toEqual([])
  },
)

test(
  'a protected branch that takes no push pauses the queue, and nobody fails',
  { tags: ['matrix'] },
  async () => {
    const world = await githubWorld()
    await world.open(7, { 'pay.txt': 'twice\n' }, { labels: [label] })
    const run = await runInProgress(world.ci)
    protect(world.fake.state, { from: 'protection', checks: ['ci', 'by hand'], approvals: 0 })
    world.ci.finish(run, 'success')
    await world.queue.until(() => world.queue.queue().state === 'PAUSED')
    const [fault] = world.queue.host().status().faults
    expect(fault).toContain('GH006')
    expect(world.queue.states()).not.toMatchObject({ 7: 'FAILED' })
  },
)
