/** What serve and doctor say about input that cannot work: a line, exit code 2, and nothing has changed. */

import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { git } from '../../../server/git/git.ts'
import { commitTree } from '../../../server/git/objects.ts'
import { parseOptions } from '../../../server/terminal/options.ts'
import { makeRepository } from '../../rehearsal/repository.ts'
import { addressOfRemote, dataOption, dataPathOf } from '../../../server/cli/place.ts'
import { CliFolder } from '../testing/cli-folder.ts'
import { readConfiguration } from '../../../server/cli/configuration.ts'
import { configurationWith } from '../../../engine/index.ts'
import { creationOf } from '../../../server/hosting/hosts.ts'
import { hostingIn, usage } from '../../../server/cli/serve.ts'

const home = new CliFolder()
const shop = join(home.path, 'shop.git')
const data = join(home.path, 'data')

beforeAll(() => makeRepository(shop, [{ number: 1 }]))

/** Writes a configuration. */
const configure = (...queues: readonly object[]): void =>
  home.write('mergeyard.json', JSON.stringify({ queues }))

describe('serve refuses', () => {
  const testing = '--repo shop.git --test true --data data --port 0'
  const limit = 'one of processes, memoryMiB, diskMiB, then = and a whole number from 1'

  test.each([
    [
      '--test true',
      '--repo: expected the repository, as a path or an address, or a mergeyard.json',
    ],
    ['--repo shop.git', '--test: expected the test command, such as "npm test", got nothing'],
    [
      '--repo nowhere --test true',
      'expected a path that exists, an address, or a remote of the clone in this folder, got --repo nowhere',
    ],
    ['--repo . --test true', 'does not appear to be a git repository'],
    [
      `${testing} --branch release`,
      'has no branch release: it has main; name the one to merge into with --branch',
    ],
    ['--repo shop.git --test frobnicate', 'of which this machine has the program frobnicate'],
    [`${testing} --batch 0`, 'expected a whole number from 1 to 1000, got --batch 0'],
    [`${testing} --timeout 1h`, 'expected a whole number from 1 to 10080, got --timeout 1h'],
    [`${testing} --limit memory=5`, `expected ${limit}, got --limit memory=5`],
    [`${testing} --limit diskMiB=none`, `expected ${limit}, got --limit diskMiB=none`],
    ['--repo shop.git --config x.json', 'either --config or --repo, got --config x.json'],
    [
      `${testing} --store postgres://db/x --keep-days 3`,
      'no --keep-days: it is about a data folder',
    ],
    [`${testing} --store db/x`, 'expected an address such as postgres://user@host/database'],
  ])('serve %s, and leaves nothing behind', async (line, words) => {
    await home.refuses(`serve ${line}`, words)
    expect(existsSync(data)).toBe(false)
    await home.refuses('queue --data data', 'no server runs on')
  })

  test('a configuration with faults, each with its JSON pointer', async () => {
    configure({ url: 'shop.git', tests: { kind: 'command' }, set: { batch: 1 } })
    const { code, err } = await home.run('serve --config mergeyard.json')
    expect(code).toBe(2)
    expect(err).toMatch(/\/queues\/0\/tests[^]*\/queues\/0\/set\/batch/)
  })

  test('a queue in which nearly every key is misspelled, each with the key that may be meant', async () => {
    home.write(
      'odd.json',
      '{ "queues": [{ "branch": "main", "test": "make", "targetbranch": "x" }] }',
    )
    const { code, err } = await home.run('serve --config odd.json')
    expect(code).toBe(2)
    expect(err.split('\n').slice(0, 5)).toEqual([
      'odd.json: /queues/0/url: expected the path or address of a git repository, or github, gitea or gitlab instead, got nothing',
      'odd.json: /queues/0/tests: expected how it is tested, like {"kind":"command","run":"npm test"}, got nothing',
      expect.stringMatching(/^odd\.json: \/queues\/0\/branch: expected no such key, only url, /),
      expect.stringMatching(/\/test: expected no such key \(did you mean tests\?\), only url, /),
      expect.stringMatching(/\/targetbranch: .* \(did you mean targetBranch\?\), only url, /),
    ])
  })

  test.each([{ run: 'true' }, { kind: 'shell', run: 'true' }])(
    'tests of no known kind: %j',
    async (tests) => {
      configure({ url: 'shop.git', tests })
      const words = '/tests/kind: expected one of command, external, host, got '
      await home.refuses('serve --config mergeyard.json', words)
    },
  )

  test('a command for targets that this machine does not have', async () => {
    const targets = { command: 'frobnicate' }
    configure({ url: 'shop.git', tests: { kind: 'external' }, targets })
    const words = 'targets: expected a command of which this machine has the program'
    await home.refuses('serve --config mergeyard.json --data data', words)
  })
})

