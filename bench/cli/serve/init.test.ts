/** init writes what serve and doctor then find by themselves. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { git } from '../../../server/git/git.ts'
import { FakeForge } from '../../../server/forge/testing/fake-forge.ts'
import { gitea, giteaToken } from '../../../server/gitea/testing/fake-gitea.ts'
import { CliFolder } from '../testing/cli-folder.ts'

let made = 0
const home = new CliFolder()
afterAll(() => home.remove())

/** A clone whose remote has that address, and a default branch of its own name. */
async function cloneOf(address: string, files: Readonly<Record<string, string>>) {
  const folder = join(home.path, `clone-${++made}`)
  await git(['init', '--quiet', folder])
  await git(['-C', folder, 'remote', 'add', 'origin', address])
  const trunk = 'refs/remotes/origin/trunk'
  await git(['-C', folder, 'symbolic-ref', 'refs/remotes/origin/HEAD', trunk])
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const run = async (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    home.run(args, { INIT_CWD: folder, HOME: home.path, ...env })
  const file = `clone-${made}/mergeyard.json`
  const settings = (): unknown => {
    const { queues }: { readonly queues: readonly unknown[] } = JSON.parse(home.read(file))
    return queues[0]
  }
  return { folder, run, settings }
}

/** The last commit of the default branch, as the clone knows it. */
async function commitOf(folder: string): Promise<string> {
  const at = ['-C', folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  await git([...at, 'commit', '--quiet', '--allow-empty', '--message', 'Begin'])
  await git([...at, 'update-ref', 'refs/remotes/origin/trunk', 'HEAD'])
  return (await git([...at, 'rev-parse', 'HEAD'])).trim()
}

const npm = {
  'package.json': '{ "scripts": { "test": "node test.mjs" } }',
  'package-lock.json': '',
}
const workflow = { '.github/workflows/ci.yml': 'on: push' }

describe('init', () => {
  test.each([
    [
      'git@github.com:acme/shop.git',
      { ...npm, ...workflow },
      {
        github: { repo: 'acme/shop' },
        targetBranch: 'trunk',
        set: { enqueueingLabel: 'merge-queue' },
      },
    ],
    [
      'https://me:secret@gitlab.example.com/acme/tools/shop.git',
      npm,
      {
        gitlab: { repo: 'https://gitlab.example.com/acme/tools/shop' },
        targetBranch: 'trunk',
        tests: { kind: 'command', setup: 'npm ci', run: 'npm test' },
        set: { enqueueingLabel: 'merge-queue' },
      },
    ],
    [
      'ssh://git@git.example.com/acme/shop.git',
      { 'Cargo.toml': '', 'package.json': '{ "scripts": {} }' },
      {
        url: 'ssh://git@git.example.com/acme/shop.git',
        targetBranch: 'trunk',
        tests: { kind: 'command', run: 'cargo test' },
        set: {},
      },
    ],
  ])('given a clone of %s, it writes what its files and its address tell', async (...given) => {
    const [address, files, queue] = given
    const { run, settings } = await cloneOf(address, files)
    const { code, out } = await run(['init'])
    expect(code).toBe(0)
    expect(out).not.toContain('secret')
    expect(settings()).toEqual(queue)
  })

  test('given a token, it asks the host what has to pass', async () => {
    const fake = new FakeForge(gitea, { folder: home.path })
    onTestFinished(() => fake.close())
    await fake.state.repository.make({})
    await fake.listen()
    fake.state.rules = { from: 'protection', checks: ['build', 'lint'], approvals: 1 }
    const { run, settings } = await cloneOf(`${fake.url}/acme/shop.git`, workflow)
    const { out } = await run(['init', '--host', 'gitea'], { MERGEYARD_GITEA_TOKEN: giteaToken })
    expect(out).toMatch(/^checks +build, lint, as trunk requires$/m)
    expect(out).toMatch(/^label +merge-queue submits a pull request; Gitea has it$/m)
    expect(fake.state.labels).toEqual(['merge-queue'])
    expect(settings()).toEqual({
      gitea: { repo: `${fake.url}/acme/shop` },
      targetBranch: 'trunk',
      set: { enqueueingLabel: 'merge-queue' },
    })

    fake.state.rules = null
    const free = await cloneOf(`${fake.url}/acme/shop.git`, workflow)
    const sha = await commitOf(free.folder)
    const status = { state: 'success', description: '', url: null, by: 'ci', createdAt: 0 } as const
    fake.state.statuses.push({ ...status, id: 1, sha, context: 'unit' })
    const asked = await free.run(['init', '--host', 'gitea'], { MERGEYARD_GITEA_TOKEN: giteaToken })
    expect(asked.out).toMatch(
      /^checks +unit, as the last commit of trunk had; trunk requires none$/m,
    )
    expect(free.settings()).toMatchObject({ set: { requiredStatuses: ['unit'] } })
  })

  test.each([
    [[], { 'readme.md': '' }, 'tell no test command: say it with --test "<command>"'],
    [['--remote', 'upstream'], npm, 'is in no clone with a remote upstream'],
    [['--host', 'svn'], npm, 'expected one of github, gitea, gitlab, git, got --host svn'],
    [[], { ...npm, 'mergeyard.json': '{}' }, 'mergeyard.json is there already'],
  ])('%j in a folder of %j is refused in a line', async (args, files, words) => {
    const { run } = await cloneOf('https://git.example.com/acme/shop', files)
    const { code, out, err } = await run(['init', ...args])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(words)
  })
})

describe('the mergeyard.json of a clone', () => {
  let clone: Awaited<ReturnType<typeof cloneOf>>
  beforeEach(async () => {
    clone = await cloneOf(join(home.path, 'nowhere.git'), npm)
    await clone.run(['init'])
  })

  //
  test('is found by doctor, also from a folder of the work tree', async () => {
    const below = join(clone.folder, 'below')
    mkdirSync(below)
    const { code, out } = await clone.run(['doctor'], { INIT_CWD: below })
    expect(code).toBe(1)
    expect(out).toMatch(/^FAULT +repository .*nowhere\.git/m)
    expect(out).toMatch(/^ok +test command +npm test$/m)
  })

  test('is not meant where the command line names a repository or its tests', async () => {
    const { code, err } = await clone.run(['serve', '--test', 'true'])
    expect(code).toBe(2)
    expect(err).toContain('--repo: expected the repository, as a path or an address')
  })
})
