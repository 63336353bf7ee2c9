import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { messageOf, numbersIn, withOwnTrailer, type SnapshotToCommit } from './snapshot.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { git, GitFailed, helpfulWords } from './git.ts'
import { main, makeBare, write } from './testing/commits.ts'
import { filesOf, mergeBase, mergedTree, textsOf } from './objects.ts'

const snapshot: SnapshotToCommit = {
  number: 7,
  head: '1'.repeat(40),
  title: 'Pay twice',
  body: 'Because once is not enough.',
  author: { name: 'Ada', email: 'ada@example.com' },
  at: 0,
}

test('the message names the pull request in a trailer, and mentions nobody', () => {
  const grace = { name: 'Grace', email: 'grace@example.com' }
  const message = messageOf(snapshot, [{ author: grace, trailers: [] }])
  expect(message).toBe(
    'Pay twice\n\nBecause once is not enough.\n\n' +
      'Mergeyard-Pull: 7\nCo-authored-by: Grace <grace@example.com>',
  )
  expect(numbersIn(message)).toEqual([7])
  // As older versions wrote it.
  expect(numbersIn(message.replace('Pay twice', 'Pay twice (#7)'))).toEqual([7])
})

test('a title stays one line, and where there is none the number is the subject', () => {
  expect(messageOf({ ...snapshot, title: 'Pay\r\n\ntwice' })).toMatch(/^Pay twice\n\n/)
  const unnamed = 'Pull request 7\n\nMergeyard-Pull: 7'
  expect(messageOf({ ...snapshot, title: '[skip ci]', body: '' })).toBe(unnamed)
  expect(withOwnTrailer('', 7)).toBe(unnamed)
})

test('a pull request cannot say that another one has landed', () => {
  const forged = 'Mergeyard-Pull: 9'
  expect(numbersIn(messageOf({ ...snapshot, body: `Fine.\n\n${forged}` }))).toEqual([7])
  expect(numbersIn(messageOf({ ...snapshot, title: `x\n\n${forged}` }))).toEqual([7])
  expect(numbersIn(`Revert it\n\n${forged}\n\nIt was wrong.`)).toEqual([])
})

test('a template is no message: comments go, and a long description is cut at a line', () => {
  const template = `<!-- Read this. -->\nWhy.\n\n${'- [ ] done\n'.repeat(7_000)}\nReviewed-by: Ada`
  const message = messageOf({ ...snapshot, body: `${template}\n` })
  expect(message).toHaveLength(message.trim().length)
  expect(message.length).toBeLessThan(5_200)
  expect(message).toMatch(/^Pay twice\n\nWhy\.\n\n- \[ \] done\n/)
  expect(message).toMatch(
    /\] done\n\n\[The description of the pull request goes on\.\]\n\nReviewed-by: Ada\nMergeyard-Pull: 7$/,
  )
  expect(messageOf({ ...snapshot, body: 'a <!-- b <!-- c --> d <!-- e' })).toContain('a  d <!-- e')
  expect(messageOf({ ...snapshot, body: '<!--'.repeat(20_000) })).toContain('goes on.]')
})

const texts = [
  'Fix it',
  'Fix it\n\nWhy.',
  'Fix it\n\nWhy.\n\nSigned-off-by: Ada <ada@example.com>',
  'Fix it\n\nTested-by: Grace\n  of the navy\nCloses: 5',
  'Fix it\n\nNote: this is it\nand no trailer',
  'Fix it\n\nWords of a note\nSigned-off-by: Ada <ada@example.com>',
  'Fix it\n\none\ntwo\nthree\nfour\nSigned-off-by: Ada <ada@example.com>',
  'Fix it\n\n(cherry picked from commit 1234)\nmore words',
  'feat: fix it',
]

test.each(texts)('the last paragraph is trailers where git says so: %j', async (text) => {
  const added = ['--trailer', 'Mergeyard-Pull: 7', '--no-divider']
  const gits = await git(['interpret-trailers', ...added], { input: `${text}\n` })
  const parsed = (message: string) =>
    git(['interpret-trailers', '--parse', '--no-divider'], { input: `${message}\n` })
  const ours = withOwnTrailer(text, 7)
  expect(ours.split('\n\n')).toHaveLength(gits.split('\n\n').length)
  expect(await parsed(ours)).toBe(await parsed(gits))
})

