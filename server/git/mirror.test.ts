import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { deferred } from '../files/turns.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { isNotThere } from './damage.ts'
import { git, GitFailed } from './git.ts'
import { at, main, makeBare, write } from './testing/commits.ts'
import { openMirror } from './testing/open-mirror.ts'
import { hostOverHttp } from './testing/git-backend.ts'

const author = { name: 'Ada', email: 'ada@example.com' }
const pull = 'refs/pull/7/head'

async function shop() {
  const remote = join(temporaryFolder(), 'shop.git')
  makeBare(remote)
  const [tip = '', head = ''] = await write(
    remote,
    { ref: main, files: { 'shop.txt': 'open\n' } },
    { ref: pull, from: main, title: 'Pay twice\n\nAlways.', files: { 'pay.txt': 'twice\n' } },
  )
  const folder = join(temporaryFolder(), 'mirror.git')
  const snapshot = { number: 7, head, title: 'Pay twice', body: '', author, at: 0 }
  return { remote, folder, mirror: await openMirror(folder, remote), tip, head, snapshot }
}

test('of a data folder that was moved away no part is made again', async () => {
  const { remote } = await shop()
  const data = join(temporaryFolder(), 'data')
  mkdirSync(data)
  const mirror = await openMirror(join(data, 'mirrors/shop'), remote)
  await mirror.fetch([main])
  renameSync(data, `${data}-moved`)
  await expect(mirror.fetch([main])).rejects.toThrow(`the folder ${data} is gone`)
  expect(existsSync(data)).toBe(false)
  renameSync(`${data}-moved`, data)
  // Only the mirror is a cache.
  rmSync(join(data, 'mirrors'), { recursive: true })
  await mirror.fetch([main])
})

test('the locks of a killed git hold up one call of an open mirror, and none of one that is opened', async () => {
  const { remote, folder, mirror, tip, head, snapshot } = await shop()
  await mirror.compose(tip, [snapshot], 'squash')
  const kept = 'refs/mergeyard/heads/1'
  const locks = ['packed-refs.lock', `${kept}.lock`].map((path) => join(folder, path))
  mkdirSync(join(folder, 'refs/mergeyard/heads'), { recursive: true })
  for (const lock of locks) writeFileSync(lock, '')
  await expect(mirror.keep(kept, head)).rejects.toThrow('.lock')
  await mirror.keep(kept, head)
  expect(at(folder, kept)).toBe(head)
  for (const lock of locks) writeFileSync(lock, '')
  const again = await openMirror(folder, remote)
  await again.keep(kept, tip)
  expect(at(folder, kept)).toBe(tip)
})

test('given a folder that is no repository, the mirror is made anew', async () => {
  const { remote, folder, tip, snapshot } = await shop()
  rmSync(join(folder, 'HEAD'))
  const mirror = await openMirror(folder, remote)
  expect(await mirror.compose(tip, [snapshot], 'squash')).toHaveProperty('commits')
})

test('what a test wrote into the mirror decides nothing, and is gone after the next work on it', async () => {
  const { remote, folder, mirror, tip, snapshot } = await shop()
  const expected = await mirror.compose(tip, [snapshot], 'squash')
  const elsewhere = join(temporaryFolder(), 'kept.txt')
  writeFileSync(elsewhere, 'mine\n')
  appendFileSync(join(folder, 'config'), '[url "/nowhere/"]\n\tinsteadOf = /\n')
  for (const name of ['info', 'hooks', 'objects/info', 'refs/replace'])
    mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'info/attributes'), '* merge=union\n')
  writeFileSync(join(folder, 'objects/info/alternates'), `${temporaryFolder()}\n`)
  writeFileSync(join(folder, 'hooks/reference-transaction'), 'exit 1\n', { mode: 0o755 })
  symlinkSync(elsewhere, join(folder, 'commondir'))
  expect(await mirror.readRefs([main])).toEqual(new Map([[main, tip]]))
  const again = await openMirror(folder, remote)
  expect(await again.compose(tip, [snapshot], 'squash')).toEqual(expected)
  expect(readFileSync(join(folder, 'config'), 'utf8')).not.toContain('insteadOf')
  expect(readdirSync(folder).sort()).toEqual(['HEAD', 'config', 'objects', 'refs'])
  expect(readdirSync(join(folder, 'refs'))).not.toContain('replace')
  expect(readFileSync(elsewhere, 'utf8')).toBe('mine\n')
})

