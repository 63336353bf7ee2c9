/** `sim import --github` on the fake of GitHub. */

import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Answer } from '../../../server/code-host/testing/call.ts'
import { FakeCodeHost } from '../../../server/code-host/testing/fake-code-host.ts'
import { github, personalToken } from '../../../server/github/testing/fake-github.ts'
import { shopStory } from '../../../sim/import/testing/github-story.ts'
import type { Scenario } from '../../../sim/scenario/scenario.ts'
import type { Output } from '../../../server/terminal/testing/captured.ts'
import { CliFolder } from '../testing/cli-folder.ts'
import { historyRoutes, recordedOf } from './testing/history-routes.ts'

const home = new CliFolder()

let fake: FakeCodeHost

beforeEach(async () => {
  fake = new FakeCodeHost(github, { folder: join(home.path, 'fake') })
  Object.assign(fake.routes, historyRoutes())
  await fake.listen()
})

afterEach(() => {
  fake.close()
  const [fault] = fake.faults
  if (fault !== undefined) throw new Error(fault)
  for (const name of readdirSync(home.path)) rmSync(join(home.path, name), { recursive: true })
})

const repo = '/repos/{owner}/{repo}'

const env = (token = personalToken) => ({ GITHUB_TOKEN: token, GITHUB_API_URL: fake.api })

const download = (more = '') => home.run(`sim import --github acme/shop${more}`, { env: env() })

const scenario = () => home.documentIn<Scenario>('shop.imported.json')

function textsIn(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'utf8'))
    .join('')
}

/** Every file of the download with its text. */
function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(join(home.path, folder), { recursive: true, encoding: 'utf8' }).sort()
  const files = names.filter((name) => name.endsWith('.json') && name !== 'download.json')
  return Object.fromEntries(files.map((name) => [name, home.read(join(folder, name))]))
}

// S-251, S-257
test('given a repository on GitHub, downloads its history, and imports it', async () => {
  const { code, out, err: said } = await download(' --json')
  const err = `shop.history is complete after ${fake.requests.length} requests\n`
  expect({ code, err: said }).toEqual({ code: 0, err })
  const found: Scenario = JSON.parse(out)
  const expected = shopStory.imported()
  const fields = ['pullRequests', 'events', 'queue', 'suite', 'measured', 'startsAt'] as const
  for (const field of fields) expect(found[field], field).toEqual(expected[field])
})

// S-257
test('given the folder of a download, imports the same offline, and asks nothing again', async () => {
  const first = await download()
  expect(first.code).toBe(0)
  const asked = fake.requests.length
  const before = await scenario()
  expect((await download(' --force')).code).toBe(0)
  expect(fake.requests).toHaveLength(asked)
  await home.printed('sim import --from shop.history --force')
  expect(await scenario()).toEqual(before)
})

// S-257
test('the token is in no file and in no output, also when GitHub refuses it', async () => {
  const { out, err } = await download()
  const wrong = 'github_pat_AnotherTokenThatIsWrong000000000'
  const refused = await home.run('sim import --github acme/shop --save other', { env: env(wrong) })
  expect(refused.code).toBe(1)
  expect(refused.err).toContain('GitHub does not know the token in GITHUB_TOKEN')
  const everything = [out, err, refused.out, refused.err, textsIn(home.path)].join('')
  for (const token of [personalToken, wrong]) expect(everything).not.toContain(token)
})

/** Ctrl-C while the request with this number is answered. */
async function interruptedAt(request: number): Promise<Output> {
  const interrupt = new AbortController()
  let left = request
  const usual = { ...fake.routes }
  for (const [name, route] of Object.entries(usual)) {
    fake.routes[name] = (state, call) => {
      left -= 1
      if (left === 0) interrupt.abort()
      return route(state, call)
    }
  }
  const { signal } = interrupt
  const output = await home.run('sim import --github acme/shop --json', { env: env(), signal })
  Object.assign(fake.routes, usual)
  return output
}

// S-257
test('given an interruption at any request, the same command goes on, and ends the same', async () => {
  Object.assign(fake.routes, historyRoutes(recordedOf(9, 11)))
  const { out } = await download(' --json')
  const whole = filesIn('shop.history')
  const requests = fake.requests.length
  for (let request = 1; request < requests; request += 1) {
    rmSync(join(home.path, 'shop.history'), { recursive: true })
    fake.requests.length = 0
    const err = 'mergeyard: interrupted; the same command goes on with shop.history\n'
    expect(await interruptedAt(request)).toEqual({ code: 130, out: '', err })
    expect((await download(' --json')).out).toBe(out)
    expect(filesIn('shop.history')).toEqual(whole)
    // Each page of the sample is the whole list, so nothing is asked twice.
    expect(fake.requests).toHaveLength(requests)
  }
})

// S-257
test.each([
  [404, 'there is no acme/shop, or the token may not see it'],
  [403, 'the token needs to read Contents, Pull requests, Actions, Checks and Commit statuses'],
])('given the answer %j, it says what to do, and goes on later', async (status, advice) => {
  const answer: Answer = { status, body: { message: 'No' } }
  fake.instead.push({ name: `GET ${repo}/pulls`, answer })
  const { code, out, err } = await download()
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toContain(`GitHub answers ${status}: No`)
  expect(err).toContain(`${advice}; the same command goes on with shop.history`)
  expect((await download()).code).toBe(0)
})

// S-257
test.each([403, 404])('given the answer %j about rules, there are none', async (status) => {
  fake.instead.push({
    name: `GET ${repo}/rules/branches/{branch}`,
    answer: { status, body: { message: 'Upgrade to GitHub Pro' } },
  })
  const { code, out } = await download()
  expect(code).toBe(0)
  expect(out).toContain('the most that were seen, so a lower bound')
})

// S-257
test.each([
  ['--github shop', 'expected a repository like acme/shop, got "shop"'],
  ['--github acme/shop', 'a token that may read the repository, in this variable', ''],
  ['--github acme/shop --from x', 'got --github and --from'],
  ['--github acme/shop --runs x.csv', 'got --github and --runs'],
  ['--github acme/shop --minutes 3', 'got --github and --minutes'],
  [`--github acme/shop --name ${'x'.repeat(81)}`, 'at most 80 characters'],
  ['--github acme/shop --busier 0', 'a whole number from 1'],
  ['--from x --save y', 'got --from and --save'],
  ['--save x', 'got no history'],
  ['--github acme/shop --save fake', 'a new folder, or one with a download'],
])('given %s, the command refuses', async (line, words, token = personalToken) => {
  await home.refuses(`sim import ${line}`, words, env(token))
  expect(fake.requests).toEqual([])
})

// S-257
test('given the folder of another download, the command refuses', async () => {
  await download()
  await home.refuses(
    'sim import --github acme/shop --last 3 --force',
    /^shop.history: download.json\/last: expected a download with last 3; choose another folder with --save, got 500\n$/,
    env(),
  )
})
