import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { benchWith, made } from './testing/bench.ts'
import { main, makeBare, write } from '../git/testing/commits.ts'
import { canMount, withMounts } from '../testing/disks.ts'
import { verdictOf, type Exit } from './verdict.ts'

test('the exit code of the command is the verdict, and its output is the log', async () => {
  const { test: run, log } = await benchWith(
    { command: 'cat shop.txt; echo done >&2; test -e good.txt' },
    { 'shop.txt': 'closed\n' },
    { 'shop.txt': 'open\n', 'good.txt': '' },
  )
  expect(await run(0)).toMatchObject({
    outcome: 'failed',
    failedTests: [{ name: 'cat shop.txt; echo done >&2; test -e good.txt' }],
    words: 'the test command ended with 1',
  })
  expect(log()).toContain('closed\ndone\nfailed: the test command ended with 1\n')
  expect(await run(1)).toMatchObject({ outcome: 'passed', failedTests: [] })
  expect(log()).toContain('open\ndone\npassed: the tests pass\n')
})

test('a command sees its pull requests, and not what the server has in its environment', async () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('npm_config_token', 'secret')
  vi.stubEnv('SHOP_KEY', 'key')
  vi.stubEnv('NODE_OPTIONS', process.env['NODE_OPTIONS'] ?? '')
  const { test: run, log, folder } = await benchWith({ command: 'env', environment: ['SHOP_KEY'] })
  await run()
  const variables = log().split('\n')
  expect(variables).toContain('MERGEYARD_PULLS=5,7')
  expect(variables).toContain('MERGEYARD_BASE=below')
  expect(variables).toEqual(expect.arrayContaining(['CI=true', 'TERM=dumb']))
  expect(variables).toContain('SHOP_KEY=key')
  expect(variables).toContain(`TMPDIR=${join(folder, 'slots/0/home/tmp')}`)
  expect(variables.filter((line) => /^(npm_|NODE_|GIT_|VITEST)/.test(line))).toEqual([])
})

test('a command finds what a version manager has installed in the home of the user', async () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  const home = temporaryFolder()
  const toolchain = join(home, '.rustup', 'toolchain')
  mkdirSync(dirname(toolchain))
  writeFileSync(toolchain, 'stable')
  vi.stubEnv('HOME', home)
  vi.stubEnv('RUSTUP_HOME', undefined)
  vi.stubEnv('VOLTA_HOME', undefined)
  const command = 'cat "$RUSTUP_HOME/toolchain"; echo; env'
  const { test: run, log } = await benchWith({ command })
  await run()
  const lines = log().split('\n')
  expect(lines).toContain('stable')
  expect(lines.filter((line) => line.startsWith('VOLTA_HOME'))).toEqual([])
})

test('the verdict of a report counts although the command succeeded', async () => {
  const failed = [{ name: 'pays twice', file: 'pay.test.ts' }]
  const { test: run } = await benchWith({
    command: 'echo "<testsuite/>" > report.xml',
    junit: ['*.xml'],
    readReports: (folder) => {
      expect(existsSync(join(folder, 'report.xml'))).toBe(true)
      return Promise.resolve({ failed, flaky: [] })
    },
  })
  expect(await run()).toMatchObject({ outcome: 'failed', failedTests: failed })
})

test('given a report that cannot be read, the exit code decides', async () => {
  const { test: run, log } = await benchWith({
    command: 'true',
    junit: ['*.xml'],
    readReports: () => Promise.reject(new Error('no permission')),
  })
  expect(await run()).toMatchObject({ outcome: 'passed' })
  expect(log()).toContain('the reports cannot be read: Error: no permission')
})

test('a run starts without what an earlier one left; without a setup nothing is kept', async () => {
  const command = 'ls -A; ls -A "$HOME"; touch left.txt shop.txt "$HOME/left"; mkdir -p cache/a .b'
  const { test: run, log } = await benchWith({ command, keep: ['cache'] })
  await run(0, 'first')
  await run(0, 'second')
  const listed = log('second').split('\n').slice(1, -2)
  expect(listed).toEqual(['.git', 'shop.txt', 'tmp'])
})

