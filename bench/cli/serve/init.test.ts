/** init writes what serve and doctor then find by themselves. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test, beforeAll, vi } from 'vitest'
import { git } from '../../../server/git/git.ts'
import { main, write } from '../../../server/git/testing/commits.ts'
import { FakeCodeHost } from '../../../server/code-host/testing/fake-code-host.ts'
import { gitea, giteaToken } from '../../../server/gitea/testing/fake-gitea.ts'
import { CliFolder, wordsOf } from '../testing/cli-folder.ts'
import { guessed } from '../../../server/cli/guess.ts'
import { hostingIn, usage } from '../../../server/cli/serve.ts'
import { parseOptions } from '../../../server/terminal/options.ts'
import { makeRepository } from '../../rehearsal/repository.ts'
import { startServe } from '../testing/program.ts'

let made = 0
const home = new CliFolder()

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
  const env = { INIT_CWD: folder, HOME: home.path }
  const init = (more = '', token = {}) => home.printed(`init${more}`, { ...env, ...token })
  const file = `clone-${made}/mergeyard.json`
  const settings = (): unknown => {
    const { queues }: { readonly queues: readonly unknown[] } = JSON.parse(home.read(file))
    return queues[0]
  }
  return { folder, env, init, settings }
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
    [
      'https://git.example.com/acme/tool.git',
      { 'Makefile.PL': '', Makefile: 'test:\n' },
      {
        url: 'https://git.example.com/acme/tool.git',
        targetBranch: 'trunk',
        tests: { kind: 'command', run: 'perl Makefile.PL && make test' },
        set: {},
      },
    ],
  ])('given a clone of %s, it writes what its files and its address tell', async (...given) => {
    const [address, files, queue] = given
    const { init, settings } = await cloneOf(address, files)
    expect(await init()).not.toContain('secret')
    expect(settings()).toEqual(queue)
  })

  test('given a token, it asks the host what has to pass', async () => {
    const fake = new FakeCodeHost(gitea, { folder: home.path })
    onTestFinished(() => fake.close())
    await fake.state.repository.make({})
    await fake.listen()
    fake.state.rules = { from: 'protection', checks: ['build', 'lint'], approvals: 1 }
    const { init, settings } = await cloneOf(`${fake.url}/acme/shop.git`, workflow)
    const token = { MERGEYARD_GITEA_TOKEN: giteaToken }
    const out = await init(' --host gitea', token)
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
    expect(await free.init(' --host gitea', token)).toMatch(
      /^checks +unit, as the last commit of trunk had; trunk requires none$/m,
    )
    expect(free.settings()).toMatchObject({ set: { requiredStatuses: ['unit'] } })
  })

  test.each([
    [
      'init',
      { 'readme.md': '' },
      /no test command was found in the files at the top of \S+: name it with --test "<command>"/,
    ],
    ['init --remote upstream', npm, 'is in no clone with a remote upstream'],
    ['init --host svn', npm, 'expected one of github, gitea, gitlab, git, got --host svn'],
    ['init', { ...npm, 'mergeyard.json': '{}' }, 'mergeyard.json is there already'],
  ])('%s in a folder of %j is refused', async (line, files, words) => {
    const { env } = await cloneOf('https://git.example.com/acme/shop', files)
    await home.refuses(line, words, env)
  })
})

describe('the mergeyard.json of a clone', () => {
  let clone: Awaited<ReturnType<typeof cloneOf>>
  beforeEach(async () => {
    clone = await cloneOf(join(home.path, 'nowhere.git'), npm)
    await clone.init()
  })

  //
  test('is found by doctor, also from a folder of the work tree', async () => {
    const below = join(clone.folder, 'below')
    mkdirSync(below)
    const { code, out } = await home.run('doctor', { env: { ...clone.env, INIT_CWD: below } })
    expect(code).toBe(1)
    expect(out).toMatch(/^FAULT +repository .*nowhere\.git/m)
    expect(out).toMatch(/^ok +test command +npm test$/m)
  })

  test('is not meant where the command line names a repository or its tests', async () => {
    const words = '--repo: expected the repository, as a path or an address'
    await home.refuses('serve --test true', words, clone.env)
  })
})

// serve told nothing: what a clone tells is enough for a first merge.

const shop = join(home.path, 'shop.git')
const clone = join(home.path, 'clone')

beforeAll(async () => {
  await makeRepository(shop, [{ number: 1 }])
  await git(['clone', '--quiet', shop, clone])
})

/** What the clone tells, if its origin has that address; null: it has none. */
async function guessWith(address: string | null) {
  await git(['-C', clone, 'remote', 'remove', 'origin']).catch(() => null)
  if (address !== null) await git(['-C', clone, 'remote', 'add', 'origin', address])
  const data = join(home.path, 'data')
  const asked = { command: 'serve', folder: clone, env: {}, data, branch: null, test: null }
  const guess = await guessed(asked)
  await guess?.copy?.()
  const [host] = guess?.hosting ?? []
  return { host, said: guess?.rows.map((row) => row.join(' ')).join('\n') ?? '' }
}

