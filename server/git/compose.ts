/**
 * Makes the commits of a composition: each pull request becomes one commit on top of the one before, or
 * several with `rebase`.
 *
 * A commit is a pure function of its parent, the frozen card and the merge method, never of the run. So
 * the same composition is the same commit after a crash and in a longer chain, and the commit that was
 * tested is the commit that lands.
 */

import { messageOf, type SquashedCommit, type CardToCommit, type MergeMethod } from './card.ts'
import { git, type Oid } from './git.ts'
import { commitTree, groundAt, laterSecond, mergedTree, type Ground } from './objects.ts'
import { oldestFirst, replay } from './replay.ts'

export type Composed =
  /** The commit of each card, in order. */
  | { readonly commits: readonly Oid[] }
  /** The first card whose change is on the branch already. */
  | { readonly onBranch: number }
  /** The first card that cannot be merged, and what is in its way. */
  | { readonly conflict: number; readonly with: number | 'tip'; readonly words: string }

/** Composes cards in order on top of a commit. Rejects with `GitFailed` for anything but a conflict. */
export async function compose(
  repository: string,
  tip: Oid,
  cards: readonly CardToCommit[],
  method: MergeMethod,
): Promise<Composed> {
  const start = await groundAt(repository, tip)
  const made: Ground[] = []
  for (const card of cards) {
    const parent = made.at(-1) ?? start
    const added = await addOne(repository, parent, card, method)
    if ('conflict' in added) {
      const below = await culpritBelow(repository, { start, made, cards }, card, method)
      return { conflict: card.number, with: below, words: added.conflict }
    }
    const isEmpty = added.tree === parent.tree
    if (isEmpty && (await isOnBranch(repository, start, card))) return { onBranch: card.number }
    made.push(added)
  }
  return { commits: made.map(({ commit }) => commit) }
}

/**
 * True if a card changes nothing on the tip. One that only repeats a pull request below it gets an empty
 * commit: that one may never land.
 */
async function isOnBranch(
  repository: string,
  { commit, tree }: Ground,
  { head }: CardToCommit,
): Promise<boolean> {
  const merged = await mergedTree(repository, commit, head)
  return 'tree' in merged && merged.tree === tree
}

async function addOne(
  repository: string,
  parent: Ground,
  card: CardToCommit,
  method: MergeMethod,
): Promise<Ground | { readonly conflict: string }> {
  const merged = await mergedTree(repository, parent.commit, card.head)
  if ('conflict' in merged) return merged
  if (method === 'rebase') return replay(repository, parent, card, merged.tree)
  const isMerge = method === 'merge_commit'
  const squashed = isMerge ? [] : await squashedCommits(repository, parent.commit, card)
  // Who began the branch is its author: others may have pushed to it since.
  const author = squashed[0]?.author ?? card.author
  const second = laterSecond(parent, card)
  const commit = await commitTree(repository, {
    tree: merged.tree,
    parents: isMerge ? [parent.commit, card.head] : [parent.commit],
    message: messageOf({ ...card, author }, squashed),
    author,
    date: `${second} +0000`,
  })
  return { commit, tree: merged.tree, second }
}

/** What a pull request adds, oldest first. */
async function squashedCommits(
  repository: string,
  parent: Oid,
  { head }: CardToCommit,
): Promise<SquashedCommit[]> {
  const format = '--format=%an%x00%ae%x00%(trailers:only=true,unfold=true)%x00'
  const args = ['log', ...oldestFirst, format, head, `^${parent}`]
  const fields = (await git(['--git-dir', repository, ...args])).split('\0')
  return Array.from({ length: Math.floor(fields.length / 3) }, (_, index) => {
    const [name = '', email = '', trailers = ''] = fields.slice(index * 3)
    const lines = trailers.split('\n').filter((line) => line !== '')
    return { author: { name: name.trimStart(), email }, trailers: lines }
  })
}

type Chain = {
  readonly start: Ground
  readonly made: readonly Ground[]
  readonly cards: readonly CardToCommit[]
}

/** The tip, or the first pull request below with which the card cannot be merged. */
async function culpritBelow(
  repository: string,
  { start, made, cards }: Chain,
  card: CardToCommit,
  method: MergeMethod,
): Promise<number | 'tip'> {
  for (const [index, parent] of [start, ...made].entries()) {
    const added = await addOne(repository, parent, card, method)
    if ('conflict' in added) return index === 0 ? 'tip' : (cards[index - 1]?.number ?? 'tip')
  }
  throw new Error(`pull request ${card.number} conflicts, and with nothing below it`)
}