describe('in a clone', () => {
  const clone = join(home.path, 'clone')
  const env = { HOME: home.path, INIT_CWD: clone }
  const at = (parsed: readonly string[] = [], places: NodeJS.ProcessEnv = env): string =>
    dataPathOf(
      parseOptions({ command: 'queue', npm: '', about: '', table: dataOption }, parsed, places),
      places,
    )

  beforeAll(async () => {
    await git(['clone', '--quiet', shop, clone])
  })

  /** Both say why: serve refuses it, doctor names the fault. */
  async function expectFault(repo: string, why: string): Promise<void> {
    await home.refuses(`serve --repo '${repo}' --test true --data '${data}'`, why, env)
    const { code, out } = await home.run(`doctor --repo '${repo}' --test true`, { env })
    expect({ code, out }).toEqual({ code: 1, out: expect.stringMatching(/^FAULT /m) })
    expect(out).toContain(why)
  }

  test.each(['serve', 'init', 'doctor', 'serve --repo origin --test true'])(
    '%s says whose clone it is',
    async (line) => {
      // For git itself, so that no test has to be root.
      vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', '1')
      // Where git speaks German.
      vi.stubEnv('LC_ALL', 'C.UTF-8')
      vi.stubEnv('LANGUAGE', 'de')
      onTestFinished(() => void vi.unstubAllEnvs())
      await home.refuses(line, `${clone} belongs to another user, and git does not work on it`, env)
    },
  )

  test('a repository that has the target branch checked out, as does doctor', () =>
    expectFault('.', `\`git -C "${clone}" config receive.denyCurrentBranch updateInstead\``))

  //
  test('a repository that is a shallow clone, as does doctor', async () => {
    const shallow = join(home.path, 'shallow.git')
    await git(['clone', '--quiet', '--bare', shop, shallow])
    // As `clone --depth 1` writes it.
    const tip = await git(['--git-dir', shallow, 'rev-parse', 'main'])
    writeFileSync(join(shallow, 'shallow'), tip)
    const why = `${shallow} is a shallow clone, which lacks older commits: name the repository that it is cloned from, in a clone with --repo origin, or fetch the rest with \`git -C "${shallow}" fetch`
    await expectFault(shallow, why)
  })

  test('a partial clone is a fault for doctor, in a line beside its other findings', async () => {
    const partial = join(home.path, 'partial.git')
    await git(['--git-dir', shop, 'config', 'uploadpack.allowFilter', 'true'])
    await git(['clone', '--quiet', '--bare', '--filter=blob:none', `file://${shop}`, partial])
    const { code, out } = await home.run(`doctor --repo partial.git --test make`)
    expect({ code, out }).toEqual({ code: 1, out: expect.stringMatching(/^ok +push/m) })
    expect(out).toMatch(
      /^FAULT +files +.* lacks [0-9a-f]{40}, as a partial clone does: name the repository that it is cloned from, or fetch/m,
    )
  })

  //
  test('a repository that names its commits by SHA-256, as does doctor', async () => {
    const longer = join(home.path, 'longer.git')
    await git(['init', '--quiet', '--bare', '--object-format=sha256', longer])
    const tree = (await git(['--git-dir', longer, 'mktree'])).trim()
    const who = { name: 'Ada', email: 'ada@example.com' }
    const commit = { tree, parents: [], message: 'Begin', author: who, date: '0 +0000' }
    await git(['-C', longer, 'update-ref', 'refs/heads/main', await commitTree(longer, commit)])
    const why = `${longer} names its commits by SHA-256: Mergeyard knows only names by SHA-1`
    await expectFault(longer, why)
  })

  test('submodules and files of LFS are named by doctor, before anything fails', async () => {
    const whole = join(home.path, 'whole.git')
    await git(['clone', '--quiet', '--bare', shop, whole])
    const attributes = '*.bin filter=lfs diff=lfs merge=lfs -text'
    const input = [
      'commit refs/heads/main\ncommitter Ada <ada@example.com> 1767603600 +0000\ndata 4\nMore',
      'from refs/heads/main^0',
      `M 160000 ${'1'.repeat(40)} lib/pay`,
      `M 100644 inline .gitattributes\ndata ${attributes.length}\n${attributes}\n`,
    ].join('\n')
    await git(['--git-dir', whole, 'fast-import', '--quiet'], { input })
    const doctor = (tests: string) => home.printed(['doctor', '--repo', whole, '--test', tests])
    const out = await doctor('node test.mjs')
    expect(out).toContain('let them do it: --test "git submodule update --init && node test.mjs"')
    expect(out).toContain('files of LFS: test runs do not fetch them')
    const fetching = await doctor('git submodule update --init && node test.mjs')
    expect(fetching).toContain('lib/pay: the test command fetches them')
  })

  test('a new data folder that git would commit, but not one that an older version has used', async () => {
    const why = 'one that git ignores: git would commit its tokens'
    await home.refuses('serve --repo origin --test true --data data', why, env)
    expect(existsSync(join(clone, 'data'))).toBe(false)

    const state = join(home.path, '.local', 'state', 'mergeyard')
    expect(dirname(at())).toBe(state)
    expect(at(['--data', 'data'])).toBe(join(clone, 'data'))
    writeFileSync(join(clone, '.git', 'info', 'exclude'), '/data/\n')
    expect(at()).toBe(join(clone, 'data'))
    mkdirSync(join(clone, 'data', 'measured'), { recursive: true })
    expect(dirname(at())).toBe(state)
    mkdirSync(join(clone, 'data', 'log'))
    expect(at()).toBe(join(clone, 'data'))
    writeFileSync(join(clone, '.git', 'info', 'exclude'), '')
    expect(dirname(at())).toBe(state)
    writeFileSync(join(clone, 'data', 'log', '00000001.jsonl'), '')
    expect(at()).toBe(join(clone, 'data'))
    rmSync(join(clone, 'data'), { recursive: true })
  })

  //
  test('no home or folder of states that is named in the work tree', () => {
    for (const place of ['', '.', '.state'])
      expect(at([], { ...env, XDG_STATE_HOME: place })).toBe(at())
    for (const HOME of ['', '.', undefined])
      expect(at([], { ...env, HOME }).startsWith(join(userInfo().homedir, '.local/'))).toBe(true)
  })

  test('nothing else in the hook of a clone: that says what is there, and not in another folder', () => {
    vi.stubEnv('GIT_DIR', join(clone, '.git'))
    vi.stubEnv('GIT_OBJECT_DIRECTORY', join(home.path, 'quarantine'))
    onTestFinished(() => void vi.unstubAllEnvs())
    const beside = { ...env, INIT_CWD: home.path }
    expect(at([], beside)).toBe(join(home.path, 'data'))
    expect(addressOfRemote(home.path, 'origin')).toBe(null)
    expect(addressOfRemote(clone, 'origin')).toBe(shop)
  })
})

