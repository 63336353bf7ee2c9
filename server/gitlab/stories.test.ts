/** Stories on the fake GitLab: those of every host, and those about pipelines and its merge button. */

import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { codeHostContract } from '../code-host/testing/code-host-contract.ts'
import { requestContract } from '../code-host/testing/request-contract.ts'
import { trustContract } from '../code-host/testing/trust-contract.ts'
import { requestOrders } from '../code-host/testing/request-orders.ts'
import { gitlab, gitlabWorld } from './testing/fake-gitlab.ts'
import { runInProgress } from '../code-host/testing/toy-ci.ts'
import { label, placeAt, refused as untilRefused } from '../code-host/testing/code-host-world.ts'
import { ok, refused as refusal } from '../code-host/testing/call.ts'
import { FakeCodeHost } from '../code-host/testing/fake-code-host.ts'
import { TestRepository } from '../hosting/testing/test-repository.ts'

const requests = '/projects/{id}/merge_requests'
const one = `GET ${requests}/{merge_request_iid}`
const press = `PUT ${requests}/{merge_request_iid}/merge`

//
codeHostContract(gitlab)

//
test('given no required statuses, the whole pipeline of the test branch decides', async () => {
  const world = await gitlabWorld({ jobs: ['build', 'lint'], set: { requiredStatuses: null } })
  await world.ask(7)
  const run = await runInProgress(world.ci)
  world.ci.finish(run, 'success', 'build')
  await world.seen()
  expect(world.queue.states()).toEqual({ 7: 'TESTING' })
  world.ci.finish(run, 'success', 'lint')
  await world.queue.untilState('MERGED', 7)
})

//
test('a pipeline that runs for merge requests only tests by the draft of the test branch, and is cancelled', async () => {
  const world = await gitlabWorld({ set: { createPrsForTestingBranches: true } })
  const { workflowRuns, pulls } = world.fake.state
  /** Its ref names the merge request, and not the branch. */
  const ofDraft = async () => {
    const run = await runInProgress(world.ci)
    const draft = () => [...pulls.values()].find(({ branch }) => branch === run.branch)
    await expect.poll(draft).toMatchObject({ isDraft: true })
    const branch = `refs/merge-requests/${draft()?.number}/head`
    workflowRuns.splice(workflowRuns.indexOf(run), 1, { ...run, branch })
    return run
  }
  await world.ask(7)
  world.ci.finish(await ofDraft(), 'success')
  await world.queue.untilState('MERGED', 7)
  // The draft has the number after the highest.
  await world.ask(70, { '70.txt': '1\n' })
  await ofDraft()
  world.change(70, { labels: [] })
  await world.queue.untilState('CANCELLED', 70)
  await expect.poll(() => workflowRuns.at(-1)).toMatchObject({ conclusion: 'cancelled' })
})

//
test('the draft of a large batch has a title that GitLab takes', matrix, async () => {
  const size = 20
  const set = { createPrsForTestingBranches: true, batch: true, batchingMinSize: size }
  const world = await gitlabWorld({ set })
  const numbers = Array.from({ length: size }, (_, index) => 2_000_000_000 + index)
  for (const number of numbers) await world.open(number, { [`${number}.txt`]: '1\n' })
  await world.seen()
  for (const number of numbers) world.label(number)
  await world.queue.untilState('TESTING', ...numbers)
  const drafts = () =>
    [...world.fake.state.pulls.values()].flatMap(({ isDraft, title }) => (isDraft ? title : []))
  await expect
    .poll(drafts)
    .toEqual([
      expect.stringMatching(/^Draft: Test of pull request .* and 8 more by the merge queue$/),
    ])
})

//
test('GitLab merges by a comment /merge past the queue, which says /enqueue', async () => {
  const world = await gitlabWorld({ isAutomatic: true })
  await world.open(7)
  await world.open(8, { 'broken/8': 'x\n' })
  await world.seen()
  world.comment(7, 'ada', '/merge')
  world.comment(8, 'ada', '/enqueue')
  await world.queue.untilState('FAILED', 8)
  await expect.poll(() => world.said(8).join()).toContain('a comment `/enqueue`')
  expect(world.pull(7).mergedAt).not.toBe(null)
  expect(world.queue.states()).toEqual({ 8: 'FAILED' })
})