//
test('serve takes the default branch of a repository however it is named, and --branch before it', async () => {
  const fake = new FakeCodeHost(gitea, { folder: home.path })
  onTestFinished(() => fake.close())
  const { repository } = fake.state
  await repository.make({})
  await fake.listen()
  await git(['-C', repository.path, 'branch', '--move', 'main', 'trunk'])
  const { env } = await cloneOf(repository.path, {})
  const branchOf = async (words: string) => {
    const token = { ...env, MERGEYARD_GITEA_TOKEN: giteaToken }
    const parsed = parseOptions(usage, wordsOf(`${words} --test make`), token)
    const [options] = await hostingIn('serve', parsed, token, join(home.path, 'none'))
    return options?.ref.targetBranch
  }
  const places = ['--repo origin', `--repo '${repository.path}'`, `--gitea ${fake.url}/acme/shop`]
  for (const place of places) {
    expect(await branchOf(place)).toBe('trunk')
    expect(await branchOf(`${place} --branch next`)).toBe('next')
  }
  // A HEAD that names no branch, as of a server that begins with another name than the first push.
  await git(['-C', repository.path, 'symbolic-ref', 'HEAD', 'refs/heads/master'])
  expect(await branchOf('--repo origin')).toBe('main')
})

//
describe('serve told nothing', () => {
  test('merges in the origin of the clone if it may push there', async () => {
    const { host, said } = await guessWith(shop.replace('.git', ''))
    expect(host).toMatchObject({ url: shop, ref: { targetBranch: 'main' } })
    expect(host?.tests).toMatchObject({ setup: 'npm install', run: 'npm test' })
    expect(said).toContain('because of package.json')
    expect(said).toContain('mergeyard init')
  })

  test('asks whether the server may push, whatever the clone sets and has checked out', async () => {
    const headAt = (ref: string) => git(['-C', clone, 'symbolic-ref', 'HEAD', ref])
    await git(['-C', clone, 'config', 'push.gpgSign', 'true'])
    await headAt('refs/heads/unborn')
    onTestFinished(async () => {
      await git(['-C', clone, 'config', '--unset', 'push.gpgSign'])
      await headAt(main)
    })
    const { host } = await guessWith(shop)
    const { said } = await guessWith('/nowhere/shop.git')
    expect(host).toMatchObject({ url: shop, ref: { targetBranch: 'main' } })
    expect(said).toContain('/nowhere/shop.git takes no push from here')
  })

  test.each([
    [null, 'it has no remote origin'],
    [
      'https://github.com/acme/shop.git',
      'there is no token for github.com in MERGEYARD_GITHUB_TOKEN',
    ],
    [join('/', 'nowhere', 'shop.git'), '/nowhere/shop.git takes no push from here'],
  ])('lets a copy stand in for %s, and says why', async (address, why) => {
    const { host, said } = await guessWith(address)
    expect(host?.url).toBe(join(home.path, 'data', 'clone.git'))
    expect(said).toContain(`a copy of this clone, because ${why}`)
    const [copied, own] = await Promise.all(
      [host?.url ?? '', clone].map((path) => git(['-C', path, 'rev-parse', 'refs/heads/main'])),
    )
    expect(copied).toBe(own)
  })

  test('is what doctor looks at, and doctor makes no copy', async () => {
    const looked = async (address: string | null) => {
      await guessWith(address)
      const places = { INIT_CWD: clone, MERGEYARD_DATA: join(home.path, 'looked') }
      return (await home.run('doctor', { env: places })).out
    }
    expect(await looked(shop)).toMatch(/^note +repository .*branch main\n[^]*^ok +push/m)
    const copied = await looked(null)
    expect(copied).toMatch(
      /a copy of this clone, because it has no remote[^]*ok +test command +npm test/,
    )
    const places = { INIT_CWD: clone, MERGEYARD_DATA: join(home.path, 'looked') }
    const { out } = await home.run('doctor --json', { env: places })
    const checks: { readonly what: string }[] = JSON.parse(out)
    expect(checks.filter(({ what }) => what === '')).toEqual([])
    expect(existsSync(join(home.path, 'looked'))).toBe(false)
  })

  //
  test('makes no copy of a clone that names its commits by SHA-256, as serve and doctor say', async () => {
    const longer = join(home.path, 'longer')
    await git(['init', '--quiet', '--object-format=sha256', longer])
    writeFileSync(join(longer, 'package.json'), npm['package.json'])
    await commitOf(longer)
    const env = { INIT_CWD: longer, MERGEYARD_DATA: join(home.path, 'of-longer') }
    const why = `${longer} names its commits by SHA-256: Mergeyard knows only names by SHA-1`
    await home.refuses('serve', why, env)
    await home.refuses('doctor', why, env)
    expect(existsSync(join(home.path, 'of-longer'))).toBe(false)
  })

  test('keeps to the branch of its first start, and adds another only when it is named', async () => {
    await git(['-C', clone, 'remote', 'remove', 'origin']).catch(() => null)
    const data = join(home.path, 'again')
    home.write('careful', '[safe]\n\tbareRepository = explicit\n')
    vi.stubEnv('GIT_CONFIG_GLOBAL', join(home.path, 'careful'))
    onTestFinished(() => void vi.unstubAllEnvs())
    const asked = { command: 'serve', folder: clone, env: {}, data, test: null }
    const servedBy = async (branch: string | null) => {
      const guess = await guessed({ ...asked, branch })
      await guess?.copy?.()
      return guess?.hosting[0]?.ref.targetBranch
    }
    await git(['-C', clone, 'checkout', '--quiet', '--detach'])
    const nowhere = /has no branch mian: name the one to merge into with --branch/
    await expect(servedBy('mian')).rejects.toThrow(nowhere)
    await git(['-C', clone, 'checkout', '--quiet', 'main'])
    mkdirSync(join(data, 'clone.git.incomplete'), { recursive: true })
    await git(['-C', clone, 'tag', 'main'])
    expect(await servedBy(null)).toBe('main')
    await git(['-C', clone, 'checkout', '--quiet', '-b', 'later'])
    onTestFinished(async () => void (await git(['-C', clone, 'checkout', '--quiet', 'main'])))
    expect(await servedBy(null)).toBe('main')
    expect(await servedBy('later')).toBe('later')
    const copied = ['-C', join(data, 'clone.git'), 'rev-parse', 'later']
    expect(await git(copied)).toBe(await git(['-C', clone, 'rev-parse', 'later']))
    expect(await servedBy(null)).toBe('main')
  })

  test('shows its page and merges, and says what it has guessed', async () => {
    await guessWith(null)
    const places = { HOME: home.path, XDG_STATE_HOME: '', INIT_CWD: clone }
    const server = await startServe(['--test', 'node test.mjs', '--log', 'story'], places)
    onTestFinished(async () => void (await server.end()))
    const [, place = ''] = await server.prints(/^try it +git push "(.+)" /m)
    const mine = { ref: 'refs/heads/mine', from: main, title: 'Mine' }
    await write(join(clone, '.git'), { ...mine, files: { 'mine.txt': 'mine\n' } })
    await git(['-C', clone, 'push', place, 'mine:queue/mine'])
    await expect.poll(server.all).toMatch(/MERGED +#\d+/)
    //
    expect(await home.printed('why mine', places)).toMatch(/^#1 {2}Mine: merged/)
  })
})