test('a branch is described on a tip that only another server has fetched', async () => {
  const { remote, mirror, head } = await shop()
  const [later = ''] = await write(remote, {
    ref: main,
    from: main,
    files: { 'shop.txt': 'shut\n' },
  })
  await mirror.fetch([pull])
  expect(await mirror.descriptionOf(head, [later])).toBe('Always.')
})

test('all of a repository may take half an hour to fetch, and what is new two minutes', async () => {
  const root = temporaryFolder()
  makeBare(join(root, 'shop.git'))
  const [tip = ''] = await write(join(root, 'shop.git'), { ref: main, files: { a: 'a\n' } })
  const host = await hostOverHttp(root)
  const mirror = await openMirror(join(temporaryFolder(), 'mirror.git'), `${host.url}/shop.git`)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const fetchedIn = async (minutes: number): Promise<void> => {
    const [begun, goOn] = [deferred<void>(), deferred<void>()]
    host.beforeReads.push(() => {
      begun.resolve()
      return goOn.promise
    })
    const fetched = mirror.fetch([main])
    await begun.promise
    vi.advanceTimersByTime(minutes * 60_000)
    goOn.resolve()
    return fetched
  }
  await fetchedIn(29)
  expect(await mirror.describe(tip)).toMatchObject({ title: 'Change' })
  await expect(fetchedIn(3)).rejects.toThrow('git fetch took longer than 120 s')
})

test('branches and tags are those of a clone, as of the time when the tip was first tested', async () => {
  const { remote, folder, mirror, tip, head } = await shop()
  const refs = async (onto: string) => (await mirror.packedRefs('main', onto)).split('\n').slice(1)
  const inRemote = ['--git-dir', remote]
  await git([...inRemote, 'update-ref', 'refs/heads/queue/pay', head])
  await git([...inRemote, 'tag', 'v1', head])
  const origin = 'refs/remotes/origin'
  const first = [`${tip} ${origin}/main`, `${head} ${origin}/queue/pay`, `${head} refs/tags/v1`, '']
  expect(await refs(tip)).toEqual(first)
  const [next = ''] = await write(remote, { ref: main, from: main })
  await git([...inRemote, 'update-ref', '-d', 'refs/heads/queue/pay'])
  await git([...inRemote, 'tag', '--force', 'v1', next])
  await git(['--git-dir', folder, 'update-ref', 'refs/mergeyard/tags/v2', head])
  expect(await refs(tip)).toEqual(first)
  expect(await refs(next)).toEqual([`${next} ${origin}/main`, `${next} refs/tags/v1`, ''])
  // Somebody has pushed since the composition was made.
  expect(await refs(tip)).toEqual([`${tip} ${origin}/main`, `${next} refs/tags/v1`, ''])
})

test('the same composition is asked of git once, and again when the mirror is damaged', async () => {
  const { mirror, tip, snapshot } = await shop()
  const made = await mirror.compose(tip, [snapshot], 'squash')
  vi.stubEnv('PATH', temporaryFolder())
  onTestFinished(() => void vi.unstubAllEnvs())
  const again = { ...snapshot }
  expect(await mirror.compose(tip, [again], 'squash')).toEqual(made)
  const noGit = 'git cannot be started'
  const renamed = { ...snapshot, title: 'Pay once' }
  await expect(mirror.compose(tip, [renamed], 'squash')).rejects.toThrow(noGit)
  await expect(mirror.compose(tip, [snapshot], 'merge_commit')).rejects.toThrow(noGit)
  const landed = new Map([[tip, 6]])
  await expect(mirror.compose(tip, [snapshot], 'squash', landed)).rejects.toThrow(noGit)
  mirror.noteDamage(new GitFailed('fatal: loose object 1 is corrupt'))
  await expect(mirror.compose(tip, [snapshot], 'squash')).rejects.toThrow(noGit)
})

test('a head that was pushed over between the look and the fetch concerns that pull request only', async () => {
  const { mirror } = await shop()
  const gone = '1'.repeat(40)
  const fault: unknown = await mirror
    .keep(`refs/mergeyard/heads/${gone}`, gone)
    .catch((error: unknown) => error)
  expect(isNotThere(fault, gone)).toBe(true)
})

