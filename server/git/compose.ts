/**
 * Makes the commits of a composition: each pull request becomes one commit on top of the one before, or
 * several with `rebase`.
 *
 * A commit is a pure function of its parent, the frozen snapshot and the merge method, never of the run. So
 * the same composition is the same commit after a crash and in a longer chain, and the commit that was
 * tested is the commit that lands.
 */

import { isDeepStrictEqual } from 'node:util'
import {
  messageOf,
  type SquashedCommit,
  type SnapshotToCommit,
  type MergeMethod,
  cleaned,
  withOwnTrailer,
} from './snapshot.ts'
import { landingsOf } from './history.ts'
import { git, linesOf, type Oid } from './git.ts'
import {
  commitTree,
  groundAt,
  haveSameTree,
  laterSecond,
  mergedTree,
  type Ground,
} from './objects.ts'

export type Composed =
  /**
   * The commit of each snapshot, in order. `onBranch`: the first snapshot whose change is on the tip already; its commit is
   * empty.
   */
  | { readonly commits: readonly Oid[]; readonly onBranch: number | null }
  /** The first snapshot that cannot be merged, and what is in its way. */
  | { readonly conflict: number; readonly with: number | 'tip'; readonly words: string }

/**
 * The heads of pull requests that have landed, by commit, with their numbers. Null: a head is merged as git and the
 * button of a code host do it, and one that is built on a squashed one may conflict.
 */
export type LandedHeads = ReadonlyMap<Oid, number> | null

/** Where the mirror keeps the heads that it was asked to merge. */
export const keptHeads = 'refs/mergeyard/heads/'

const rememberedCompositions = 64
/** Their parts in memory, of a few hundred bytes each. */
const mostParts = 5_000

/**
 * What was composed before. Most compositions are asked for again, at the merge after the test run, and most are parts
 * of others.
 */
export class Memo {
  readonly made = new Map<string, Ground | { readonly conflict: string }>()
  readonly listed = new Map<string, readonly ListedCommit[]>()
  /** Newest first. */
  #whole: readonly { readonly asked: unknown; readonly made: Composed }[] = []

  known(asked: unknown): Composed | undefined {
    return this.#whole.find((each) => isDeepStrictEqual(each.asked, asked))?.made
  }

  keep(asked: unknown, made: Composed): void {
    if (this.made.size > mostParts) this.clear()
    this.#whole = [{ asked, made }, ...this.#whole.slice(0, rememberedCompositions - 1)]
  }

  clear(): void {
    this.made.clear()
    this.listed.clear()
    this.#whole = []
  }
}

/** Composes snapshots in order on top of a commit. Rejects with `GitFailed` for anything but a conflict. */
export async function compose(
  repository: string,
  tip: Oid,
  snapshots: readonly SnapshotToCommit[],
  method: MergeMethod,
  { landed = null, memo = new Memo() }: Partial<Pick<Chain, 'landed' | 'memo'>> = {},
): Promise<Composed> {
  const start = await groundAt(repository, tip)
  const chain = { repository, method, snapshots, landed, memo }
  const made: Ground[] = []
  let onBranch: number | null = null
  for (const [index, snapshot] of snapshots.entries()) {
    const parent = made.at(-1) ?? start
    const added = await addOne(chain, parent, snapshot, index)
    if ('conflict' in added) {
      const below = await culpritBelow(chain, [start, ...made], snapshot)
      return { conflict: snapshot.number, with: below, words: added.conflict }
    }
    const mayBe = onBranch === null && added.tree === parent.tree
    if (mayBe && (await isOnBranch(chain, start, snapshot))) onBranch = snapshot.number
    made.push(added)
  }
  return { commits: made.map(({ commit }) => commit), onBranch }
}

type Chain = {
  readonly repository: string
  readonly method: MergeMethod
  readonly snapshots: readonly SnapshotToCommit[]
  readonly landed: LandedHeads
  readonly memo: Memo
}

/** True if a snapshot changes nothing on the tip. One that only repeats a pull request below it does: that one may never land. */
async function isOnBranch(
  chain: Chain,
  start: Ground,
  snapshot: SnapshotToCommit,
): Promise<boolean> {
  const { onto } = await addedBy(chain, start, snapshot, 0)
  const merged = await mergedTree(chain.repository, onto, snapshot.head)
  return 'tree' in merged ? merged.tree === start.tree : isBroughtBefore(chain, start, snapshot, 0)
}

/**
 * True if a pull request that is built on this one comes before it, in the chain or on the branch, and brought its
 * commits. Git does not know it of a squashed or rebased one, and finds a conflict of both with themselves.
 */
