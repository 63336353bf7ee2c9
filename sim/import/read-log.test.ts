import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { findBranch, readLog } from './read-log.ts'
import { temporaryFolder } from '../../server/terminal/testing/temporary-folder.ts'

const home = temporaryFolder()

const inHome = (name: string): string => join(home, name)
const source = inHome('source')

/** Runs git. Returns what it prints. */
function git(...args: string[]): string {
  const person = ['user.name=somebody', 'user.email=somebody@example.org']
  // Git 3 reads no bare repository that it finds.
  const settings = [...person, 'safe.bareRepository=all'].flatMap((each) => ['-c', each])
  return execFileSync('git', [...settings, ...args], {
    cwd: home,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
}

function commit(repo: string, subject: string): void {
  git('-C', repo, 'commit', '-q', '--allow-empty', '-m', subject)
}

function clone(name: string, ...options: string[]): string {
  git('clone', '-q', ...options, `file://${source}`, name)
  return inHome(name)
}

const all = { last: 500, withReleases: false, withoutBots: false }
const read = (folder: string) => readLog({ folder, branch: null, source: folder }, all)

beforeAll(() => {
  git('init', '-q', '-b', 'trunk', source)
  git('-C', source, 'config', 'uploadpack.allowFilter', 'true')
  commit(source, 'Begin')
  const file = git('-C', source, 'hash-object', '-w', '--', '/dev/null')
  git('-C', source, 'update-index', '--add', '--cacheinfo', `100644,${file},web/shop.ts`)
  commit(source, 'Add the shop (#7)\n\nWith \u0001 and \u0002, as git takes them.')
})

test('a bare repository is read that is named where git takes no other, and in the hook of another', () => {
  const settings = inHome('careful')
  writeFileSync(settings, '[safe]\n\tbareRepository = explicit\n')
  const bare = clone('careful.git', '--bare')
  vi.stubEnv('GIT_CONFIG_GLOBAL', settings)
  vi.stubEnv('GIT_DIR', inHome('hooked'))
  vi.stubEnv('GIT_OBJECT_DIRECTORY', inHome('quarantine'))
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(read(bare).landed.map(({ number }) => number)).toEqual([7])
})

test('a shallow clone is cut, and the commit where it ends, which seems to bring every file, landed nothing', () => {
  const whole = read(clone('whole'))
  const cut = read(clone('cut', '--depth', '1'))
  expect([whole.isCut, whole.landed.map(({ number }) => number)]).toEqual([false, [7]])
  expect([cut.isCut, cut.landed]).toEqual([true, []])
})

// S-275
test('the age of a base is the time from where a merge branched off to the merge', () => {
  const old = inHome('ages')
  const at = (minute: number, ...args: string[]): void => {
    const date = new Date(Date.UTC(2026, 2, 2, 9, minute)).toISOString()
    execFileSync(
      'git',
      ['-C', old, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args],
      {
        stdio: 'ignore',
        env: { ...process.env, GIT_COMMITTER_DATE: date, GIT_CONFIG_NOSYSTEM: '1' },
      },
    )
  }
  const write = (minute: number, subject: string): void =>
    at(minute, 'commit', '--allow-empty', '-m', subject)
  const merge = (minute: number, number: number): void =>
    at(
      minute,
      'merge',
      '--no-ff',
      '-m',
      `Merge pull request #${number} from a/${number}`,
      `${number}`,
    )
  git('init', '-q', '-b', 'main', old)
  write(0, 'Begin')
  for (const number of [1, 2]) {
    at(10, 'checkout', '-b', `${number}`, 'main')
    write(15, `Change ${number}`)
  }
  at(20, 'checkout', 'main')
  merge(20, 1)
  // 3 is written on the branch with 1, after a squash that has no base to see.
  write(25, 'Squashed (#4)')
  at(30, 'checkout', '-b', '3')
  write(31, 'Change 3')
  at(40, 'checkout', 'main')
  merge(50, 2)
  merge(60, 3)
  expect(read(old).baseAges).toEqual([20, 50, 35])
})

// S-205
describe('the branch', () => {
  test('is that of HEAD in a repository of its own, whatever its name', () => {
    expect(findBranch(source, null, 'x').name).toBe('trunk')
  })

  test('is the default branch of the origin in a clone, also while another is checked out', () => {
    const folder = clone('other')
    git('-C', folder, 'checkout', '-q', '-b', 'mine')
    commit(folder, 'Mine (#8)')
    expect(findBranch(folder, null, 'x')).toEqual(findBranch(source, 'trunk', 'x'))
  })

  test('is found in a bare clone', () => {
    expect(findBranch(clone('bare.git', '--bare'), null, 'x').name).toBe('trunk')
  })

  test('is main, then master, where HEAD leads nowhere', () => {
    const folder = clone('lost.git', '--bare')
    git('-C', folder, 'symbolic-ref', 'HEAD', 'refs/heads/gone')
    expect(() => findBranch(folder, null, 'x')).toThrow(
      'x: --git: expected a default branch; name one with --branch, got the branches trunk',
    )
    git('-C', folder, 'branch', 'master', 'trunk')
    expect(findBranch(folder, null, 'x').name).toBe('master')
    git('-C', folder, 'branch', 'main', 'trunk')
    expect(findBranch(folder, null, 'x').name).toBe('main')
  })

  test('may be one that only the origin has', () => {
    git('-C', source, 'branch', '-f', 'stable', 'trunk~1')
    const { hash } = findBranch(clone('remote'), 'stable', 'x')
    expect(hash).toBe(git('-C', source, 'rev-parse', 'stable'))
  })

  test('is refused if it begins with a dash, and writes no file', () => {
    const written = inHome('written')
    expect(() => findBranch(source, `--output=${written}`, 'x')).toThrow(
      'x: --branch: expected the name of a branch, which never begins with a dash',
    )
    expect(existsSync(written)).toBe(false)
  })
})

// S-206
describe('of a partial clone', () => {
  const missing = (folder: string): number =>
    git('-C', folder, 'rev-list', '--all', '--objects', '--missing=print')
      .split('\n')
      .filter((line) => line.startsWith('?')).length

  test('without blobs, sizes are files and targets are known, and nothing is fetched', () => {
    const folder = clone('blobless', '--bare', '--filter=blob:none')
    const { landed, sizesIn } = read(folder)
    expect(sizesIn).toBe('files')
    expect(landed).toMatchObject([{ number: 7, size: 1, targets: ['web'] }])
    expect(missing(folder)).toBe(1)
  })

  test('without trees, neither is known, and nothing is fetched', () => {
    const folder = clone('treeless', '--bare', '--filter=tree:0')
    const { landed, sizesIn } = read(folder)
    expect(sizesIn).toBe('nothing')
    expect(landed).toMatchObject([{ number: 7, size: 0, targets: [] }])
    expect(missing(folder)).toBeGreaterThan(0)
  })

  test('of a whole clone, sizes are lines', () => {
    expect(read(clone('whole.git', '--bare')).sizesIn).toBe('lines')
  })
})

// S-201
test('a merge by Gerrit is named by the Change-Id of its second parent', () => {
  const folder = inHome('gerrit')
  git('init', '-q', '-b', 'main', folder)
  commit(folder, 'Begin')
  git('-C', folder, 'checkout', '-q', '-b', 'change')
  commit(folder, 'Fix it\n\nChange-Id: I1a2b')
  git('-C', folder, 'checkout', '-q', 'main')
  const robot = ['-c', 'user.name=Gerrit Code Review']
  git(...robot, '-C', folder, 'merge', '-q', '--no-ff', '-m', 'Merge "Fix it"', 'change')
  expect(read(folder).landed).toMatchObject([{ number: 1, origin: 'Change-Id I1a2b' }])
})