describe('doctor', () => {
  const address = encodeURI(`file://${shop}`)

  // As git finds it: what was cloned as ../shop can be ../shop.git.
  test.each(['shop.git', 'shop', address, address.replace('.git', '')])(
    'finds nothing wrong with a repository that can be pushed to: %s',
    async (name) => {
      const out = await home.printed(`doctor --repo '${name}' --test true`)
      expect(out).toMatch(/^ok +repository +can be read: 1 pull request, 0 below queue\/$/m)
      expect(out).toMatch(/^ok +push +is allowed/m)
      expect(readFrom([{ url: name, tests }]).map(({ url }) => url)).toEqual([shop])
    },
  )

  test('names each fault, and exits with 1', async () => {
    mkdirSync(join(home.path, 'empty'))
    const { code, out } = await home.run('doctor --repo empty --test frobnicate --json')
    expect(code).toBe(1)
    const checks: { what: string; isOk: boolean }[] = JSON.parse(out)
    const faults = checks.filter(({ isOk }) => !isOk).map(({ what }) => what)
    expect(faults).toEqual(['repository', 'test command'])
  })

  test('says of several queues which one lacks something', async () => {
    const queue = { url: 'shop.git', tests: { kind: 'command', run: 'true' } }
    const other = { ...queue, repo: { host: 'local', owner: 'acme', name: 'docs' } }
    home.write('two.json', JSON.stringify({ queues: [queue, { ...other, url: 'nowhere.git' }] }))
    const { out } = await home.run('doctor --config two.json')
    expect(out).toMatch(/^ok +shop:main +push +is allowed/m)
    expect(out).toMatch(/^FAULT +docs:main +repository +git ls-remote failed/m)
  })
})