//
trustContract(gitlab)

//
requestOrders(gitlab)

//
requestContract(gitlab)

//
test('where GitLab does not say what the reviews of one lack, it is refused or asked again, and the others go on', async () => {
  const world = await gitlabWorld()
  const statuses = new Map([
    ['7', 403],
    ['8', 500],
    ['10', 500],
  ])
  const approvals = `GET ${requests}/{merge_request_iid}/approval_state`
  const usual = world.fake.routes[approvals]
  world.fake.routes[approvals] = (state, call) => {
    const status = statuses.get(call.path['merge_request_iid'] ?? '')
    return status === undefined && usual ? usual(state, call) : refusal(status ?? 404, 'no')
  }
  for (const number of [7, 8, 9, 10]) await world.open(number, { [`${number}.txt`]: '1\n' })
  await world.seen()
  for (const number of [7, 8, 9]) world.label(number)
  world.comment(10, 'ada', '/enqueue')
  await world.queue.untilState('TESTING', 9)
  await untilRefused(world, 7, 'it cannot be granted')
  await world.seen()
  expect(world.queue.states()).toEqual({ 9: 'TESTING' })
  expect([...world.said(8), ...world.said(10)]).toEqual([])
  statuses.clear()
  await world.queue.untilState('TESTING', 8)
  await world.queue.untilState('TESTING', 10)
})

const hook = 'GitLab: the commit message must name a ticket'
const unmerged = { iid: 7, state: 'opened', sha: 'a'.repeat(40) }

test.each([
  ['without words', ok(unmerged), 'no commit in the answer', 0],
  ['refused by a hook', refusal(422, 'Branch cannot be merged'), `cannot be merged (${hook})`, 422],
  [
    'refused by a hook, on an older GitLab',
    ok({ ...unmerged, merge_error: hook }),
    `(${hook})`,
    422,
  ],
])(
  'a merge that fails behind the button is told as GitLab tells it: %s',
  async (_, answer, words, status) => {
    onTestFinished(() => void vi.unstubAllGlobals())
    const fake = new FakeCodeHost(gitlab, { folder: '', repository: new TestRepository('') })
    vi.stubGlobal('fetch', fake.fetch)
    fake.routes[press] = () => answer
    fake.routes[one] = () => ok({ ...unmerged, merge_error: hook })
    const options = gitlab.optionsOf(placeAt(`https://gitlab.example${gitlab.prefix}`))
    const { merging } = gitlab.adapter.open(options, pino({ enabled: false }), undefined)
    if (merging.by !== 'button') throw new Error('there is no button')
    const text = { title: 'Pay', message: '' }
    const pressed = merging.press(7, { method: 'squash', head: unmerged.sha, ...text })
    await expect(pressed).rejects.toMatchObject({ message: expect.stringContaining(words), status })
    expect(fake.faults).toEqual([])
  },
)

