/** `rebase`: the commits of a pull request one by one on top of another commit. */

import { cleaned, withOwnTrailer, type CardToCommit } from './card.ts'
import { git, type Oid } from './git.ts'
import { commitTree, laterSecond, mergedTree, type Ground } from './objects.ts'

/**
 * Replays commits, oldest first. Git 2.38 cannot name the base of a merge, so each commit is merged with a commit
 * that has the parent's tree and the commit's own parent. The result must be `merged`, the tree of the merge of all:
 * a pull request that has merged the branch into itself cannot be replayed.
 */
export async function replay(
  repository: string,
  parent: Ground,
  card: CardToCommit,
  { originals, merged }: { readonly originals: readonly Oid[]; readonly merged: Oid },
): Promise<Ground | { readonly conflict: string }> {
  const second = laterSecond(parent, card)
  let onto = parent
  for (const [index, original] of originals.entries()) {
    const { below, author, authorDate, message } = await detailsOf(repository, original)
    const tree = await replayedTree(repository, onto, { original, below })
    if (tree === null) return cannotBeReplayed
    const isLast = index === originals.length - 1
    const text = isLast ? withOwnTrailer(message, card.number) : message
    const commit = await commitTree(repository, {
      tree,
      parents: [onto.commit],
      message: text,
      author,
      authorDate,
      date: `${second} +0000`,
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
  const baseOf = (of: Oid, parents: readonly Oid[]): Promise<Oid> => {
    const author = { name: 'base', email: '' }
    const text = { message: 'base', author, date: '0 +0000' }
    return commitTree(repository, { tree: of, parents, ...text })
  }
  if (below !== '') return treeOf(repository, await baseOf(tree, [below]), original)
  // A root adds all its files, as if there was an empty commit below it.
  const empty = await baseOf((await git([...at(repository), 'mktree'])).trim(), [])
  const added = await baseOf(`${original}^{tree}`, [empty])
  return treeOf(repository, await baseOf(tree, [empty]), added)
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
  // Old programs wrote instants and zones that git reads, and refuses to write.
  const authorDate = /^\d{1,11} [+-]\d{4}$/.test(date) ? date : `${committed} +0000`
  return { below, author: { name, email }, authorDate, message: cleaned(message) }
}
