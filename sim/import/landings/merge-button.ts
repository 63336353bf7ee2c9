/** GitHub's merge button, and Tide, which presses it: `Merge pull request #12 from user/branch`. */

import { firstLine, isMerge, type Change, type Commit, type Rule } from './rule.ts'

function merged(commit: Commit): readonly Change[] | null {
  const found = /^Merge (?:pull request|PR) #(\d{1,9})\b(?: from (\S+))?/i.exec(commit.subject)
  if (!found || !isMerge(commit)) return null
  const [, number, branch = ''] = found
  return [{ number: Number(number), title: firstLine(commit.body), author: null, branch }]
}

/** A merge by Prow's account is one pull request; Tide merges the members of a batch in a row. */
export const tide: Rule = {
  names: ['merge by Tide', 'merges by Tide'],
  batch: { withinMs: 10_000 },
  caveat: 'Merges by Tide within 10 s of each other count as one batch.',
  read: (commit) => (/\bprow\b|k8s-ci-robot/i.test(commit.author) ? merged(commit) : null),
}

/** A merge by a person is one pull request. */
export const mergeButton: Rule = {
  names: ['merge with the button', 'merges with the button'],
  batch: 'commit',
  read: merged,
}