//
test('a merge button that is busy is pressed again; a draft and who is refused leave, and the others go on', async () => {
  const world = await gitlabWorld({ set: { mergeMethod: 'squash' }, isAutomatic: true })
  const { fake } = world
  for (const [number, changes] of [
    [5, { isDraft: true }],
    [6, { state: 'closed' }],
  ] as const) {
    fake.before.push({ name: press, act: () => world.change(number, changes, 'bob') })
    await world.ask(number, { [`${number}.txt`]: '1\n' })
    await world.queue.untilState('CANCELLED', number)
  }
  expect(world.queue.queue().state).toBe('RUNNING')
  const refused = { status: 405, body: { message: '405 Method Not Allowed' } }
  fake.instead.push({ name: press, answer: refused })
  const route = fake.routes[one]
  if (!route) throw new Error('the fake has no such operation')
  fake.routes[one] = async (state, call) => {
    const answer = await route(state, call)
    const isBusy = fake.instead.length === 0 && fake.state.pulls.get(7)?.state === 'open'
    const status = isBusy ? 'checking' : 'mergeable'
    return { ...answer, body: { ...Object(answer.body), detailed_merge_status: status } }
  }
  await world.ask(7)
  await world.queue.untilState('MERGED', 7)
  fake.routes[one] = route
  fake.state.isButtonDenied = true
  await world.ask(8, { 'other.txt': 'new\n' })
  await world.queue.untilState('FAILED', 8)
  await expect.poll(() => world.said(8).join()).toContain('(ci_must_pass)')
  fake.state.isButtonDenied = false
  await world.ask(9, { 'more.txt': 'new\n' })
  await world.queue.untilState('MERGED', 9)
  expect(world.queue.queue().state).toBe('RUNNING')
})

test('with rebase the queue is paused, and says what to set', matrix, async () => {
  const world = await gitlabWorld({ set: { mergeMethod: 'rebase' }, isAutomatic: true })
  await world.ask(7)
  await world.queue.until(() => world.queue.queue().state === 'PAUSED')
  expect(world.queue.host().status().faults.join()).toContain('merge_commit or squash')
})

//
test('changes that were requested count also while GitLab looks anew whether one can merge', async () => {
  const world = await gitlabWorld({ isAutomatic: true })
  const { head, reviews } = await world.open(7)
  reviews.push({ user: 'ada', state: 'CHANGES_REQUESTED', commit: head })
  await world.ask(8, { '8.txt': '1\n' })
  await world.queue.untilState('MERGED', 8)
  world.label(7)
  await world.queue.untilState('NOT_READY', 7)
  await expect.poll(() => world.said(7).join()).toContain('changes are requested by ada')
  await world.ask(9, { '9.txt': '1\n' })
  await world.queue.untilState('MERGED', 9)
  await world.seen()
  expect(world.queue.moves(7)).not.toContain('TESTING')
  reviews.push({ user: 'ada', state: 'APPROVED', commit: head })
  await world.queue.untilState('MERGED', 7)
})

//
test('what GitLab says must merge first lands first, and nothing lands before what is elsewhere', async () => {
  const world = await gitlabWorld({ isAutomatic: true })
  const { fake } = world
  fake.state.hasDependencies = true
  await world.open(5, { '5.txt': '5\n' })
  world.change(5, { mergedAt: new Date(0).toISOString(), state: 'closed' })
  await world.open(6)
  await world.open(7, { 'other.txt': 'new\n' })
  await world.open(8, { 'more.txt': 'new\n' })
  world.change(7, { blockedBy: [5, 6], labels: [label] })
  world.change(8, { blockedBy: ['acme/lib!9', null], labels: [label] })
  await world.queue.untilState('NOT_READY', 7, 8)
  const dependsOn = (number: number) => world.queue.queue().pullRequests[number]?.dependsOn
  expect([dependsOn(7), dependsOn(8)]).toEqual([[6], undefined])
  await expect.poll(() => world.said(7).join()).toContain('waits for #6, which it depends on')
  await expect
    .poll(() => world.said(8).join())
    .toContain('acme/lib!9 must merge first; one that this account may not see must merge first')
  world.label(6)
  await world.queue.untilState('MERGED', 6, 7)
  expect(await world.repository.landed()).toEqual(['6', '7'])
  world.change(8, { blockedBy: [] })
  await world.queue.untilState('MERGED', 8)
  world.queue.send({ type: 'updateQueue', set: { state: 'PAUSED' } })
  await world.ask(9, { '9.txt': 'new\n' })
  await world.queue.untilState('NOT_READY', 9)
  await world.open(10, { '10.txt': 'new\n' })
  world.change(9, { blockedBy: [10] })
  world.queue.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  await world.queue.untilState('FAILED', 9)
  await expect.poll(() => world.said(9).join()).toContain('10 must merge first since it was asked')
})
