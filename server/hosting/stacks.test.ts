/** Branches that are built on each other and land as a stack, with real git. */

import { expect, test } from 'vitest'
import { hostedWorld } from './testing/hosted-world.ts'

//
test.each([
  { mergeMethod: 'merge_commit', commits: 6 },
  { mergeMethod: 'squash', commits: 3 },
  { mergeMethod: 'rebase', commits: 3 },
] as const)('a stack of three lands by $mergeMethod, each commit once', async (how) => {
  const { mergeMethod, commits } = how
  const world = await hostedWorld({ set: { mergeMethod, concurrency: 3 } })
  world.send({ type: 'updateQueue', set: { state: 'PAUSED' } })
  const { repository } = world
  let from = 'main'
  const before = Number(await repository.git(['rev-list', '--count', 'main']))
  for (const [at, text] of ['one', 'two', 'three'].entries()) {
    const ref = `refs/heads/queue/${'abc'[at] ?? ''}`
    await repository.commit(ref, { 'pay.txt': `${text}\n` }, from)
    from = ref
    await world.until(() => world.queue().pullRequests[at + 1] !== undefined)
  }
  for (const number of [2, 3]) {
    const found = await world.host().cardOf(number)
    if ('refused' in found) throw new Error(found.refused.text)
    const { value: card } = found
    const dependsOn = [number - 1]
    world.send({ type: 'submitPullRequest', number, sha: card.head, card, dependsOn })
    expect(world.queue().pullRequests[number]?.dependsOn).toEqual([number - 1])
  }
  world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  await world.untilState('MERGED', 3)
  expect(world.states()).toEqual({ 1: 'MERGED', 2: 'MERGED', 3: 'MERGED' })
  expect(await repository.text('pay.txt')).toBe('three')
  const after = Number(await repository.git(['rev-list', '--count', 'main']))
  expect(after - before).toBe(commits)
})
