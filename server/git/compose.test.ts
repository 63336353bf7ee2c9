import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import type { SnapshotToCommit, MergeMethod } from './snapshot.ts'
import { compose, keptHeads, Memo } from './compose.ts'
import { git, GitFailed, type Oid } from './git.ts'
import { begin, file, main, makeBare, write, type Commit } from './testing/commits.ts'

const lines = (...texts: string[]): string => `${texts.join('\n')}\n`

/** A repository whose `main` has one file of three lines, and its snapshots on top. */
async function withSnapshots(...heads: readonly Omit<Commit, 'ref'>[]) {
  const repository = join(temporaryFolder(), 'shop.git')
  makeBare(repository)
  const [tip = ''] = await write(repository, {
    ref: main,
    files: { 'shop.txt': lines('open', 'sell', 'close') },
  })
  const commits = heads.map((head, index) => {
    return { ref: `refs/pull/${index + 1}/head`, from: main, ...head }
  })
  const oids = commits.length > 0 ? await write(repository, ...commits) : []
  return { repository, tip, snapshots: oids.map((head, index) => snapshotOf(index + 1, head)) }
}

const ada = { name: 'Ada', email: 'ada@example.com' }

const snapshotOf = (
  number: number,
  head: Oid,
  snapshot: Partial<SnapshotToCommit> = {},
): SnapshotToCommit => {
  const at = (begin + 60) * 1_000
  return { number, head, title: `Change ${number}`, body: '', author: ada, at, ...snapshot }
}

async function composed(...args: Parameters<typeof compose>): Promise<readonly Oid[]> {
  const made = await compose(...args)
  if (!('commits' in made)) throw new Error(`not composed: ${JSON.stringify(made)}`)
  return made.commits
}

const show = async (repository: string, commit: Oid, format: string): Promise<string> =>
  (await git(['--git-dir', repository, 'log', '-1', `--format=${format}`, commit])).trim()

const methods: readonly MergeMethod[] = ['merge_commit', 'squash', 'rebase']