test('given that nothing is kept, the setup runs each time', async () => {
  const { test: run } = await benchWith({ command: 'test -e made', setup: 'touch made' })
  expect(await run()).toMatchObject({ outcome: 'passed' })
  expect(await run()).toMatchObject({ outcome: 'passed' })
})

test('a setup that fails twice is nobody’s failure, and runs again the next time', async () => {
  const outside = temporaryFolder()
  const { test: run, log } = await benchWith({
    command: 'true',
    setup: `echo tries; test -e '${outside}/ok'`,
    keep: ['cache'],
    bind: [outside],
  })
  expect(await run()).toMatchObject({
    outcome: 'errored',
    words: 'the setup command failed 2 times',
  })
  expect(log().match(/^tries$/gm)).toHaveLength(2)
  expect(log()).toMatch(/^errored: the setup command failed 2 times$/m)
  writeFileSync(join(outside, 'ok'), '')
  expect(await run()).toMatchObject({ outcome: 'passed' })
})

test.each(['rm -rf "$HOME"', 'rm -rf "$PWD"', 'cd ..; rm -rf tree; ln -s /no/such tree; false'])(
  'a setup that removes the folders of its run, %s, is no fault of the machine',
  async (setup) => {
    const { test: run } = await benchWith(
      { bubblewrap: false, command: 'true', setup, keep: ['cache'] },
      { 'yarn.lock': '1\n' },
    )
    expect(await run()).toMatchObject({
      outcome: 'errored',
      words: 'the setup command has removed the folders of the run',
    })
  },
)

test('given a link without an end among the inputs of the setup, the run goes on', async () => {
  const { test: run } = await benchWith({
    command: 'rm -f lock; ln -s /dev/zero lock',
    setup: 'rm -f lock; ln -s /dev/zero lock',
    setupWhen: ['lock', 'src'],
    keep: ['lock', 'src'],
  })
  expect(await run()).toMatchObject({ outcome: 'passed' })
  expect(await run()).toMatchObject({ outcome: 'passed' })
})

test('runs at the same time have different slots', async () => {
  const folder = temporaryFolder()
  const gate = join(folder, 'gate')
  const command = `pwd > '${gate}'-$MERGEYARD_RUN; until test -e '${gate}'; do sleep 0.01; done`
  const { test: run } = await benchWith({ command, bind: [folder] })
  const runs = [run(0, 'a'), run(0, 'b')]
  await Promise.all([made(`${gate}-a`), made(`${gate}-b`)])
  writeFileSync(gate, '')
  for (const verdict of await Promise.all(runs))
    expect(verdict).toMatchObject({ outcome: 'passed' })
  expect(readFileSync(`${gate}-a`, 'utf8')).not.toBe(readFileSync(`${gate}-b`, 'utf8'))
})

//
test('with too little room on the disk, nothing is tested', async () => {
  const { test: run, folder } = await benchWith({
    command: 'touch "$HOME/ran"',
    leastFreeBytes: Number.MAX_SAFE_INTEGER,
  })
  await expect(run()).rejects.toThrow('too little of the disk is free')
  expect(existsSync(join(folder, 'slots/0'))).toBe(false)
})

test('a commit that the mirror does not have is a fault, and frees its slot', async () => {
  const { runner, test: run, folder } = await benchWith({ command: 'true' })
  const missing = { id: 'missing', commit: '1'.repeat(40), numbers: [1], base: '' }
  await expect(runner.test(missing)).rejects.toThrow('git read-tree failed')
  expect(await run()).toMatchObject({ outcome: 'passed' })
  expect(existsSync(join(folder, 'slots/1'))).toBe(false)
})

test('a log that cannot be opened is a fault, and frees its slot', async () => {
  const { runner, test: run, folder } = await benchWith({ command: 'true' })
  mkdirSync(runner.logOf('a folder'))
  await expect(run(0, 'a folder')).rejects.toThrow('EISDIR')
  expect(await run()).toMatchObject({ outcome: 'passed' })
  expect(existsSync(join(folder, 'slots/1'))).toBe(false)
})

