/** What the host shows of who waits stays true when something beside it changes. */

import { expect, test } from 'vitest'
import { gitea } from '../gitea/testing/fake-gitea.ts'
import { label } from './testing/code-host-world.ts'
import { labelled } from './testing/played.ts'
import { change, oneApproval, openedPull, type FakePull } from './testing/state.ts'

const isThere = () => true
const noApproval = '- `0 of 1 approvals`'

type Played = Awaited<ReturnType<typeof labelled>>

/** Another labelled pull request. */
async function enters({ state, play }: Played, base = 'main'): Promise<FakePull> {
  const pull = openedPull(state, { number: 8, head: 'c'.repeat(40), base })
  await play(2)
  change(state, pull, { labels: [label], by: 'ada' })
  return pull
}

/** What the comment of the queue says of it, after a poll in so many seconds. */
async function said({ state, play }: Played, number: number, seconds: number): Promise<string[]> {
  await play(seconds)
  const own = state.comments.find((each) => each.user === state.login && each.number === number)
  return own?.body.split('\n\n').slice(1) ?? []
}

const isShown = (words: string): string =>
  `**Merge queue for \`main\`**: this pull request ${words}.`

//
test('given who waits for more than the queue, it shows that a pause is over', async () => {
  const played = await labelled({ state: 'PAUSED', isThere })
  played.state.rules = oneApproval
  await played.play(600, 'label')
  const both = isShown('is not ready: the queue is paused, and an approval is missing')
  expect(await said(played, 7, 60)).toEqual([both, noApproval])
  played.host.send('main', { type: 'updateQueue', set: { state: 'RUNNING' } })
  const one = isShown('is not ready: an approval is missing')
  expect(await said(played, 7, 60)).toEqual([one, noApproval])
})

test('given a stack of two that lack an approval, the upper one shows that the lower has merged', async () => {
  const played = await labelled({ kind: gitea, state: 'RUNNING', isThere })
  const { state, pull, act, play } = played
  state.rules = oneApproval
  await play(600)
  act.label()
  await enters(played, pull.branch)
  const both = 'is not ready: an approval is missing, and waits for #7, which it depends on'
  expect(await said(played, 8, 60)).toEqual([isShown(both), noApproval])
  const reviews = [{ user: 'ada', state: 'APPROVED', commit: pull.head }]
  change(state, pull, { reviews, by: 'ada' })
  expect(await play(2)).toBe('MERGED')
  const one = isShown('is not ready: an approval is missing')
  expect(await said(played, 8, 60)).toEqual([one, noApproval])
})

test('while the branch fails by itself, who waits says so, and no longer when it passes', async () => {
  const set = { concurrency: 1, tipTestMode: 'always' } as const
  const played = await labelled({ state: 'RUNNING', isThere, passes: false, set })
  const { host, act } = played
  act.label()
  await enters(played)
  const tipRun = { testRun: 2, outcome: 'failed', failedTests: [{ name: 'clock' }] } as const
  host.send('main', { type: 'finishTestRun', ...tipRun })
  const stopped: unknown = expect.stringContaining('`main fails by itself since ')
  const waits = isShown('waits for its tests')
  expect(await said(played, 8, 2)).toEqual([waits, stopped])
  played.wait(60_000)
  host.send('main', { type: 'wake' })
  expect(await said(played, 8, 2)).toEqual([waits])
})
