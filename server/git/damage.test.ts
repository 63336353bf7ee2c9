/** Damaged objects of a mirror are noticed by the words of git, and the mirror is made anew. */

import { chmodSync, readdirSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { isDamage } from './damage.ts'
import { git, GitFailed } from './git.ts'
import { at, main, makeBare, write } from './testing/commits.ts'
import { hostOverHttp } from './testing/git-backend.ts'
import { openMirror } from './testing/open-mirror.ts'

const pull = 'refs/pull/7/head'
const kept = 'refs/mergeyard/heads/7'
const lines = Array.from({ length: 9 }, (_, index) => `line ${index}\n`)
/** Both sides change the same file, so a merge reads its text. */
const textWith = (index: number): string => lines.with(index, 'changed\n').join('')

/** A pull request whose head is kept, and a branch that has changed the same file. */
async function shop() {
  const remote = join(temporaryFolder(), 'shop.git')
  makeBare(remote)
  const [, head = '', tip = ''] = await write(
    remote,
    { ref: main, files: { 'shop.txt': lines.join('') } },
    { ref: pull, from: main, files: { 'shop.txt': textWith(8) } },
    { ref: main, from: main, files: { 'shop.txt': textWith(0) } },
  )
  const folder = join(temporaryFolder(), 'mirror.git')
  const mirror = await openMirror(folder, remote)
  const author = { name: 'Ada', email: 'ada@example.com' }
  const snapshot = { number: 7, head, title: 'Pay twice', body: '', author, at: 0 }
  await mirror.fetch([main, pull])
  await mirror.keep(kept, head)
  const compose = () => mirror.compose(tip, [snapshot], 'merge_commit')
  return { remote, folder, mirror, tip, head, compose }
}

function objectAt(folder: string, oid: string): string {
  const path = join(folder, 'objects', oid.slice(0, 2), oid.slice(2))
  chmodSync(path, 0o644)
  return path
}

const oidOf = async (folder: string, name: string): Promise<string> =>
  (await git(['--git-dir', folder, 'rev-parse', name])).trim()

type Shop = Awaited<ReturnType<typeof shop>>
type Damage = (path: string) => void

const emptied: Damage = (path) => truncateSync(path, 0)
const cut: Damage = (path) => truncateSync(path, 20)
const lost: Damage = (path) => rmSync(path)

/** Composes until it succeeds, as the reconciler does: each fault is told to the mirror. */
async function composedAfterFaults({ mirror, compose }: Shop) {
  const faults: unknown[] = []
  for (;;) {
    try {
      return { made: await compose(), faults }
    } catch (error) {
      if (faults.length > 2) throw error
      mirror.noteDamage(error)
      faults.push(error)
    }
  }
}

const objects = ['a commit', 'its tree', 'its file', 'an ancestor'] as const

function nameIn({ tip }: Shop, object: (typeof objects)[number]): string {
  const names = {
    'a commit': tip,
    'its tree': `${tip}^{tree}`,
    'its file': `${tip}:shop.txt`,
    'an ancestor': `${tip}^`,
  }
  return names[object]
}

describe.each([
  ['emptied', emptied],
  ['cut', cut],
  ['lost', lost],
])('%s', (_, damage) => {
  test.each(objects)('%s: the mirror is made anew', matrix, async (object) => {
    const all = await shop()
    // The same, elsewhere: here it would be remembered.
    const whole = await (await shop()).compose()
    damage(objectAt(all.folder, await oidOf(all.folder, nameIn(all, object))))
    const { made, faults } = await composedAfterFaults(all)
    expect(made).toEqual(whole)
    expect(faults.every(isDamage)).toBe(true)
    expect(faults.length).toBeLessThan(2)
    await git(['--git-dir', all.folder, 'fsck', '--connectivity-only'])
    expect(at(all.folder, kept)).toBe(all.head)
  })
})

test.each([
  ['emptied', emptied],
  ['cut', cut],
])('a pack that is %s: the mirror is made anew', async (_, damage) => {
  const all = await shop()
  const { folder, mirror, tip } = all
  await mirror.keep('refs/mergeyard/heads/8', tip)
  await git(['--git-dir', folder, 'repack', '-a', '-d', '--quiet'])
  const packs = join(folder, 'objects', 'pack')
  const pack = join(packs, readdirSync(packs).find((name) => name.endsWith('.pack')) ?? '')
  chmodSync(pack, 0o644)
  damage(pack)
  const { made } = await composedAfterFaults(all)
  expect(made).toHaveProperty('commits')
  await git(['--git-dir', folder, 'fsck', '--connectivity-only'])
})

test('a damaged ancestor is no sign of a rewind', matrix, async () => {
  const { folder, mirror, tip } = await shop()
  const parent = await oidOf(folder, `${tip}^`)
  lost(objectAt(folder, parent))
  await expect(mirror.changesOf(parent, tip)).rejects.toSatisfy(isDamage)
})

test('a kept head that was force-pushed away is taken from the damaged mirror', async () => {
  const all = await shop()
  await pushOver(all)
  lost(objectAt(all.folder, await oidOf(all.folder, `${all.tip}:shop.txt`)))
  const { made, faults } = await composedAfterFaults(all)
  expect(faults).toHaveLength(1)
  expect(made).toHaveProperty('commits')
})

test('a kept head that is damaged and gone is told in words, and harms no other', async () => {
  const all = await shop()
  const { folder, mirror, head, tip } = all
  const author = { name: 'Ada', email: 'ada@example.com' }
  await pushOver(all)
  emptied(objectAt(folder, head))
  await expect(composedAfterFaults(all)).rejects.toThrow(
    `pull request 7 cannot be composed: its head ${head} is not in the repository any more`,
  )
  const [other = ''] = await write(all.remote, {
    ref: 'refs/pull/8/head',
    from: main,
    files: { a: 'a\n' },
  })
  const snapshot = { number: 8, head: other, title: 'Other', body: '', author, at: 0 }
  expect(await mirror.compose(tip, [snapshot], 'squash')).toHaveProperty('commits')
})

test('very many kept heads are not asked for one by one', async () => {
  const root = temporaryFolder()
  const remote = join(root, 'shop.git')
  makeBare(remote)
  const pulls = Array.from({ length: 40 }, (_, index) => `refs/pull/${index}/head`)
  const made = pulls.map((ref) => ({ ref, from: main, files: { [`${ref}.txt`]: 'a\n' } }))
  const [tip = '', ...heads] = await write(remote, { ref: main, files: { a: 'a\n' } }, ...made)
  const host = await hostOverHttp(root)
  const folder = join(temporaryFolder(), 'mirror.git')
  const mirror = await openMirror(folder, `${host.url}/shop.git`)
  // Few at a time: git keeps those in files of their own, of which a loss of power leaves empty ones.
  for (const ref of [main, ...pulls]) await mirror.fetch([ref])
  for (const head of heads) await mirror.keep(`refs/mergeyard/heads/${head}`, head)
  emptied(objectAt(folder, heads[20] ?? ''))
  let asked = 0
  host.beforeReads.push(...heads.map(() => () => (asked += 1)))
  mirror.noteDamage(new GitFailed('object file is empty'))
  await mirror.keep('refs/mergeyard/heads/tip', tip)
  expect(asked).toBeLessThan(10)
  for (const head of heads) expect(at(folder, `refs/mergeyard/heads/${head}`)).toBe(head)
})

test('while the repository is away, nothing of the mirror is removed', matrix, async () => {
  const all = await shop()
  const { folder, remote, mirror, head } = all
  lost(objectAt(folder, await oidOf(folder, `${all.tip}:shop.txt`)))
  mirror.noteDamage(await all.compose().catch((error: unknown) => error))
  renameSync(remote, `${remote}.away`)
  await expect(all.compose()).rejects.toThrow(GitFailed)
  expect(at(folder, kept)).toBe(head)
  renameSync(`${remote}.away`, remote)
  expect(await all.compose()).toHaveProperty('commits')
})

test.each([
  'git fetch failed (128): fatal: unable to access http://shop.example/: Could not resolve host',
  'git push failed (1): error: failed to push some refs',
  'git fetch failed (128): remote: error: object file objects/12 is empty',
  'git update-ref failed (128): fatal: Unable to create packed-refs.lock: File exists',
  'git log took longer than 120 s',
  'git fetch failed (128): fatal: unable to write loose object file: No space left on device',
])('no damage: %s', matrix, (words) => {
  expect(isDamage(new GitFailed(words))).toBe(false)
})

/** A force-push, after which the repository has lost the old head. */
async function pushOver({ remote }: Shop): Promise<void> {
  await write(remote, { ref: pull, from: main, files: { 'new.txt': 'new\n' } })
  await git(['--git-dir', remote, 'gc', '--quiet', '--prune=now'])
}
