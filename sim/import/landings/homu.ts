/** homu and its successor at rust-lang: `Auto merge of #3982 - user:branch, r=reviewer`. */

import { firstLine, isMerge, type Change, type Commit, type Rule } from './rule.ts'

function autoMerge(commit: Commit): Change | null {
  const found = /^Auto merge of #(\d{1,9}) - (.+), r=/.exec(commit.subject)
  if (!found || !isMerge(commit)) return null
  const [, number, branch = ''] = found
  return { number: Number(number), title: firstLine(commit.body), author: null, branch }
}

/** An automatic merge is one pull request, tested alone. */
export const homu: Rule = {
  names: ['merge by homu', 'merges by homu'],
  batch: 'commit',
  read(commit) {
    const change = autoMerge(commit)
    return change && [change]
  },
}

/** The automatic merge of a rollup is a batch of those that it lists as successful. */
export const rollup: Rule = {
  names: ['rollup', 'rollups'],
  batch: 'commit',
  read(commit) {
    const [, listed = ''] = commit.body.split(/^Successful merges:$/m)
    const [successful = ''] = listed.split(/^Failed merges:$/m)
    const lines = [...successful.matchAll(/^ - (?:[\w.-]+\/[\w.-]+)?#(\d{1,9}) \((.*)\)\s*$/gm)]
    if (autoMerge(commit) === null || lines.length === 0) return null
    return lines.map(([text, number, title = '']) => {
      return { number: Number(number), title, author: null, text }
    })
  },
}