async function isBroughtBefore(
  { repository, method, snapshots, landed }: Chain,
  { commit }: Ground,
  { head }: SnapshotToCommit,
  below: number,
): Promise<boolean> {
  if (method === 'merge_commit' || !landed) return false
  const options = ['--contains', head, '--format=%(objectname)', keptHeads]
  const above = (await git(['--git-dir', repository, 'for-each-ref', ...options])).split('\n')
  const inChain = new Set(snapshots.slice(0, below).map((snapshot) => snapshot.head))
  for (const oid of above) {
    if (oid === head) continue
    if (inChain.has(oid)) return true
    const number = landed.get(oid)
    if (number === undefined) continue
    if ((await landingsOf(repository, number, `${oid}..${commit}`)).length > 0) return true
  }
  return false
}

/** Adds a snapshot on top of the first `below` snapshots of the chain. */
async function addOne(
  chain: Chain,
  parent: Ground,
  snapshot: SnapshotToCommit,
  below: number,
): Promise<Ground | { readonly conflict: string }> {
  const { method, memo } = chain
  const added = await addedBy(chain, parent, snapshot, below)
  const { number, head, title, body, author } = snapshot
  const second = laterSecond(parent, snapshot)
  const text = [title, body, author.name, author.email]
  const key = JSON.stringify([parent.commit, added.onto, method, number, head, second, ...text])
  const made = memo.made.get(key) ?? (await putOn(chain, parent, snapshot, { ...added, below }))
  memo.made.set(key, made)
  return made
}

async function putOn(
  chain: Chain,
  parent: Ground,
  snapshot: SnapshotToCommit,
  { onto, commits, below }: Added & { readonly below: number },
): Promise<Ground | { readonly conflict: string }> {
  const { repository, method } = chain
  const found = await mergedTree(repository, onto, snapshot.head)
  const isThere = 'conflict' in found && (await isBroughtBefore(chain, parent, snapshot, below))
  const merged = isThere ? parent : found
  if ('conflict' in merged) return merged
  if (method === 'rebase' && !isThere) {
    const originals = commits.map(({ oid }) => oid)
    return replay(repository, parent, snapshot, { originals, merged: merged.tree })
  }
  const isMerge = method === 'merge_commit'
  // Who began the branch is its author: others may have pushed to it since.
  const author = commits[0]?.author ?? snapshot.author
  const second = laterSecond(parent, snapshot)
  const commit = await commitTree(repository, {
    tree: merged.tree,
    parents: isMerge ? [parent.commit, snapshot.head] : [parent.commit],
    message: messageOf({ ...snapshot, author }, commits),
    author,
    date: `${second} +0000`,
  })
  return { commit, tree: merged.tree, second }
}

type Added = {
  /** A commit with the files of the parent, and all in its history that the parent has. */
  readonly onto: Oid
  /** What the snapshot adds to it, oldest first. */
  readonly commits: readonly ListedCommit[]
}

/**
 * What a snapshot adds to its parent. Git does not know that a squashed or rebased pull request is there: its
 * commits are others. So its head, if the snapshot was built on it, is made part of the history of the parent.
 */
async function addedBy(
  { repository, method, snapshots, landed, memo }: Chain,
  parent: Ground,
  { head }: SnapshotToCommit,
  below: number,
): Promise<Added> {
  if (method === 'merge_commit') return { onto: parent.commit, commits: [] }
  const list = async (onto: Oid): Promise<readonly ListedCommit[]> => {
    const key = `${onto} ${head}`
    const known = memo.listed.get(key) ?? (await listCommits(repository, onto, head))
    memo.listed.set(key, known)
    return known
  }
  const listed = await list(parent.commit)
  const heads = new Set(landed ? snapshots.slice(0, below).map((snapshot) => snapshot.head) : [])
  const bases: Oid[] = []
  for (const { oid } of listed) {
    // The same head again is a change that somebody has reverted.
    if (oid === head) continue
    const number = landed?.get(oid)
    const range = `${oid}..${parent.commit}`
    const landings = number === undefined ? [] : await landingsOf(repository, number, range)
    if (heads.has(oid) || landings.length > 0) bases.push(oid)
  }
  const own = (commits: readonly ListedCommit[]) => commits.filter(({ isMerge }) => !isMerge)
  if (bases.length === 0) return { onto: parent.commit, commits: own(listed) }
  const onto = await baseOf(repository, parent.tree, [parent.commit, ...bases])
  return { onto, commits: own(await list(onto)) }
}

/** A commit that only says to git where a merge begins. */
function baseOf(repository: string, tree: Oid, parents: readonly Oid[]): Promise<Oid> {
  const author = { name: 'base', email: '' }
  return commitTree(repository, { tree, parents, message: 'base', author, date: '0 +0000' })
}

/** A parent before its children, whatever their clocks said. */
export const oldestFirst = ['--reverse', '--topo-order']