describe.each(methods)('%s', (method) => {
  test('the same composition is the same commits, in another repository as well', async () => {
    const heads = [{ files: { 'a.txt': 'a\n' } }, { files: { 'b.txt': 'b\n' } }]
    const [one, other] = [await withSnapshots(...heads), await withSnapshots(...heads)]
    const commits = await composed(one.repository, one.tip, one.snapshots, method)
    expect(await composed(one.repository, one.tip, one.snapshots, method)).toEqual(commits)
    expect(await composed(other.repository, other.tip, other.snapshots, method)).toEqual(commits)
  })

  test('a longer chain begins with the commits of the shorter one', async () => {
    const { repository, tip, snapshots } = await withSnapshots(
      { files: { 'a.txt': 'a\n' } },
      { files: { 'b.txt': 'b\n' } },
    )
    const both = await composed(repository, tip, snapshots, method)
    expect(await composed(repository, tip, snapshots.slice(0, 1), method)).toEqual(both.slice(0, 1))
    const last = both[1] ?? ''
    expect(await file(repository, last, 'a.txt')).toBe('a\n')
    expect(await file(repository, last, 'b.txt')).toBe('b\n')
    expect(await show(repository, last, '%(trailers:key=Mergeyard-Pull,valueonly)')).toBe('2')
    expect(await show(repository, last, '%cn %ce %ct')).toBe(
      `Mergeyard mergeyard@localhost ${begin + 60}`,
    )
  })

  test('a head that conflicts with the target branch conflicts with the tip', async () => {
    const shop = await withSnapshots({ files: { 'shop.txt': lines('open', 'buy', 'close') } })
    const [tip = ''] = await write(shop.repository, {
      ref: main,
      from: main,
      files: { 'shop.txt': lines('open', 'rent', 'close') },
    })
    expect(await compose(shop.repository, tip, shop.snapshots, method)).toMatchObject({
      conflict: 1,
      with: 'tip',
    })
  })

  test('a conflict names the first below that is in the way', async () => {
    const { repository, tip, snapshots } = await withSnapshots(
      { files: { 'a.txt': 'a\n' } },
      { files: { 'shop.txt': lines('open', 'buy', 'close') } },
      { files: { 'b.txt': 'b\n' } },
      { files: { 'shop.txt': lines('open', 'rent', 'close') } },
    )
    expect(await compose(repository, tip, snapshots, method)).toMatchObject({
      conflict: 4,
      with: 2,
    })
  })

  test('a change that is on the branch already is told, wherever it is in the chain', async () => {
    const shop = await withSnapshots({ files: { 'a.txt': 'a\n' } }, { files: { 'b.txt': 'b\n' } })
    const [tip = ''] = await write(shop.repository, {
      ref: main,
      from: main,
      title: 'The same as a patch',
      files: { 'b.txt': 'b\n' },
    })
    expect(await compose(shop.repository, tip, shop.snapshots, method)).toMatchObject({
      onBranch: 2,
    })
  })

  test('a change that repeats one below it gets a commit: that one may never land', async () => {
    const same = { files: { 'a.txt': 'a\n' } }
    const { repository, tip, snapshots } = await withSnapshots(same, same)
    const [first = '', second = ''] = await composed(repository, tip, snapshots, method)
    expect(second).not.toBe(first)
    expect(await show(repository, second, '%T')).toBe(await show(repository, first, '%T'))
  })

  test('a head without a commit in common conflicts with the tip', async () => {
    const shop = await withSnapshots()
    const [head = ''] = await write(shop.repository, {
      ref: 'refs/pull/1/head',
      files: { 'a.txt': 'a\n' },
    })
    expect(await compose(shop.repository, shop.tip, [snapshotOf(1, head)], method)).toEqual({
      conflict: 1,
      with: 'tip',
      words: 'it has no commit in common with the target branch',
    })
  })

  test('a head that the repository does not have is a fault and no conflict', async () => {
    const { repository, tip } = await withSnapshots()
    const missing = snapshotOf(1, '1'.repeat(40))
    await expect(compose(repository, tip, [missing], method)).rejects.toThrow(GitFailed)
  })

  test('the time of a commit is not before that of its parent', async () => {
    const shop = await withSnapshots({ files: { 'a.txt': 'a\n' } })
    const late = { ref: main, from: main, at: begin + 3_600 }
    const [tip = ''] = await write(shop.repository, { ...late, files: { 'late.txt': 'late\n' } })
    const [commit = ''] = await composed(shop.repository, tip, shop.snapshots, method)
    expect(await show(shop.repository, commit, '%ct')).toBe(String(begin + 3_600))
  })

  test('words that make a CI system skip a commit are left out of its message', async () => {
    const title = 'Sell more [skip ci] [CI_skip] [skip-ci]'
    const shop = await withSnapshots({ title, files: { 'a.txt': 'a\n' } })
    const [snapshot] = shop.snapshots
    const snapshots = [snapshotOf(1, snapshot?.head ?? '', { title, body: 'skip-checks: true' })]
    const [commit = ''] = await composed(shop.repository, shop.tip, snapshots, method)
    expect(await show(shop.repository, commit, '%B')).not.toMatch(/skip/)
  })

  test('given an author whom git would refuse, the commit is made', async () => {
    const { repository, tip, snapshots } = await withSnapshots({ files: { 'a.txt': 'a\n' } })
    const strange = snapshots.map((snapshot) => ({
      ...snapshot,
      author: { name: '...', email: '' },
    }))
    await expect(composed(repository, tip, strange, method)).resolves.toHaveLength(1)
  })
})

test('a merge has the head as its second parent; a squash keeps who wrote and signed the branch', async () => {
  const { repository, tip } = await withSnapshots()
  const ref = 'refs/pull/1/head'
  const signed = 'Signed-off-by: Grace <grace@example.com>'
  const joan = 'Co-authored-by: Joan <joan@example.com>'
  const commits: readonly Partial<Commit>[] = [
    { author: 'Grace <grace@example.com>', title: `First\n\n${signed}\nMergeyard-Pull: 9` },
    { author: 'Alan <alan@example.com>', title: `Second\n\nWhy.\n\n${signed}\n${joan}` },
    { title: `Third\n\nCo-authored-by: Grace H. <grace@example.com>` },
  ]
  const oids = await write(
    repository,
    ...commits.map((commit, index) => {
      return { ...commit, ref, from: index === 0 ? main : ref, files: { [`${index}.txt`]: '' } }
    }),
  )
  const body = 'Pay more.\n\nFixes: 5'
  const snapshot = snapshotOf(1, oids.at(-1) ?? '', { body })
  const [merge = ''] = await composed(repository, tip, [snapshot], 'merge_commit')
  expect(await show(repository, merge, '%P')).toBe(`${tip} ${snapshot.head}`)
  const [squash = ''] = await composed(repository, tip, [snapshot], 'squash')
  expect(await show(repository, squash, '%P')).toBe(tip)
  expect(await show(repository, squash, '%an <%ae>, by %cn')).toBe(
    'Grace <grace@example.com>, by Mergeyard',
  )
  expect(await show(repository, squash, '%B')).toBe(
    `Change 1\n\nPay more.\n\n${[
      'Fixes: 5',
      'Mergeyard-Pull: 1',
      signed,
      joan,
      'Co-authored-by: Alan <alan@example.com>',
      'Co-authored-by: Ada <ada@example.com>',
    ].join('\n')}`,
  )
  expect(await show(repository, squash, '%(trailers:key=Fixes,valueonly)')).toBe('5')
})

