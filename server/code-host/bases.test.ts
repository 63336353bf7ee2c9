/** What a change of bases does to what two queues and a stack show, step by step and without a network. */

import { expect, test } from 'vitest'
import { gitea } from '../gitea/testing/fake-gitea.ts'
import { written } from './testing/acts.ts'
import { label } from './testing/code-host-world.ts'
import { labelled } from './testing/played.ts'
import { change, openedPull, type FakeState } from './testing/state.ts'

const branches = ['main', 'release']
const isThere = () => true
const waiting = 'merge-queue: waiting'
const head = 'c'.repeat(40)

const said = ({ comments, login }: FakeState, number: number): string[] =>
  comments.flatMap(({ user, number: on, body }) => (user === login && on === number ? body : []))

type Played = Awaited<ReturnType<typeof labelled>>

/** Another queue of the repository, which has it in its line. */
function enters({ host }: Played, branch: string, number: number): void {
  const author = { name: 'Bob', email: 'bob@example.com' }
  const card = { head, title: '', body: '', author, ref: `refs/pull/${number}/head` }
  host.send(branch, { type: 'createQueue', incarnation: branch, set: { stateLabelsEnabled: true } })
  host.send(branch, { type: 'submitPullRequest', number, sha: head, card })
}

//
test('a queue takes no label away that another one is to judge', async () => {
  const { play, pull } = await labelled({ state: 'PAUSED', isThere, branches })
  expect(await play(2, 'label')).toBe('NOT_READY')
  expect(await play(2, 'retarget')).toBe('CANCELLED')
  await play(2, 'unlabel', 'label')
  await play(2)
  expect(pull.labels).toEqual([label])
})

//
test('the label of the state is that of the queue in whose line it is', async () => {
  const set = { stateLabelsEnabled: true }
  const played = await labelled({ state: 'PAUSED', isThere, branches, set })
  const { play, pull } = played
  expect(await play(2, 'label')).toBe('NOT_READY')
  expect(pull.labels).toEqual([label, waiting])
  enters(played, 'release', 7)
  expect(await play(2, 'retarget')).toBe('CANCELLED')
  expect(pull.labels).toContain('merge-queue: testing')
  expect(pull.labels).not.toContain(waiting)
})

//
test('nothing is said of a label on what waits in another line, wherever its base leads now', async () => {
  const played = await labelled({ state: 'PAUSED', isThere, branches })
  const { play, state } = played
  const above = openedPull(state, { number: 8, head, base: 'merged' })
  enters(played, 'release', 8)
  await play(2)
  change(state, above, { labels: [label], by: 'ada' })
  await play(2)
  await play(60)
  expect(said(state, 8)).toEqual([])
})

//
test('in a stack a cancel counts also right after the one below has merged', async () => {
  const { play, state, host, landed, pull } = await labelled({
    kind: gitea,
    state: 'RUNNING',
    isThere,
  })
  const above = openedPull(state, { number: 8, head, base: pull.branch })
  written(state, 8, '/enqueue', 'ada')
  expect(await play(2, 'label')).toBe('MERGED')
  expect(host.queue.pullRequests[8]?.state).toBe('TESTS_PASSED')
  const cancel = written(state, 8, '/cancel', 'ada')
  await play(2)
  expect([host.queue.pullRequests[8]?.state, cancel.reactions]).toEqual(['CANCELLED', ['+1']])
  expect([landed, above.base]).toEqual([[pull.head], 'main'])
})

//
test('what has merged is not marked as merged into a branch that it was given since', async () => {
  let isThereNow = false
  const { play, pull, host } = await labelled({
    kind: gitea,
    state: 'RUNNING',
    isThere: (what) => isThereNow || !what.endsWith('/merge'),
  })
  expect(await play(2, 'label')).toBe('MERGED')
  host.crash()
  isThereNow = true
  await play(60, 'retarget')
  await play(60)
  const marks = host.fake.requests.filter(({ name }) => name.endsWith('/merge'))
  expect([pull.state, marks.map(({ status }) => status)]).toEqual(['open', [502]])
})