type ListedCommit = SquashedCommit & { readonly oid: Oid; readonly isMerge: boolean }

/** The commits that a head adds to another commit, oldest first. */
async function listCommits(repository: string, onto: Oid, head: Oid): Promise<ListedCommit[]> {
  const format = '--format=%H%x00%P%x00%an%x00%ae%x00%(trailers:only=true,unfold=true)%x00'
  const args = ['log', ...oldestFirst, format, head, `^${onto}`]
  const fields = (await git(['--git-dir', repository, ...args])).split('\0')
  return Array.from({ length: Math.floor(fields.length / 5) }, (_, index) => {
    const [oid = '', parents = '', name = '', email = '', text = ''] = fields.slice(index * 5)
    const isMerge = parents.includes(' ')
    return { oid: oid.trim(), isMerge, author: { name, email }, trailers: linesOf(text) }
  })
}

/** The tip, or the first pull request below with which the snapshot cannot be merged. */
async function culpritBelow(
  chain: Chain,
  grounds: readonly Ground[],
  snapshot: SnapshotToCommit,
): Promise<number | 'tip'> {
  for (const [index, parent] of grounds.entries()) {
    const added = await addOne(chain, parent, snapshot, index)
    if ('conflict' in added)
      return index === 0 ? 'tip' : (chain.snapshots[index - 1]?.number ?? 'tip')
  }
  throw new Error(`pull request ${snapshot.number} conflicts, and with nothing below it`)
}

// `rebase`: the commits of a pull request one by one on top of another commit.

/**
 * Replays commits, oldest first. Git 2.38 cannot name the base of a merge, so each commit is merged with a commit
 * that has the parent's tree and the commit's own parent. The result must be `merged`, the tree of the merge of all:
 * a pull request that has merged the branch into itself cannot be replayed.
 */
async function replay(
  repository: string,
  parent: Ground,
  snapshot: SnapshotToCommit,
  { originals, merged }: { readonly originals: readonly Oid[]; readonly merged: Oid },
): Promise<Ground | { readonly conflict: string }> {
  const second = laterSecond(parent, snapshot)
  const date = `${second} +0000`
  let onto = parent
  for (const [index, original] of originals.entries()) {
    const { below, author, authorDate, message } = await detailsOf(repository, original)
    const tree = await replayedTree(repository, onto, { original, below })
    if (tree === null) return cannotBeReplayed
    const isLast = index === originals.length - 1
    // As git drops what has become empty; who made an empty commit means it.
    const isEmpty = tree === onto.tree && below !== ''
    if (!isLast && isEmpty && !(await haveSameTree(repository, original, below))) continue
    const text = isLast ? withOwnTrailer(message, snapshot.number) : message
    const commit = await commitTree(repository, {
      tree,
      parents: [onto.commit],
      message: text,
      author,
      authorDate: authorDate ?? date,
      date,
    })
    onto = { commit, tree, second }
  }
  return onto.tree === merged ? onto : cannotBeReplayed
}

const cannotBeReplayed = {
  conflict: 'it cannot be rebased: it has merge commits, rebase it on the target branch',
}

async function replayedTree(
  repository: string,
  { tree }: Ground,
  /** `below`: its parent; empty for a root. */
  { original, below }: { readonly original: Oid; readonly below: string },
): Promise<Oid | null> {
  if (below !== '') return treeOf(repository, await baseOf(repository, tree, [below]), original)
  // A root adds all its files, as if there was an empty commit below it.
  const nothing = (await git([...at(repository), 'mktree'])).trim()
  const empty = await baseOf(repository, nothing, [])
  const added = await baseOf(repository, `${original}^{tree}`, [empty])
  return treeOf(repository, await baseOf(repository, tree, [empty]), added)
}

async function treeOf(repository: string, ours: Oid, theirs: Oid): Promise<Oid | null> {
  const made = await mergedTree(repository, ours, theirs)
  return 'tree' in made ? made.tree : null
}

const at = (repository: string): readonly string[] => ['--git-dir', repository]

async function detailsOf(repository: string, commit: Oid) {
  const format = '--format=%P%x00%an%x00%ae%x00%ad%x00%ct%x00%B'
  const text = await git([...at(repository), 'log', '-1', '--date=raw', format, commit])
  const [below = '', name = '', email = '', date = '', committed = '', message = ''] =
    text.split('\0')
  // Old programs wrote instants and zones, or none, that git reads and refuses to write. 0 is what git reads of no
  // instant, and Gitea marks no pull request as merged with a commit of that.
  const dates = [date, `${committed} +0000`]
  const authorDate = dates.find((each) => /^(?!0+ )\d{1,11} [+-]\d{4}$/.test(each))
  return { below, author: { name, email }, authorDate, message: cleaned(message) }
}
