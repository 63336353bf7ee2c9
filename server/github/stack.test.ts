/** GitHub's own stacks: a member lands by the merge in the background, and a refusal concerns it alone. */

import { expect, test } from 'vitest'
import { githubWorld } from './testing/fake-github.ts'

const label = 'merge-queue'

//
test('a member of a stack lands in the background, those beside it by the button, each once', async () => {
  const world = await githubWorld({ isAutomatic: true, set: { mergeMethod: 'squash' } })
  for (const number of [7, 8]) {
    await world.open(number, { [`${number}.txt`]: 'x\n' }, { labels: [label] })
    if (number === 7) world.pull(number).stack = {}
  }
  await world.queue.untilState('MERGED', 7, 8)
  expect((await world.repository.landed()).sort()).toEqual(['7', '8'])
  const asked = world.fake.requests.map(({ name, status }) => `${status} ${name}`)
  const merges = asked.filter((each) => /pull_number}\/merge/.test(each))
  const of = (what: string) =>
    merges.filter((each) => each.endsWith(what)).map((each) => each.slice(0, 3))
  expect(of('/merge').sort()).toEqual(['200', '403'])
  expect(of('/merge-async')).toEqual(['202'])
  expect(of('/{uuid}')).toEqual(['200', '200'])
  expect(world.queue.queue().state).toBe('RUNNING')
})

//
test('a stack that GitHub does not merge: its member leaves with the words, the others merge', async () => {
  const set = { mergeMethod: 'squash', batch: true, batchingMinSize: 2 } as const
  const world = await githubWorld({ isAutomatic: true, set })
  const why = 'Merge conflict: the pull request could not be merged.'
  for (const number of [7, 8]) {
    await world.open(number, { [`${number}.txt`]: 'x\n' }, { labels: [label] })
    if (number === 7) world.pull(number).stack = { refused: why }
  }
  await world.queue.untilState('FAILED', 7)
  await world.queue.untilState('MERGED', 8)
  expect(world.queue.history().pullRequests.get(7)?.refusedFor).toContain(why)
  expect(world.queue.queue().state).toBe('RUNNING')
  expect(await world.repository.landed()).toEqual(['8'])
})
