/** Each setting that the engine only keeps comes true on GitHub: with it, and without. */

import { expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import type { RecordedSettings } from '../../engine/index.ts'
import { type CodeHostWorld, label } from '../code-host/testing/code-host-world.ts'
import { githubWorld } from './testing/fake-github.ts'
import { judged } from '../code-host/testing/acts.ts'
import { runInProgress } from '../code-host/testing/toy-ci.ts'

async function merged(set: RecordedSettings, prepare: (world: CodeHostWorld) => void = () => {}) {
  const world = await githubWorld({ set, isAutomatic: true })
  prepare(world)
  const { head } = await world.ask(7)
  await world.queue.untilState('MERGED', 7)
  // What is shown is written after the merge.
  await world.queue.stop()
  return { world, head }
}

//
test('a required check of an App: the same name by others does not count', matrix, async () => {
  const world = await githubWorld()
  const { state } = world.fake
  state.rules = { from: 'ruleset', checks: ['ci'], approvals: 0, app: 'other-ci' }
  await world.ask(7)
  const run = await runInProgress(world.ci)
  world.ci.finish(run, 'success')
  const status = { sha: run.sha, context: 'ci', state: 'success' } as const
  judged(state, { ...status, by: 'mallory' })
  await world.seen()
  expect(world.queue.states()).toEqual({ 7: 'TESTING' })
  judged(state, { ...status, by: 'other-ci[bot]' })
  await world.queue.untilState('MERGED', 7)
})

//
test('allowSkipped: a run in which every check was skipped has passed', matrix, async () => {
  const tests = { kind: 'host', noCiMinutes: 15, allowSkipped: true } as const
  const world = await githubWorld({ tests })
  await world.ask(7)
  await expect.poll(() => world.ci.going).toHaveLength(1)
  for (const run of world.ci.going) world.ci.finish(run, 'skipped')
  await world.queue.untilState('MERGED', 7)
})

const nothingShown = {
  commentsEnabled: false,
  stateLabelsEnabled: false,
  statusCheckEnabled: false,
  createPrsForTestingBranches: false,
} as const

//
test.each([
  [
    'comments and labels',
    { commentsEnabled: true, stateLabelsEnabled: true },
    { said: 1, labels: [label, 'merge-queue: merged'], status: undefined, pulls: [7] },
  ],
  [
    'statuses and drafts',
    { statusCheckEnabled: true, createPrsForTestingBranches: true },
    { said: 0, labels: [label], status: 'success: has merged', pulls: [7, 8] },
  ],
])('a queue that shows %s shows only these', matrix, async (_, set, shown) => {
  const { world, head } = await merged({ ...nothingShown, ...set })
  expect({
    said: world.said(7).length,
    labels: [...new Set([label, ...world.pull(7).labels])],
    status: world.statusOf(head),
    pulls: [...world.fake.state.pulls.keys()],
  }).toEqual(shown)
})

//
test('what is shown again from now on is shown of who waits', matrix, async () => {
  const world = await githubWorld({ set: nothingShown })
  const { head } = await world.ask(7)
  await runInProgress(world.ci)
  await world.seen()
  const shown = () => [world.statusOf(head), world.said(7).length, world.pull(7).labels]
  expect(shown()).toEqual([undefined, 0, [label]])
  const set = { statusCheckEnabled: true, commentsEnabled: true, stateLabelsEnabled: true }
  world.queue.send({ type: 'updateQueue', set })
  const testing = 'merge-queue: testing'
  await expect.poll(shown).toEqual(['pending: is being tested', 1, [label, testing]])
})

//
test('commandsEnabled is off: a comment stays one when they are on again', matrix, async () => {
  const world = await githubWorld({ isAutomatic: true, set: { commandsEnabled: false } })
  await world.open(7)
  await world.seen()
  world.comment(7, 'ada', '/merge')
  world.queue.send({ type: 'updateQueue', set: { commandsEnabled: true } })
  await world.seen()
  expect(world.queue.states()).toEqual({})
  world.comment(7, 'ada', '/merge')
  await world.queue.untilState('MERGED', 7)
})

//
test('labelCommandsEnabled is off: a label is a label', matrix, async () => {
  const world = await githubWorld({ isAutomatic: true, set: { labelCommandsEnabled: false } })
  await world.ask(7)
  await world.seen()
  expect(world.queue.states()).toEqual({})
  expect(world.pull(7).labels).toEqual([label])
})

// GitHub has one label `Ship It`, in whatever letter case somebody names it.
test('enqueueingLabel names the label, and no other one counts', async () => {
  const world = await githubWorld({ isAutomatic: true, set: { enqueueingLabel: 'ship it' } })
  await world.ask(7)
  await world.open(8, { 'other.txt': 'new\n' }, { labels: ['Ship It'] })
  await world.queue.untilState('MERGED', 8)
  await world.seen()
  expect(world.queue.states()).toEqual({ 8: 'MERGED' })
})
