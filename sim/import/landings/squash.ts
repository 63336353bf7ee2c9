/** A number at the end of the subject: `Add the till (#9)`. Kodiak and others write the same. */

import { isMerge, type Change, type Commit, type Rule } from './rule.ts'

/** The last number counts: of `(backport #8) (#9)` that is 9. */
function numbered({ subject, author, parents }: Commit): readonly Change[] | null {
  const found = /^(.*?)\s*\(#(\d{1,9})\)\s*$/.exec(subject)
  if (!found) return null
  const [, title = '', number] = found
  return [{ number: Number(number), title, author: parents.length > 1 ? null : author }]
}

/** A merge that ends in a number is GitHub's merge queue; merges of one second are a group. */
export const mergeQueue: Rule = {
  names: ["merge by GitHub's merge queue", "merges by GitHub's merge queue"],
  batch: { withinMs: 0 },
  caveat: "Merges by GitHub's merge queue within the same second count as one group.",
  read: (commit) => (isMerge(commit) ? numbered(commit) : null),
}

/** One commit that ends in a number is a pull request that was squashed. */
export const squash: Rule = {
  names: ['squash merge', 'squash merges'],
  batch: { withinMs: 0 },
  read: (commit) => (isMerge(commit) ? null : numbered(commit)),
}