test('given a lost object, a composition is a fault and no conflict', async () => {
  const { folder, mirror, tip, snapshot } = await shop()
  await mirror.fetch([main, pull])
  for (const name of readdirSync(join(folder, 'objects'))) {
    if (name.length !== 2) continue
    const path = join(folder, 'objects', name)
    const lost = readdirSync(path).filter(
      (rest) => ![tip, snapshot.head].includes(`${name}${rest}`),
    )
    for (const rest of lost) rmSync(join(path, rest))
  }
  await expect(mirror.compose(tip, [snapshot], 'squash')).rejects.toThrow(GitFailed)
})

test('a rewound branch is no descendant, even if its old commit is in no repository', async () => {
  const { mirror, tip, head } = await shop()
  await mirror.fetch([pull])
  const rewound = { commits: [], isDescendant: false }
  expect(await mirror.changesOf(head, tip)).toEqual(rewound)
  expect(await mirror.changesOf('1'.repeat(40), tip)).toEqual(rewound)
})

test('a message with any character that git takes is that of one commit', async () => {
  const { mirror, remote, tip } = await shop()
  const title = 'odd \u0001 words\n\nMergeyard-Pull: 7'
  const [commit = ''] = await write(remote, { ref: main, from: main, title, files: { a: '1\n' } })
  await mirror.fetch([main])
  const commits = [{ commit, numbers: [7] }]
  expect(await mirror.changesOf(tip, commit)).toEqual({ commits, isDescendant: true })
})

test('a commit that is not there yet is a fault and no rewind', matrix, async () => {
  const { mirror, tip } = await shop()
  await mirror.fetch([main])
  await expect(mirror.changesOf(tip, '1'.repeat(40))).rejects.toThrow(GitFailed)
})

test('a branch for a test run is placed, placed again, and removed', async () => {
  const { remote, mirror, tip, head } = await shop()
  await mirror.fetch([main, pull])
  const ref = 'refs/heads/mergeyard/main/pr-7/run-1'
  await mirror.place(ref, tip)
  await mirror.place(ref, head)
  expect(at(remote, ref)).toBe(head)
  await mirror.remove([ref, 'refs/heads/mergeyard/main/pr-8/run-2'])
  expect(at(remote, ref)).toBeNull()
})

test('a commit is described, and the paths that it changes are listed', matrix, async () => {
  const { remote, mirror, head } = await shop()
  const files = { 'späß.txt': 'a\n', 'pay.txt': null }
  const [next = '', tip = ''] = await write(
    remote,
    { ref: pull, from: pull, files },
    { ref: main, from: main, files: { 'late.txt': 'late\n' } },
  )
  await mirror.fetch([main, pull])
  expect(await mirror.describe(head)).toEqual({ title: 'Pay twice', body: 'Always.', author })
  expect(await mirror.changedPaths(tip, head)).toEqual(['pay.txt'])
  expect(await mirror.changedPaths(tip, next)).toEqual(['späß.txt'])
})

test('a closed mirror ends what is under way and begins nothing more, so its folder can go', async () => {
  const { remote, folder, tip, snapshot } = await shop()
  const begun = deferred<void>()
  const goOn = deferred<Record<string, string>>()
  let isHeld = false
  const access = () => {
    if (!isHeld) return Promise.resolve({})
    begun.resolve()
    return goOn.promise
  }
  const mirror = await openMirror(folder, remote, { access })
  isHeld = true
  const underWay = mirror.compose(tip, [snapshot], 'squash')
  const waiting = mirror.treeOf(tip)
  await begun.promise
  const closed = mirror.close()
  goOn.resolve({})
  await expect(waiting).rejects.toThrow('the copy of the repository is closed')
  await closed
  expect(await underWay).toMatchObject({ commits: [expect.any(String)] })
  rmSync(folder, { recursive: true })
  await expect(mirror.treeOf(tip)).rejects.toThrow(GitFailed)
  expect(existsSync(folder)).toBe(false)
})

test('a mirror that is stopped waits for no answer of its repository', async () => {
  const { remote, folder } = await shop()
  const host = await hostOverHttp(dirname(remote))
  const mirror = await openMirror(folder, `${host.url}/shop.git`)
  const asked = deferred<void>()
  host.beforeReads.push(() => {
    asked.resolve()
    return new Promise(() => undefined)
  })
  const fetched = mirror.fetch([pull])
  void asked.promise.then(() => mirror.stop())
  await expect(fetched).rejects.toThrow('git fetch was stopped')
  await expect(mirror.readRefs([main])).rejects.toThrow('git ls-remote was stopped')
})
