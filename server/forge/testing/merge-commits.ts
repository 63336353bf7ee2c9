/** The commits that the merge button makes. */

import { git, type Oid } from '../../git/git.ts'
import { nextId, type FakePull, type FakeState } from './state.ts'

type Merge = {
  readonly method: 'merge' | 'squash' | 'rebase'
  readonly tip: Oid
  readonly text: string
}

/** Returns the last one. */
export async function commitsOf(
  state: FakeState,
  pull: FakePull,
  { method, tip, text }: Merge,
): Promise<Oid> {
  const { repository } = state
  if (method !== 'rebase') {
    const tree = await treeOf(state, tip, pull.head)
    const parents = method === 'merge' ? ['-p', tip, '-p', pull.head] : ['-p', tip]
    return commit(state, pull, [tree, ...parents, '-m', text])
  }
  const range = ['rev-list', '--reverse', '--no-merges', pull.head, `^${tip}`]
  let last = tip
  for (const each of (await repository.git(range)).split('\n')) {
    // As if the commit below it had the tree of the branch: what differs is the change itself.
    const base = await commit(state, pull, [`${last}^{tree}`, '-p', `${each}^`, '-m', 'base'])
    const words = await repository.git(['log', '-1', '--format=%B', each])
    const tree = await treeOf(state, base, each)
    last = await commit(state, pull, [tree, '-p', last, '-m', words])
  }
  return last
}

async function treeOf({ repository }: FakeState, ours: Oid, theirs: Oid): Promise<Oid> {
  const text = await repository.git(['merge-tree', '--write-tree', ours, theirs])
  return text.split('\n')[0] ?? ''
}

async function commit(state: FakeState, pull: FakePull, args: readonly string[]): Promise<Oid> {
  const date = `${Math.floor(state.now() / 1_000) + nextId(state)} +0000`
  const who = { NAME: pull.author, EMAIL: `${pull.author}@example.com`, DATE: date }
  const env = Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((role) =>
      Object.entries(who).map(([name, value]) => [`GIT_${role}_${name}`, value]),
    ),
  )
  const { path } = state.repository
  return (await git(['--git-dir', path, 'commit-tree', ...args], { env })).trim()
}
