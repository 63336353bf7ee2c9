/** Mergify: `Merge of #1771`. */

import { isMerge, type Rule } from './rule.ts'

/** A merge of Mergify names its pull requests; merges of one second are a batch. */
export const mergify: Rule = {
  names: ['merge by Mergify', 'merges by Mergify'],
  batch: { withinMs: 0 },
  read(commit) {
    if (!isMerge(commit) || !/^Merge of #\d{1,9}(?:,? (?:and )?#\d{1,9})*$/.test(commit.subject)) {
      return null
    }
    const numbers = [...commit.subject.matchAll(/#(\d+)/g)]
    return numbers.map(([, number]) => ({ number: Number(number), title: '', author: null }))
  },
}