// What queues are read from mergeyard.json, and from options.

const tests = { kind: 'command', run: 'true' }

function readFrom(queues: readonly object[], env: NodeJS.ProcessEnv = {}) {
  configure(...queues)
  return readConfiguration(join(home.path, 'mergeyard.json'), 'mergeyard.json', env)
}

const gitHubToken = { MERGEYARD_GITHUB_TOKEN: 'secret' }

//
test('paths of mergeyard.json begin in its folder, and no test sees its files with secrets', () => {
  for (const name of ['token', 'hook', 'key']) home.write(name, 'secret')
  const command = { ...tests, bind: ['cache', '/run/docker.sock'] }
  const secrets = { tokenFile: 'token', webhookSecretFiles: ['hook'] }
  const app = { id: 1, keyFile: 'key' }
  const read = readFrom([
    { github: { repo: 'acme/shop', app }, tests: command },
    { gitea: { repo: 'https://git.example.com/acme/shop', ...secrets }, tests: command },
    { url: 'shop.git', tests: { ...command, bind: [], limits: { diskMiB: 5 } } },
  ])
  const inHome = (...names: string[]): string[] => names.map((name) => join(home.path, name))
  expect(read.map(({ secretFiles }) => secretFiles)).toEqual([
    inHome('key'),
    inHome('token', 'hook'),
    [],
  ])
  const bound = [...inHome('cache'), '/run/docker.sock']
  expect(read.map((queue) => queue.tests)).toMatchObject([
    { bind: bound },
    { bind: bound },
    { bind: [], limits: { diskMiB: 5 } },
  ])
})

test('two queues of one name are refused, also of two repositories in folders of one name', () => {
  const queues = ['one/web/shop.git', 'two/web/shop.git'].map((url) => ({ url, tests }))
  const words = 'mergeyard.json: /queues/1: expected each queue once; of two repositories'
  expect(() => readFrom(queues)).toThrow(words)
})

//
test('hosts of mergeyard.json are read without regard to letter case, as those of requests', () => {
  const own = { url: 'shop.git', repo: { host: 'Git.Example.com', owner: 'Acme', name: 'Shop' } }
  const enterprise = { repo: 'acme/mall', api: 'https://git.acme.example/api/v3/' }
  const queues = [
    { ...own, tests },
    { github: { repo: 'acme/shop', host: 'GitHub.com' } },
    { github: enterprise },
  ]
  expect(readFrom(queues, gitHubToken)).toMatchObject([
    { ref: { host: 'git.example.com', owner: 'Acme', name: 'Shop' } },
    { ref: { host: 'github.com' }, codeHost: { api: 'https://api.github.com' } },
    // Octokit puts a slash behind it.
    { codeHost: { api: 'https://git.acme.example/api/v3' } },
  ])
})

//
test('an empty file proves no webhook, and is refused', () => {
  home.write('hook', '\n')
  const queue = { github: { repo: 'acme/shop', webhookSecretFiles: ['hook'] } }
  const words = 'hook: expected a file with a secret'
  expect(() => readFrom([queue], gitHubToken)).toThrow(words)
})

//
test('the queue of a new repository is adaptive, unless the file says documented', () => {
  const queues = [{ url: 'shop.git' }, { url: 'mall.git', set: { policy: 'documented' } }]
  const read = readFrom(queues.map((each) => ({ ...each, tests })))
  const policies = read.map(({ set }) => configurationWith(creationOf(set).set).policy)
  expect(policies).toEqual(['adaptive', 'documented'])
})

test('the options name paths from where the command is called, and limits by name', async () => {
  const more = '--bind cache --bind /srv --limit processes=5 --limit diskMiB=6'
  const parsed = parseOptions(usage, `--repo . --test true ${more}`.split(' '), home.env)
  const bind = [join(home.path, 'cache'), '/srv']
  expect(await hostingIn('serve', parsed, home.env, data)).toMatchObject([
    { tests: { bind, limits: { processes: 5, diskMiB: 6 } } },
  ])
})