const program = fileURLToPath(new URL('./testing/full-disk-program.js', import.meta.url))

const full =
  'Error: too little of the disk is free for a test run: make room, at least 1 GiB and 1 % of its inodes'

//
test.runIf(canMount())('a run that fills the disk has no verdict', async () => {
  const folder = temporaryFolder()
  const mirror = join(folder, 'mirror.git')
  makeBare(mirror)
  const [commit = ''] = await write(mirror, { ref: main, files: { 'shop.txt': 'open\n' } })
  expect(await withMounts(program, folder, mirror, commit)).toEqual({
    told: [full, full, 'passed', full, 'passed', 'passed'],
    // It is said once.
    words: [
      expect.stringMatching(
        /^slot 0 cannot be emptied, so another one takes its place: .* is mounted in it: unmount it$/,
      ),
    ],
    slots: ['0', '1'],
    closed: ['0'],
  })
})

const filled = fileURLToPath(new URL('./testing/filled-disk-program.js', import.meta.url))

//
test.runIf(canMount())('a disk that a test run has filled is no obstacle to a start', async () => {
  expect(await withMounts(filled, temporaryFolder())).toEqual({ said: 'started', left: [] })
})

const none = { failed: [], flaky: [] }
const exit = (code: number): Exit => ({ code, signal: null })
const signalled = (signal: string): Exit => ({ code: null, signal })

test.each<[string, Exit, string]>([
  ['success', exit(0), 'passed'],
  ['failure', exit(1), 'failed'],
  ['a crash of the tests', signalled('SIGSEGV'), 'failed'],
  ['a crash that the shell reports', exit(139), 'failed'],
  ['too little memory', signalled('SIGKILL'), 'errored'],
  ['too little memory, that the shell reports', exit(137), 'errored'],
  ['an end from outside', signalled('SIGTERM'), 'errored'],
  ['a command that does not exist', exit(127), 'errored'],
  ['a command that is not a program', exit(126), 'errored'],
])('%s: %o is %s', (_, end, outcome) => {
  const verdict = verdictOf(end, none, 'npm test')
  expect(verdict.outcome).toBe(outcome)
  expect(verdict.failedTests).toEqual(outcome === 'failed' ? [{ name: 'npm test' }] : [])
})

test('a report names the tests, and its failures count against the exit code', () => {
  const reports = { failed: [{ name: 'pays twice' }], flaky: [{ name: 'opens' }] }
  expect(verdictOf(exit(0), reports, 'npm test')).toEqual({
    outcome: 'failed',
    failedTests: [{ name: 'pays twice' }],
    flakyTests: [{ name: 'opens' }],
    words: 'the test command succeeded, but its report has failures',
  })
})

test('a test that failed in one report is not flaky because of another one', () => {
  const reports = { failed: [{ name: 'pays' }], flaky: [{ name: 'pays' }, { name: 'opens' }] }
  expect(verdictOf(exit(1), reports, 'npm test').flakyTests).toEqual([{ name: 'opens' }])
})

test('of very many failed tests, as many are told as the API takes', () => {
  const failed = Array.from({ length: 100_000 }, (_, index) => ({ name: `test ${index}` }))
  const verdict = verdictOf(exit(1), { failed, flaky: failed }, 'npm test')
  expect(verdict.failedTests).toEqual(failed.slice(0, 3_000))
})

//
test('a name that a pull request has made as long as a book is cut', () => {
  const failed = [
    { name: 'n'.repeat(12_000_000), file: 'f'.repeat(901) },
    { name: 'n'.repeat(900) },
  ]
  expect(verdictOf(exit(1), { failed, flaky: [] }, 'npm test').failedTests).toEqual([
    { name: `${'n'.repeat(899)}…`, file: `${'f'.repeat(899)}…` },
    { name: 'n'.repeat(900) },
  ])
})