test.each([
  ['a link is no trailer', 'See\n\nhttps://example.com/5', 'See\n\nhttps://example.com/5\n\n'],
  ['a trailer of any spacing counts once', 'See\n\nFixes:#5', 'See\n\nFixes:#5\n'],
  ['nor does one name another pull request', 'See\n\nmergeyard-pull : 4', 'See\n\n'],
])('in the message of a squash %s', async (_what, title, expected) => {
  const { repository, tip, snapshots } = await withSnapshots({ title, files: { 'a.txt': 'a\n' } })
  const [subject = '', ...body] = title.split('\n')
  const described = snapshots.map((snapshot) => ({
    ...snapshot,
    title: subject,
    body: body.join('\n'),
  }))
  const [commit = ''] = await composed(repository, tip, described, 'squash')
  expect(await show(repository, commit, '%B')).toBe(`${expected}Mergeyard-Pull: 1`)
})

test('a rebase keeps each commit with its author and date, and only the last has the trailer', async () => {
  const { repository, tip } = await withSnapshots()
  const ref = 'refs/pull/1/head'
  const author = 'Grace <grace@example.com>'
  const [, head = ''] = await write(
    repository,
    { ref, from: main, author, title: 'First', at: begin - 60, files: { 'a.txt': 'a\n' } },
    { ref, from: ref, title: 'Second', files: { 'b.txt': 'b\n' } },
  )
  const [commit = ''] = await composed(repository, tip, [snapshotOf(1, head)], 'rebase')
  expect(await show(repository, `${commit}~2`, '%H')).toBe(tip)
  expect(await show(repository, `${commit}~1`, '%an %at %B')).toBe(`Grace ${begin - 60} First`)
  expect(await show(repository, commit, '%B')).toBe('Second\n\nMergeyard-Pull: 1')
})

//
test.each([
  ['', '1767603600 +0100', '1767603600 +0000'],
  ['', '', 'the time of the rebase'],
  ['-5 +0000', '-5 +0000', 'the time of the rebase'],
  ['0 +0000', '1767603600 +0100', '1767603600 +0000'],
  ['1767603600 +0100', '', '1767603600 +0100'],
])('a rebase of an author at "%s" and a committer at "%s" is of %s', async (author, at, date) => {
  const { repository, tip } = await withSnapshots()
  const files = { ref: 'refs/pull/1/head', from: main, files: { 'a.txt': 'a\n' } }
  const [of = ''] = await write(repository, files)
  const tree = (await show(repository, of, '%T')).trim()
  const headers = [`tree ${tree}`, `parent ${tip}`, `author A <a@b> ${author}`]
  const text = [...headers, `committer A <a@b> ${at}`, '', 'Odd', ''].join('\n')
  const hash = ['hash-object', '-w', '--literally', '-t', 'commit', '--stdin']
  const head = (await git(['--git-dir', repository, ...hash], { input: text })).trim()
  const [commit = ''] = await composed(repository, tip, [snapshotOf(1, head)], 'rebase')
  const format = ['log', '-1', '--date=raw', '--format=%ad,%cd']
  const raw = await git(['--git-dir', repository, ...format, commit])
  const [authored = '', own = ''] = raw.trim().split(',')
  expect(authored).toBe(date === 'the time of the rebase' ? own : date)
})

test('a rebase leaves out a commit whose change is on the branch already', async () => {
  const { repository } = await withSnapshots()
  const ref = 'refs/pull/1/head'
  const picked = { from: main, files: { 'a.txt': 'a\n' } }
  const own = { ref, from: ref, files: { 'b.txt': 'b\n' } }
  const [, head = ''] = await write(repository, { ref, ...picked }, own)
  const [tip = ''] = await write(repository, { ref: main, ...picked })
  const [commit = ''] = await composed(repository, tip, [snapshotOf(1, head)], 'rebase')
  expect(await show(repository, commit, '%P')).toBe(tip)
})

test('a pull request that resolved a conflict in a merge cannot be rebased', async () => {
  const { repository } = await withSnapshots()
  const ref = 'refs/pull/1/head'
  await write(repository, {
    ref,
    from: main,
    files: { 'shop.txt': lines('open', 'buy', 'close') },
  })
  const [tip = '', head = ''] = await write(
    repository,
    { ref: main, from: main, files: { 'shop.txt': lines('open', 'rent', 'close') } },
    { ref, from: ref, merge: main, files: { 'shop.txt': lines('open', 'lend', 'close') } },
  )
  await expect(composed(repository, tip, [snapshotOf(1, head)], 'squash')).resolves.toHaveLength(1)
  expect(await compose(repository, tip, [snapshotOf(1, head)], 'rebase')).toEqual({
    conflict: 1,
    with: 'tip',
    words: 'it cannot be rebased: it has merge commits, rebase it on the target branch',
  })
})

