/** doctor on fake hosts: where all is well, where nothing is, and wrong arguments. */

import { mkdirSync, readFileSync } from 'node:fs'
import { join, dirname } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import { openPull } from '../../../server/code-host/testing/code-host-world.ts'
import { FakeCodeHost } from '../../../server/code-host/testing/fake-code-host.ts'
import { gitea, giteaToken } from '../../../server/gitea/testing/fake-gitea.ts'
import { github, personalToken } from '../../../server/github/testing/fake-github.ts'
import { gitlab, gitlabToken } from '../../../server/gitlab/testing/fake-gitlab.ts'
import { CliFolder } from '../testing/cli-folder.ts'
import { makeRepository } from '../../rehearsal/repository.ts'
import { exposure } from '../../../server/cli/serve.ts'
import {
  bubblewrapNote,
  freeDisk,
  leastNode,
  nodeVersion,
  usesNpm,
} from '../../../server/cli/doctor.ts'

const workflow = 'on:\n  push:\n    branches: ["mergeyard/**"]\n'
const required = (fake: FakeCodeHost): void => {
  fake.state.rules = { from: 'protection', checks: ['ci'], approvals: 1 }
}

const hosts = {
  github: { dialect: github, env: { MERGEYARD_GITHUB_TOKEN: personalToken } },
  gitea: {
    dialect: gitea,
    env: { MERGEYARD_GITEA_TOKEN: giteaToken },
    ci: { '.gitea/workflows/ci.yml': workflow },
    well: required,
    faults: ['permission', 'merge method', 'required checks', 'push to the branch', 'workflows'],
  },
  gitlab: {
    dialect: gitlab,
    env: { MERGEYARD_GITLAB_TOKEN: gitlabToken },
    ci: { '.gitlab-ci.yml': 'test:\n  script: make test\n' },
    well: (): void => undefined,
    faults: ['permission', 'merge method', 'pipelines', 'requests: the removal of a label'],
  },
} as const

type Check = { readonly what: string; readonly isOk: boolean; readonly words: string }

/** GitHub is named by a configuration, the others by the address of the repository. */
async function doctorOn(
  kind: keyof typeof hosts,
  files: Readonly<Record<string, string>>,
  prepare: (fake: FakeCodeHost) => void | Promise<void>,
) {
  const { dialect, env } = hosts[kind]
  const home = new CliFolder()
  const fake = new FakeCodeHost(dialect, { folder: home.path })
  onTestFinished(() => fake.close())
  await fake.state.repository.make(files)
  await fake.listen()
  await prepare(fake)
  await openPull(fake, 7, { 'pay.txt': 'twice\n' })
  const queue = {
    url: `${fake.url}/acme/shop.git`,
    github: { repo: 'acme/shop', api: fake.api },
    set: { mergeMethod: 'merge_commit' },
  }
  home.write('mergeyard.json', JSON.stringify({ queues: [queue] }))
  const before = fake.state.repository.refs()
  const place = kind === 'github' ? 'config mergeyard.json' : `${kind} ${fake.url}/acme/shop`
  const { code, out } = await home.run(`doctor --${place} --json`, { env })
  const checks: Check[] = JSON.parse(out)
  expect(fake.state.repository.refs()).toEqual(before)
  expect(fake.faults).toEqual([])
  for (const token of Object.values(env)) expect(out).not.toContain(token)
  return { code, checks, faults: checks.filter(({ isOk }) => !isOk).map(({ what }) => what) }
}

const doctor = (
  files: Readonly<Record<string, string>>,
  prepare: (fake: FakeCodeHost) => void | Promise<void>,
) => doctorOn('github', files, prepare)

