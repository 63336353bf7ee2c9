/** What a client of GitHub makes of single answers, without a network. */

import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { TestRepository } from '../hosting/testing/test-repository.ts'
import { noReviewRules } from '../code-host/api.ts'
import { refused } from '../code-host/testing/call.ts'
import { FakeCodeHost } from '../code-host/testing/fake-code-host.ts'
import { placeAt } from '../code-host/testing/code-host-world.ts'
import { openedPull } from '../code-host/testing/state.ts'
import { GitHubClient } from './client.ts'
import { githubApi } from './github-api.ts'
import { rulesOf } from './rules.ts'
import { github, personalToken } from './testing/fake-github.ts'
import { invalidPull } from './testing/routes.ts'

const hourMs = 3_600_000

/** GitHub, whose clock is so far ahead of ours. */
function opened(clockAheadMs = 0, token = (): string => personalToken) {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: 1_767_603_600_000 })
  onTestFinished(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
    expect(fake.faults).toEqual([])
  })
  const now = (): number => Date.now() + clockAheadMs
  const fake = new FakeCodeHost(github, { folder: '', repository: new TestRepository(''), now })
  vi.stubGlobal('fetch', fake.fetch)
  const auth = { kind: 'token', token } as const
  const place = placeAt(`https://github.example${github.prefix}`)
  const logger = pino({ enabled: false })
  const pace = { isThrottled: false, retryAfterMs: 1 }
  const client = new GitHubClient({ kind: 'github', ...place, auth }, logger, pace)
  return {
    fake,
    client,
    api: githubApi(client),
    wait: (ms: number) => vi.advanceTimersByTime(ms),
  }
}

test('given another token in its file, the next request has it', async () => {
  let token = 'github_pat_RevokedTokenOfATest00000000000'
  const { api } = opened(0, () => token)
  await expect(api.openPulls()).rejects.toThrow('401')
  token = personalToken
  expect(await api.openPulls()).toEqual([])
  expect((await api.self()).login).not.toBe('')
})

test('a list that has not changed for an hour tells the time of GitHub all the same', async () => {
  const { fake, api, wait } = opened(90_000)
  await api.openPulls()
  wait(hourMs)
  await api.openPulls()
  expect(fake.requests.map(({ status }) => status)).toEqual([200, 304])
  expect(api.now() - Date.now()).toBe(90_000)
})

//
test.each([hourMs, -hourMs])(
  'given a clock that GitHub is %d ms ahead of, nothing is asked while the limit is used up, and all after it',
  async (clockAheadMs) => {
    const { fake, api, wait } = opened(clockAheadMs)
    fake.limitsNextForMs = 10_000
    const outcome = () =>
      api.openPulls().then(
        () => 'answered',
        () => 'refused',
      )
    expect(await outcome()).toBe('refused')
    wait(8_000)
    expect(await outcome()).toBe('refused')
    expect(fake.requests).toHaveLength(1)
    wait(4_000)
    expect(await outcome()).toBe('answered')
  },
)

//
test('given a limit that GraphQL says with the status of a success, nothing is asked while it is used up', async () => {
  const { fake, api, wait } = opened()
  openedPull(fake.state, { number: 7, head: 'a'.repeat(40) })
  fake.limitsNextForMs = 10_000
  const lack = () => api.unapprovedFor(7, { ...noReviewRules, approvals: 1 })
  await expect(lack()).rejects.toMatchObject({ status: 429 })
  wait(8_000)
  await expect(api.openPulls()).rejects.toThrow('GitHub allows no request until')
  wait(4_000)
  expect(await lack()).toBe('0 of 1 approvals')
})

//
test('given a GitHub that is overloaded and names a time, nothing is asked before it', async () => {
  const { fake, api, wait } = opened()
  const answer = { ...refused(503, 'Service Unavailable'), headers: { 'retry-after': '120' } }
  fake.instead.push({ name: 'GET /repos/{owner}/{repo}/pulls', answer })
  await expect(api.openPulls()).rejects.toThrow('GitHub answers 503')
  wait(119_000)
  await expect(api.openPulls()).rejects.toThrow('GitHub allows no request until')
  wait(1_000)
  expect(await api.openPulls()).toEqual([])
  expect(fake.requests.map(({ status }) => status)).toEqual([503, 200])
})

