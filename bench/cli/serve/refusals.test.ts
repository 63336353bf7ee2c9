/** What serve and doctor say about input that cannot work: a line, exit code 2, and nothing has changed. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { git } from '../../../server/git/git.ts'
import { parseOptions } from '../../../server/terminal/options.ts'
import { makeRepository } from '../../stage/repository.ts'
import { dataOption, dataPathOf } from '../../../server/cli/place.ts'
import { CliFolder } from '../testing/cli-folder.ts'
import { readConfiguration } from '../../../server/cli/configuration.ts'
import { configurationWith } from '../../../engine/index.ts'
import { creationOf } from '../../../server/hosting/hosts.ts'
import { hostingIn, usage } from '../../../server/cli/serve.ts'

const home = new CliFolder()
const shop = join(home.path, 'shop.git')
const data = join(home.path, 'data')

beforeAll(() => makeRepository(shop, [{ number: 1 }]))
afterAll(() => home.remove())

const testing = ['--test', 'node test.mjs', '--data', data, '--port', '0']

describe('serve refuses', () => {
  test.each([
    [
      ['--test', 'true'],
      '--repo: expected the repository, as a path or an address, or a mergeyard.json here',
    ],
    [['--repo', shop], '--test: expected the test command, such as "npm test", got nothing'],
    [
      ['--repo', 'nowhere', ...testing],
      'expected a path that exists, an address, or a remote of the clone in this folder, got --repo nowhere',
    ],
    [['--repo', home.path, ...testing], 'does not appear to be a git repository'],
    [['--repo', shop, '--branch', 'release', ...testing], 'has no branch release: it has main'],
    [
      ['--repo', shop, '--test', 'frobnicate --all', '--data', data],
      '--test: expected a command of which this machine has the program frobnicate',
    ],
    [
      ['--repo', shop, ...testing, '--batch', '0'],
      'expected a whole number from 1 to 1000, got --batch 0',
    ],
    [
      ['--repo', shop, ...testing, '--timeout', '1h'],
      'expected a whole number from 1 to 10080, got --timeout 1h',
    ],
    [
      ['--repo', shop, ...testing, '--limit', 'memory=5'],
      '--limit: expected one of processes, memoryMiB, diskMiB, then = and a whole number from 1, got memory=5',
    ],
    [
      ['--repo', shop, '--config', 'x.json'],
      'expected either --config or --repo, got --config x.json',
    ],
    [
      ['--repo', shop, ...testing, '--store', 'postgres://db/mergeyard', '--keep-days', '3'],
      'no --keep-days: it is about a data folder',
    ],
    [
      ['--repo', shop, ...testing, '--store', 'db/mergeyard'],
      'expected an address such as postgres://user@host/database',
    ],
  ])('%j', async (args, words) => {
    const { code, out, err } = await home.run(['serve', ...args])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(words)
    expect(
      err
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('{')),
    ).toHaveLength(1)
  })

  test('a configuration with faults, each with its JSON pointer', async () => {
    const file = join(home.path, 'mergeyard.json')
    const queue = { url: 'shop.git', tests: { kind: 'command' }, set: { batch: 1 } }
    writeFileSync(file, JSON.stringify({ queues: [queue] }))
    const { code, err } = await home.run(['serve', '--config', file])
    expect(code).toBe(2)
    expect(err).toContain('/queues/0/tests')
    expect(err).toContain('/queues/0/set/batch')
  })

  test.each([{ run: 'true' }, { kind: 'shell', run: 'true' }])(
    'tests of no known kind, in one line that says which there are: %j',
    async (unknown) => {
      const file = join(home.path, 'mergeyard.json')
      const queue = { url: 'shop.git', tests: unknown }
      writeFileSync(file, JSON.stringify({ queues: [queue] }))
      const { err } = await home.run(['serve', '--config', file])
      const lines = err.split('\n').filter((line) => line.includes('/tests'))
      expect(lines).toEqual([
        expect.stringContaining('/tests/kind: expected one of command, external, host, got '),
      ])
    },
  )

  test('a command for targets that this machine does not have', async () => {
    const targets = { command: 'frobnicate' }
    const queue = { url: 'shop.git', tests: { kind: 'external' }, targets }
    writeFileSync(join(home.path, 'mergeyard.json'), JSON.stringify({ queues: [queue] }))
    const args = ['--config', join(home.path, 'mergeyard.json'), '--data', data]
    const { code, err } = await home.run(['serve', ...args])
    expect(code).toBe(2)
    expect(err).toContain('targets: expected a command of which this machine has the program')
    expect(existsSync(data)).toBe(false)
  })

  test('and leaves no server behind that commands could find', async () => {
    const args = ['--repo', shop, '--branch', 'release', ...testing]
    await home.run(['serve', ...args])
    expect(existsSync(data)).toBe(false)
    const { code, err } = await home.run(['queue', '--data', data])
    expect(code).toBe(2)
    expect(err).toContain('no server runs on')
  })
})

describe('in a clone', () => {
  const clone = join(home.path, 'clone')
  const at = (parsed: readonly string[] = []): string =>
    dataPathOf(
      parseOptions({ command: 'queue', npm: '', about: '', table: dataOption }, parsed, env),
      env,
    )
  const env = { HOME: home.path, INIT_CWD: clone }

  beforeAll(async () => {
    await git(['clone', '--quiet', shop, clone])
  })

  test('a repository that has the target branch checked out, as does doctor', async () => {
    const why = `${clone} has main checked out, and git refuses a push to that`
    const args = ['--repo', '.', '--test', 'node test.mjs']
    const refused = await home.run(['serve', ...args, '--data', data], env)
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining(why) })
    const looked = await home.run(['doctor', ...args], env)
    expect(looked).toMatchObject({ code: 1, out: expect.stringContaining(`FAULT  push`) })
    expect(looked.out).toContain(why)
  })

  //
  test('a repository that is a shallow clone, as does doctor', async () => {
    const shallow = join(home.path, 'shallow.git')
    await git(['clone', '--quiet', '--bare', shop, shallow])
    // As `clone --depth 1` writes it.
    const tip = await git(['--git-dir', shallow, 'rev-parse', 'main'])
    writeFileSync(join(shallow, 'shallow'), tip)
    const args = ['--repo', shallow, '--test', 'node test.mjs']
    const why = `${shallow} is a shallow clone, which lacks older commits: name the repository`
    const refused = await home.run(['serve', ...args, '--data', data], env)
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining(why) })
    const looked = await home.run(['doctor', ...args], env)
    expect(looked).toMatchObject({ code: 1, out: expect.stringContaining(why) })
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
    const doctor = (command: string) => home.run(['doctor', '--repo', whole, '--test', command])
    const { code, out } = await doctor('node test.mjs')
    expect(code).toBe(0)
    expect(out).toContain('let them do it: --test "git submodule update --init && node test.mjs"')
    expect(out).toContain('files of LFS: test runs do not fetch them')
    const fetching = await doctor('git submodule update --init && node test.mjs')
    expect(fetching.out).toContain('lib/pay: the test command fetches them')
  })

  test('a new data folder that git would commit, but not one that an older version has used', async () => {
    const args = ['serve', '--repo', 'origin', '--test', 'node test.mjs', '--data', 'data']
    const { code, err } = await home.run(args, env)
    expect(code).toBe(2)
    expect(err).toContain('one that git ignores: git would commit its tokens')
    expect(existsSync(join(clone, 'data'))).toBe(false)

    const state = join(home.path, '.local', 'state', 'mergeyard')
    expect(dirname(at())).toBe(state)
    expect(at(['--data', 'data'])).toBe(join(clone, 'data'))
    writeFileSync(join(clone, '.git', 'info', 'exclude'), '/data/\n')
    expect(at()).toBe(join(clone, 'data'))
    writeFileSync(join(clone, '.git', 'info', 'exclude'), '')
    mkdirSync(join(clone, 'data', 'log'), { recursive: true })
    expect(dirname(at())).toBe(state)
    writeFileSync(join(clone, 'data', 'log', '00000001.jsonl'), '')
    expect(at()).toBe(join(clone, 'data'))
  })
})

describe('doctor', () => {
  test('finds nothing wrong with a repository that can be pushed to', async () => {
    const { code, out } = await home.run(['doctor', '--repo', shop, '--test', 'node test.mjs'])
    expect(code).toBe(0)
    expect(out).toMatch(/^ok +repository +can be read: 1 pull request, 0 below queue\/$/m)
    expect(out).toMatch(/^ok +push +is allowed/m)
  })

  test('names each fault, and exits with 1', async () => {
    const empty = join(home.path, 'empty')
    mkdirSync(empty, { recursive: true })
    const args = ['doctor', '--repo', empty, '--test', 'frobnicate', '--json']
    const { code, out } = await home.run(args)
    expect(code).toBe(1)
    const checks: { what: string; isOk: boolean }[] = JSON.parse(out)
    const faults = checks.filter(({ isOk }) => !isOk).map(({ what }) => what)
    expect(faults).toEqual(['repository', 'test command'])
  })
})

// What queues are read from mergeyard.json, and from options.

//
test('paths of mergeyard.json begin in its folder, and no test sees its files with secrets', () => {
  for (const name of ['token', 'hook', 'key']) home.write(name, 'secret')
  const command = { kind: 'command', run: 'make', bind: ['cache', '/run/docker.sock'] }
  const secrets = { tokenFile: 'token', webhookSecretFiles: ['hook'] }
  const app = { id: 1, keyFile: 'key' }
  const queues = [
    { github: { repo: 'acme/shop', app }, tests: command },
    { gitea: { repo: 'https://git.example.com/acme/shop', ...secrets }, tests: command },
    { url: 'shop.git', tests: { ...command, bind: [], limits: { diskMiB: 5 } } },
  ]
  home.write('mergeyard.json', JSON.stringify({ queues }))
  const read = readConfiguration(join(home.path, 'mergeyard.json'), 'mergeyard.json', {})
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

//
test('the queue of a new repository is adaptive, unless the file says documented', () => {
  const queues = [{ url: 'shop.git' }, { url: 'mall.git', set: { policy: 'documented' } }]
  const tests = { kind: 'command', run: 'make' }
  home.write(
    'mergeyard.json',
    JSON.stringify({ queues: queues.map((each) => ({ ...each, tests })) }),
  )
  const read = readConfiguration(join(home.path, 'mergeyard.json'), 'mergeyard.json', {})
  const policies = read.map(({ set }) => configurationWith(creationOf(set).set).policy)
  expect(policies).toEqual(['adaptive', 'documented'])
})

test('the options name paths from where the command is called, and limits by name', () => {
  const more = [
    '--bind',
    'cache',
    '--bind',
    '/srv',
    '--limit',
    'processes=5',
    '--limit',
    'diskMiB=6',
  ]
  const env = { INIT_CWD: home.path }
  const parsed = parseOptions(usage, ['--repo', '.', '--test', 'make', ...more], env)
  expect(hostingIn('serve', parsed, env)).toMatchObject([
    {
      tests: {
        bind: [join(home.path, 'cache'), '/srv'],
        limits: { processes: 5, diskMiB: 6 },
      },
    },
  ])
})