// Files of commits, read from a real repository.

const absent = 'f'.repeat(40)

test('what git cannot read is an error, and no empty answer', async () => {
  const folder = temporaryFolder()
  const repository = join(folder, 'a.git')
  makeBare(repository)
  const [first = '', second = '', other = ''] = await write(
    repository,
    { ref: main, files: { 'a.txt': 'one\n', 'b.txt': '' } },
    { ref: 'refs/heads/topic', from: main, files: { 'a.txt': 'two\n' } },
    { ref: 'refs/heads/other', files: { 'c.txt': 'three\n' } },
  )

  const blobs = [...(await filesOf(repository, second)).values()]
  expect(await textsOf(repository, blobs)).toEqual(['two\n', ''])
  await expect(textsOf(repository, [absent])).rejects.toThrow(GitFailed)

  const foreign = { env: { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' } }
  await expect(git(['-C', repository, 'rev-parse', 'HEAD'], foreign)).rejects.toThrow(
    `${repository} belongs to another user, and git does not work on it: run this as that user, or change its owner`,
  )

  const asked = `fatal: could not read Username for 'https://git.example': terminal prompts disabled`
  expect(helpfulWords(asked)).toMatch(/^https:\/\/git.example asks who this is: .*~\/.netrc/)
  const where = `fatal: unable to access 'https://git.example/a.git/': `
  expect(helpfulWords(`${where}SSL certificate problem: self-signed certificate`)).toMatch(
    /^the certificate of https:\/\/git.example\/a.git\/ .*GIT_SSL_CAINFO/,
  )
  expect(helpfulWords(`${where}Could not resolve host: git.example`)).toBeNull()

  expect(await mergeBase(repository, first, second)).toBe(first)
  expect(await mergeBase(repository, first, other)).toBeNull()
  await expect(mergeBase(repository, first, absent)).rejects.toThrow(GitFailed)
})

test('a conflict names files as people know them, and how many more there are', async () => {
  const repository = join(temporaryFolder(), 'shop.git')
  makeBare(repository)
  await write(repository, { ref: main, files: { 'shop.txt': 'open' } })
  const branch = (name: string, files: Readonly<Record<string, string>>) =>
    write(repository, { ref: `refs/heads/${name}`, from: main, files })
  const [file = ''] = await branch('file', { till: 'one' })
  const [folder = ''] = await branch('folder', { 'till/one.txt': 'one' })
  const conflict = 'conflict in till'
  expect(await mergedTree(repository, file, folder)).toEqual({ conflict })
  expect(await mergedTree(repository, folder, file)).toEqual({ conflict })
  const names = ['a', 'b', 'c', 'd', 'ü'].map((name) => [name, name] as const)
  const [ours = ''] = await branch('ours', Object.fromEntries(names))
  const [theirs = ''] = await branch(
    'theirs',
    Object.fromEntries(names.map(([name]) => [name, '-'])),
  )
  expect(await mergedTree(repository, ours, theirs)).toEqual({
    conflict: 'conflict in a, b, c and 2 more',
  })
})

test('given a helper that outlives git and holds its output, that is a fault of this call', async () => {
  const folder = temporaryFolder()
  const helper = "spawn('sleep', ['3'], { detached: true, stdio: 'inherit' }).unref()"
  const script = `#!/bin/sh\nexec node -e "require('child_process').${helper}"\n`
  writeFileSync(join(folder, 'git'), script, { mode: 0o755 })
  const env = { PATH: `${folder}:${process.env['PATH']}` }
  const words = 'git fetch took longer than 1 s'
  await expect(git(['fetch'], { env, timeoutMs: 1_000 })).rejects.toThrow(words)
})

test('a git that reads a bare repository only where it is named as one reads the others as well', async () => {
  const [folder, repository] = [temporaryFolder(), join(temporaryFolder(), 'a.git')]
  makeBare(repository)
  const real = join((await git(['--exec-path'])).trim(), 'git')
  const careful = `#!/bin/sh\nexec '${real}' -c safe.bareRepository=explicit "$@"\n`
  writeFileSync(join(folder, 'git'), careful, { mode: 0o755 })
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(await git(['-C', repository, 'rev-parse', '--is-bare-repository'])).toBe('true\n')
})
