import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { touched } from './slot-files.ts'
import { benchWith } from './testing/bench.ts'

test('a file that attributes convert is as in a clone of each commit', async () => {
  const eol = '*.txt eol=crlf\n'
  const { test: run, log } = await benchWith(
    { command: 'od -c a.txt', fewestCarried: 0 },
    { 'a.txt': 'a\n' },
    { 'a.txt': 'a\n', '.gitattributes': eol },
    { '.gitattributes': null },
  )
  const isConverted = async (commit: number): Promise<boolean> => {
    await run(commit)
    return log().includes('\\r')
  }
  expect(await isConverted(0)).toBe(false)
  expect(await isConverted(1)).toBe(true)
  expect(await isConverted(1)).toBe(true)
  expect(await isConverted(2)).toBe(false)
})

test('the objects of a mirror are found below a folder with a line break in its name', async () => {
  const folder = join(temporaryFolder(), 'two\nlines')
  mkdirSync(folder)
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { test: run } = await benchWith({ command: 'git log -1' })
  expect(await run(0, 'run')).toMatchObject({ outcome: 'passed' })
})

test('after a restart of the server a slot is made anew', async () => {
  const bench = await benchWith({ command: 'ls -A' })
  const slot = join(bench.folder, 'slots/0')
  mkdirSync(join(slot, 'tree/.git'), { recursive: true })
  for (const name of ['setup', 'tree/left.txt', 'tree/.git/HEAD'])
    writeFileSync(join(slot, name), '')
  symlinkSync('/', join(slot, 'home'))
  await bench.test()
  expect(bench.log().split('\n').slice(1, 3)).toEqual(['.git', 'shop.txt'])
  expect(readdirSync(slot).sort()).toEqual(['home', 'tree'])
})

test('what a server that was killed had put aside is removed at the next start', async () => {
  const slots = temporaryFolder()
  const inside = join(slots, 'removed-by-nobody/slot/tree')
  mkdirSync(inside, { recursive: true })
  writeFileSync(join(inside, 'built.o'), '')
  chmodSync(inside, 0o500)
  const { test: run, runner } = await benchWith({ command: 'true', slots })
  await run()
  await runner.close()
  expect(readdirSync(slots)).toEqual(['0'])
})

const setup =
  'echo installs; mkdir -p node_modules; cp *lock* node_modules/; echo x > node_modules/a'

/** Runs commits in order; true where the setup ran. */
async function installs(
  {
    commands,
    options = {},
    sets,
  }: {
    readonly commands: string
    readonly options?: object
    readonly sets: readonly Record<string, string>[]
  },
  ...order: readonly number[]
): Promise<boolean[]> {
  const bench = await benchWith(
    { command: commands, setup, keep: ['node_modules'], ...options },
    ...sets,
  )
  const found: boolean[] = []
  for (const commit of order) {
    await bench.test(commit)
    found.push(bench.log().includes('\ninstalls\n'))
  }
  return found
}

// B4
test('the setup runs again when a lock file has changed, or what setupWhen names', async () => {
  const watched = [
    ...[
      'package-lock.json',
      'yarn.lock',
      'pnpm-lock.yaml',
      'bun.lock',
      'Pipfile.lock',
      'poetry.lock',
    ],
    ...['uv.lock', 'go.sum', 'Cargo.lock', 'Gemfile.lock', 'composer.lock', 'deps/versions.lock'],
    'deps/line\nend',
  ]
  const options = { setupWhen: ['deps'] }
  const sets = [
    Object.fromEntries(watched.map((name) => [name, '1\n'])),
    { 'unwatched.txt': '2\n' },
    ...watched.map((name) => ({ [name]: '2\n' })),
  ]
  const again = watched.map((_, index) => 2 + index)
  const found = await installs({ commands: 'true', options, sets }, 0, 1, ...again)
  expect(found).toEqual([true, false, ...again.map(() => true)])
})

test('given that no lock file is known, the setup runs each time', async () => {
  const sets = [{ 'package.json': '{}', 'unlocked.txt': '' }]
  expect(await installs({ commands: 'true', sets }, 0, 0)).toEqual([true, true])
})

test.each([
  ['changes them', 'echo y > node_modules/a; exit 1', true],
  ['changes them and passes', 'echo y > node_modules/a', true],
  [
    'keeps size and time',
    'touch -r node_modules/a t; echo y > node_modules/a; touch -r t node_modules/a',
    true,
  ],
  ['removes one', 'rm node_modules/a', true],
  ['only adds files', 'mkdir -p node_modules/.cache; touch node_modules/.cache/x; exit 1', false],
])('after a run that %s, the next gets what the setup made', async (_, command, again) => {
  const commands = `test "$(cat node_modules/a)" = x && test ! -e node_modules/.cache || exit 2; ${command}`
  const sets = [{ 'yarn.lock': '' }]
  expect(await installs({ commands, sets }, 0, 0)).toEqual([true, again])
})

test('given a system time that is set back during a run, the next gets what the setup made', async () => {
  let aheadMs = 3_600_000
  const bench = await benchWith(
    {
      command: 'test "$(cat node_modules/a)" = x && echo y > node_modules/a',
      setup,
      keep: ['node_modules'],
      fileTime: (folder) => touched(folder) + aheadMs,
    },
    { 'yarn.lock': '' },
  )
  expect(await bench.test()).toMatchObject({ outcome: 'passed' })
  aheadMs = 0
  expect(await bench.test()).toMatchObject({ outcome: 'passed' })
})

test('dependencies that the code of a pull request made do not reach one that is not on top of it', async () => {
  const sets = [{ 'yarn.lock': '' }, { 'other.txt': '' }]
  expect(await installs({ commands: 'true', sets }, 0, 1)).toEqual([true, false])
  expect(await installs({ commands: 'true', sets }, 1, 0)).toEqual([true, true])
})
