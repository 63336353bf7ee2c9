/** Gerrit: changes that it merged, cherry-picked or moved the branch to. */

import { isMerge, trailer, type Rule } from './rule.ts'

/** One commit with the address of its review was cherry-picked; the address ends in its number. */
export const gerritPick: Rule = {
  names: ['change by Gerrit', 'changes by Gerrit'],
  batch: 'commit',
  read(commit) {
    const number = /\/(\d{1,9})$/.exec(trailer(commit.body, 'Reviewed-on') ?? '')?.[1]
    if (isMerge(commit) || number === undefined || trailer(commit.body, 'Change-Id') === null) {
      return null
    }
    return [{ number: Number(number), title: commit.subject, author: commit.author }]
  },
}

const caveat = 'Changes of Gerrit have no number here, so their Change-Id or commit names them.'

/** A merge by Gerrit is one change, named by the Change-Id of its second parent. */
export const gerritMerge: Rule = {
  names: ['merge by Gerrit', 'merges by Gerrit'],
  batch: 'commit',
  caveat,
  read(commit) {
    const { subject, body, mergedBody = '', committer } = commit
    const isGerrit = /gerrit/i.test(committer) || /^Merge (?:change|changes) /.test(subject)
    if (!isMerge(commit) || !isGerrit) return null
    const name = trailer(body, 'Change-Id') ?? trailer(mergedBody, 'Change-Id')
    const title = /^Merge "(.*)"/.exec(subject)?.[1] ?? subject
    return [{ number: null, ...(name === null ? {} : { name }), title, author: null }]
  },
}

/** One commit with a Change-Id and nothing else is a change to which the branch was moved. */
export const gerritForward: Rule = {
  names: ['fast-forward by Gerrit', 'fast-forwards by Gerrit'],
  batch: 'commit',
  caveat,
  read(commit) {
    const name = trailer(commit.body, 'Change-Id')
    if (isMerge(commit) || name === null) return null
    return [{ number: null, name, title: commit.subject, author: commit.author }]
  },
}