test('a rebase replays another root that was merged, and instants that git refuses to write', async () => {
  const { repository, tip } = await withSnapshots()
  const ref = 'refs/pull/1/head'
  await write(
    repository,
    { ref: 'refs/heads/lib', files: { 'lib.txt': 'lib\n' } },
    { ref, from: main, files: { 'a.txt': 'a\n' } },
  )
  const [merge = ''] = await write(repository, { ref, from: ref, merge: 'refs/heads/lib' })
  const tree = [
    'merge-tree',
    '--write-tree',
    '--allow-unrelated-histories',
    `${merge}^1`,
    `${merge}^2`,
  ]
  const both = (await git(['--git-dir', repository, ...tree])).trim()
  const odd = (files: string, parents: readonly string[]): Promise<string> => {
    const headers = [`tree ${files}`, ...parents.map((parent) => `parent ${parent}`)]
    const text = [
      ...headers,
      'author  <> 9999999999999 +051800',
      'committer A <a@b> 1767603600 +0000',
      '',
      'Odd',
    ]
    const hash = ['hash-object', '-w', '--literally', '-t', 'commit', '--stdin']
    return git(['--git-dir', repository, ...hash], { input: `${text.join('\n')}\n` })
  }
  const head = (await odd(both, [merge])).trim()
  const [commit = ''] = await composed(repository, tip, [snapshotOf(1, head)], 'rebase')
  expect(await show(repository, commit, '%T')).toBe(both)
  expect(await show(repository, commit, '%ad %P')).toContain('Mon Jan 5 09:00:00 2026 +0000')
})

describe.each(['squash', 'rebase'] as const)('a stack with %s', (method) => {
  const [ref, base] = ['refs/pull/2/head', 'refs/pull/1/head']
  const change = (text: string) => ({ files: { 'shop.txt': lines('open', text, 'close') } })
  const none = new Map<Oid, number>()

  test('what is built on another pull request adds only its own, beside it and after it', async () => {
    const { repository, tip } = await withSnapshots()
    const [, head1 = '', head2 = ''] = await write(
      repository,
      { ref: base, from: main, title: 'Draft', ...change('buy') },
      { ref: base, from: base, title: 'Base', ...change('rent') },
      { ref, from: base, title: 'Upper', author: 'Grace <grace@example.com>', ...change('lend') },
    )
    const [lower, upper] = [snapshotOf(1, head1), snapshotOf(2, head2)]
    // What is known of one chain must not be taken for another.
    const memo = new Memo()
    const both = [lower, upper]
    const [below = '', above = ''] = await composed(repository, tip, both, method, {
      landed: none,
      memo,
    })
    expect(await show(repository, `${above}^`, '%H')).toBe(below)
    expect(await show(repository, above, '%an')).toBe('Grace')
    expect(await show(repository, above, '%(trailers)')).toBe('Mergeyard-Pull: 2')
    const landed = new Map([[head1, 1]])
    expect(await composed(repository, below, [upper], method, { landed, memo })).toEqual([above])
    // As a code host does it with its button.
    expect(await compose(repository, below, [upper], method)).toMatchObject({ conflict: 2 })
    // A tip from before has it not yet.
    const [whole = ''] = await composed(repository, tip, [upper], method, { landed: none, memo })
    expect(await composed(repository, tip, [upper], method, { landed, memo })).toEqual([whole])
    expect(await show(repository, whole, '%T')).toBe(await show(repository, above, '%T'))
  })

  test('when the one on top has landed, the one below it is on the branch, and no conflict', async () => {
    const { repository, tip } = await withSnapshots()
    const [head1 = '', head2 = ''] = await write(
      repository,
      { ref: base, from: main, title: 'Base', ...change('rent') },
      { ref, from: base, title: 'Upper', ...change('lend') },
    )
    await git(['--git-dir', repository, 'update-ref', `${keptHeads}${head2}`, head2])
    const [lower, upper] = [snapshotOf(1, head1), snapshotOf(2, head2)]
    const [above = ''] = (await composed(repository, tip, [upper], method, { landed: none })).slice(
      -1,
    )
    const landed = new Map([[head2, 2]])
    const made = await compose(repository, above, [lower], method, { landed })
    expect(made).toMatchObject({ onBranch: 1 })
    // Before it has landed, and on a branch without it, the one below is a change like any other.
    expect(await compose(repository, above, [lower], method, { landed: none })).toMatchObject({
      conflict: 1,
    })
    expect(await compose(repository, tip, [lower], method, { landed })).toMatchObject({
      onBranch: null,
    })
  })
})