test('a page of a proxy is no list of pull requests, however long', async () => {
  const { client, api } = opened()
  const page = `<html>${'Sign in first. '.repeat(20)}</html>`
  const answers = [page, page, '<html>']
  const headers = { 'content-type': 'text/html' }
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(answers.shift(), { headers })))
  const words = 'GitHub does not answer: what answers there is no API: check the address'
  await expect(api.openPulls()).rejects.toThrow(`GET /repos/{owner}/{repo}/pulls: ${words}`)
  await expect(client.ask('GET /user', {})).rejects.toThrow(words)
  expect(answers).toEqual(['<html>'])
})

test('a status about a check with a picture in its name is written, without the picture', async () => {
  const { fake, api } = opened()
  const description = 'waits: the required check \u{1F9EA} test did not appear'
  const status = {
    context: 'mergeyard (\u{1F680})',
    state: 'pending',
    description,
    url: null,
  } as const
  await api.setStatus('a'.repeat(40), status)
  expect(fake.state.statuses).toMatchObject([
    { context: 'mergeyard (\uFFFD)', description: description.replace('\u{1F9EA}', '\uFFFD') },
  ])
})

const noDrafts = invalidPull('Draft pull requests are not supported in this repository.')
const isThere = invalidPull('A pull request already exists for acme:mergeyard/pr-7/x.')
const noCommits = invalidPull('No commits between main and mergeyard/pr-7/x')

test.each([
  ['that is there', [isThere], [true], 'opened'],
  ['in a repository that has no drafts', [noDrafts, isThere], [true, false], 'opened'],
  ['without commits', [noCommits], [true], 'refused'],
])('a pull request for a test branch, %s', async (_, answers, drafts, outcome) => {
  const { fake, api } = opened()
  const asked: unknown[] = []
  fake.routes['POST /repos/{owner}/{repo}/pulls'] = (__, { body }) => {
    asked.push(body['draft'])
    return answers[asked.length - 1] ?? isThere
  }
  const pull = { title: 'Test', body: '', branch: 'mergeyard/pr-7/x', base: 'main' }
  const opening = api.openTestPull(pull).then(
    () => 'opened',
    () => 'refused',
  )
  expect(await opening).toBe(outcome)
  expect(asked).toEqual(drafts)
})

test('a workflow run that ends while it is cancelled leaves no other one running', async () => {
  const { fake, api } = opened()
  const about = { sha: 'a'.repeat(40), branch: 'mergeyard/pr-7/x', name: 'ci', createdAt: 0 }
  for (const id of [1, 2]) {
    const going = { status: 'in_progress', conclusion: null } as const
    fake.state.workflowRuns.push({ ...about, ...going, id, suite: id })
  }
  const name = 'POST /repos/{owner}/{repo}/actions/runs/{run_id}/cancel'
  const words = 'Cannot cancel a workflow run that is completed.'
  fake.instead.push({ name, answer: refused(409, words) })
  await api.stopCi(about.sha, about.branch)
  expect(fake.state.workflowRuns.map(({ conclusion }) => conclusion)).toEqual([null, 'cancelled'])
})

const repo = 'GET /repos/{owner}/{repo}'
const rulesets = `${repo}/rules/branches/{branch}`
const protection = `${repo}/branches/{branch}/protection`
const upgrade = refused(
  403,
  'Upgrade to GitHub Pro or make this repository public to enable this feature.',
)

//
test.each([
  ['a free plan, which offers no rules', { [rulesets]: upgrade, [protection]: upgrade }, true],
  ['no protection', { [protection]: refused(404, 'Branch not protected') }, true],
  ['no right to see it', { [protection]: refused(404, 'Not Found') }, false],
])('a branch with %s has no rules, as far as anybody can know', async (_, answers, isComplete) => {
  const { fake, client } = opened()
  for (const [name, answer] of Object.entries(answers)) fake.routes[name] = () => answer
  expect(await rulesOf(client, 'main')).toMatchObject({ checks: [], isComplete })
})
