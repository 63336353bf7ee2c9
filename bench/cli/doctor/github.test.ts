/** doctor on the fake GitHub: a repository where all is well, and one where nothing is. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openPull } from '../../../server/forge/testing/open-pull.ts'
import { FakeForge } from '../../../server/forge/testing/fake-forge.ts'
import { github, personalToken } from '../../../server/github/testing/fake-github.ts'
import { CliFolder } from '../testing/cli-folder.ts'

const workflow = 'on:\n  push:\n    branches: ["mergeyard/**"]\n'

type Check = { readonly what: string; readonly isOk: boolean; readonly words: string }

async function doctor(
  files: Readonly<Record<string, string>>,
  prepare: (fake: FakeForge) => void | Promise<void>,
) {
  const home = new CliFolder()
  const fake = new FakeForge(github, { folder: home.path })
  onTestFinished(() => {
    fake.close()
    home.remove()
  })
  await fake.state.repository.make(files)
  await fake.listen()
  await prepare(fake)
  await openPull(fake, 7, { 'pay.txt': 'twice\n' })
  const at = { repo: 'acme/shop', api: fake.api }
  const queue = {
    url: `${fake.url}/acme/shop.git`,
    github: at,
    set: { mergeMethod: 'merge_commit' },
  }
  writeFileSync(join(home.path, 'mergeyard.json'), JSON.stringify({ queues: [queue] }))
  const before = fake.state.repository.refs()
  const args = ['doctor', '--config', 'mergeyard.json', '--json']
  const { code, out } = await home.run(args, { MERGEYARD_GITHUB_TOKEN: personalToken })
  const checks: Check[] = JSON.parse(out)
  expect(fake.state.repository.refs()).toEqual(before)
  expect(fake.faults).toEqual([])
  expect(out).not.toContain(personalToken)
  return { code, checks, faults: checks.filter(({ isOk }) => !isOk).map(({ what }) => what) }
}

test('given required checks and a workflow for test branches, all is well', async () => {
  const { code, checks, faults } = await doctor(
    { '.github/workflows/ci.yml': workflow },
    (fake) => {
      fake.state.rules = { from: 'protection', checks: ['ci'], approvals: 1 }
    },
  )
  expect({ code, faults }).toEqual({ code: 0, faults: [] })
  expect(checks.find(({ what }) => what === 'required checks')?.words).toContain('ci, from')
  expect(checks.find(({ what }) => what === 'requests')?.words).toBe(
    'answered: open pull requests, comments, who may write, pull request 7, what was done to it, its approval, its comments, the removal of a label, its results',
  )
})

test('given a token that may only read, no rules and no workflow, each is named', async () => {
  const { code, faults } = await doctor({}, (fake) => {
    fake.state.permissions = { push: false, admin: false }
  })
  expect(code).toBe(1)
  expect(faults).toEqual([
    ...['permission', 'required checks', 'protection', 'workflows'],
    ...['requests: who may write', 'requests: the removal of a label'],
  ])
})

//
test('another CI that writes statuses is no fault; how people submit is named', async () => {
  const { code, checks, faults } = await doctor({}, async ({ state }) => {
    state.rules = { from: 'protection', checks: ['ci/circleci'], approvals: 1 }
    const sha = await state.repository.oidOf('main')
    const about = { description: '', url: null, by: 'circleci', createdAt: state.now() }
    state.statuses.push({ ...about, id: 1, sha, context: 'ci/circleci', state: 'success' })
  })
  expect({ code, faults }).toEqual({ code: 0, faults: [] })
  const said = (name: string) => checks.find(({ what }) => what === name)?.words
  expect(said('workflows')).toContain('unless what writes ci/circleci tests these branches')
  expect(said('submitting')).toBe(
    'by the label merge-queue or a comment /merge, from who may write',
  )
})

test('each request that the queue will need is asked, and one that fails is named', async () => {
  const { code, faults } = await doctor({ '.github/workflows/ci.yml': workflow }, (fake) => {
    fake.state.rules = { from: 'protection', checks: ['ci'], approvals: 1 }
    const repo = '/repos/{owner}/{repo}'
    const refused = { status: 403, body: { message: 'Resource not accessible' } }
    const names = [`${repo}/issues/comments`, `${repo}/issues/{issue_number}/timeline`]
    for (const name of names) fake.routes[`GET ${name}`] = () => refused
    const missing = { status: 404, body: { message: 'Not Found' } }
    fake.routes[`GET ${repo}/collaborators/{username}/permission`] = () => missing
  })
  expect({ code, faults }).toEqual({
    code: 1,
    faults: ['requests: comments', 'requests: who may write', 'requests: what was done to it'],
  })
})

test('without a token the words say which variable', async () => {
  const home = new CliFolder()
  onTestFinished(() => home.remove())
  const { code, err } = await home.run(['doctor', '--github', 'acme/shop'])
  expect(code).toBe(2)
  expect(err).toContain('MERGEYARD_GITHUB_TOKEN')
})
