/** bors-ng: `Merge #1640 #1647`. */

import { isMerge, type Rule } from './rule.ts'

/** A merge whose subject lists numbers is a batch of these; the body has a line for each. */
export const borsNg: Rule = {
  names: ['bors batch', 'bors batches'],
  batch: 'commit',
  read(commit) {
    if (!isMerge(commit) || !/^Merge(?: #\d{1,9})+$/.test(commit.subject)) return null
    return [...commit.subject.matchAll(/#(\d+)/g)].map(([, number = '']) => {
      const start = commit.body.search(new RegExp(`^${number}: `, 'm'))
      const text = start < 0 ? '' : (commit.body.slice(start).split(/\n(?=\d+: )/, 1)[0] ?? '')
      const line = /^\d+: (.*?)(?: r=\S+)?(?: a=(\S+))?$/m.exec(text)
      return { number: Number(number), title: line?.[1] ?? '', author: line?.[2] ?? null, text }
    })
  },
}
