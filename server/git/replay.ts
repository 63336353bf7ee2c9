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
    const tree = await replayedTree(repository, onto, original)
    if (tree === null) return cannotBeReplayed
    const { author, authorDate, message } = await detailsOf(repository, original)
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
  original: Oid,
): Promise<Oid | null> {
  const person = { name: 'base', email: '' }
  const base = await commitTree(repository, {
    tree,
    parents: [`${original}^`],
    message: 'base',
    author: person,
    date: '0 +0000',
  })
  const made = await mergedTree(repository, base, original)
  return 'tree' in made ? made.tree : null
}

async function detailsOf(repository: string, commit: Oid) {
  const format = '--format=%an%x00%ae%x00%ad%x00%B'
  const text = await git(['--git-dir', repository, 'log', '-1', '--date=raw', format, commit])
  const [name = '', email = '', authorDate = '', message = ''] = text.split('\0')
  return { author: { name, email }, authorDate, message: cleaned(message) }
}