test('given required checks and a workflow for test branches, all is well', async () => {
  const { code, checks, faults } = await doctor({ '.github/workflows/ci.yml': workflow }, required)
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
    'by a comment /enqueue or the label merge-queue, from who may write',
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

test.each(['gitea', 'gitlab'] as const)(
  'all is well where all is set, on %s',
  matrix,
  async (kind) => {
    const { ci, well } = hosts[kind]
    expect(await doctorOn(kind, ci, well)).toMatchObject({ code: 0, faults: [] })
  },
)

test.each(['gitea', 'gitlab'] as const)('on %s, what is not set is named', async (kind) => {
  const { faults } = hosts[kind]
  const found = await doctorOn(kind, {}, ({ state }) => {
    state.permissions = { push: false, admin: false }
    Object.assign(state.methods, { manual: false, squash: false })
  })
  expect(found).toMatchObject({ code: 1, faults })
})

test.each([
  ['--github acme/shop', 'MERGEYARD_GITHUB_TOKEN'],
  ['--gitea acme/shop', 'the address of the repository'],
  ['--gitea https://git.example.com/groups/acme/shop', 'the address of the repository'],
  ['--gitea https://git.example.com/acme/shop --repo .', 'either --gitea or --repo'],
  ['--gitlab https://me:secret@gitlab.com/acme/shop', /^(?!.*secret@).*address of the repository/],
  ['--gitea https://git.example.com/acme/shop', 'MERGEYARD_GITEA_TOKEN'],
  ['--gitlab https://gitlab.com/acme/tools/shop', 'MERGEYARD_GITLAB_TOKEN'],
  ['--gitlab https://gitlab.com/acme/shop --repo .', 'either --gitlab or --repo'],
])('doctor %s is refused', (line, words) => new CliFolder().refuses(`doctor ${line}`, words))

test('the least Node is the one of package.json', () => {
  const { engines }: { engines: { node: string } } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  )
  expect(engines.node).toBe(`>=${leastNode.join('.')}`)
})

test('an older Node is refused, a newer one is not', () => {
  for (const version of ['v20.19.0', 'v20.20.1', 'v22.0.0'])
    expect(nodeVersion(version)).toBe(version)
  for (const version of ['v18.20.0', 'v20.18.3'])
    expect(() => nodeVersion(version)).toThrow(`${version}, at least 20.19 is needed: update Node`)
})

test('a command uses npm that calls npm or npx, also after others', () => {
  expect(['npm test', 'cd web && npm ci', '(npx vitest)'].every(usesNpm)).toBe(true)
  expect(['pnpm test', 'node npm.js', 'make'].some(usesNpm)).toBe(false)
})

const open = 'tests can read the admin token, and all else that this user can read'

const closed = 'tests see no secret of the server, and nothing of them is left'
const noNamespaces = 'bubblewrap is installed, but this user may make no namespaces'

test.each([
  [{ isInstalled: true, works: true, isOff: false }, `works: ${closed}`],
  [{ isInstalled: true, works: true, isOff: true }, `"bubblewrap" is false: ${open}`],
  [{ isInstalled: true, works: false, isOff: false }, `${noNamespaces}: ${open}`],
  [{ isInstalled: false, works: false, isOff: false }, `bubblewrap is not installed: ${open}`],
])('bubblewrap with %j is a note, and no fault', (found, words) => {
  const note = bubblewrapNote(exposure(found))
  expect(note).toEqual({ what: 'bubblewrap', isOk: true, isNote: true, words })
})

test('the disk is that of the data folder, also before there is one', () => {
  const home = new CliFolder()
  const data = join(home.path, 'a', 'data')
  expect(freeDisk(data)).toMatch(new RegExp(`^\\d+ GiB free at ${home.path}$`))
  mkdirSync(dirname(data))
  expect(freeDisk(data)).toContain(` at ${dirname(data)}`)
})

test('doctor prints the machine first; npm only if a command uses it', async () => {
  const home = new CliFolder()
  const shop = join(home.path, 'shop.git')
  await makeRepository(shop, [{ number: 1 }])
  const args = ['doctor', '--repo', shop, '--data', 'data', '--json', '--test', 'node test.mjs']
  const plain = await home.document<Check[]>(args)
  expect(plain.slice(0, 4).map(({ what }) => what)).toEqual(['node', 'git', 'bubblewrap', 'disk'])
  expect(plain[3]?.words).toContain(` at ${home.path}`)
  const withNpm = await home.document<Check[]>([...args, '--setup', 'npm ci'])
  expect(withNpm.find(({ what }) => what === 'npm')?.words).toMatch(/^\d+\.\d+/)
})
