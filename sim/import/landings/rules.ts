/** The table of rules. The first that fits decides. */

import { type Change, type Commit, type Rule, firstLine, isMerge, trailer } from './rule.ts'
import { botWithoutNumber, mergeWithoutNumber, rebase } from './without-number.ts'

// A number at the end of the subject: `Add the till (#9)`. Kodiak and others write the same.

/** The last number counts: of `(backport #8) (#9)` that is 9. */
function numbered({ subject, author, parents }: Commit): readonly Change[] | null {
  const found = /^(.*?)\s*\(#(\d{1,9})\)\s*$/.exec(subject)
  if (!found) return null
  const [, title = '', number] = found
  return [{ number: Number(number), title, author: parents.length > 1 ? null : author }]
}

/** A merge that ends in a number is GitHub's merge queue; merges of one second are a group. */
const mergeQueue: Rule = {
  names: ["merge by GitHub's merge queue", "merges by GitHub's merge queue"],
  batch: { withinMs: 0 },
  caveat: "Merges by GitHub's merge queue within the same second count as one group.",
  read: (commit) => (isMerge(commit) ? numbered(commit) : null),
}

/** One commit that ends in a number is a pull request that was squashed. */
const squash: Rule = {
  names: ['squash merge', 'squash merges'],
  batch: { withinMs: 0 },
  read: (commit) => (isMerge(commit) ? null : numbered(commit)),
}

// Mergify: `Merge of #1771`.

/** A merge of Mergify names its pull requests; merges of one second are a batch. */
const mergify: Rule = {
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

// GitHub's merge button, and Tide, which presses it: `Merge pull request #12 from user/branch`.

function merged(commit: Commit): readonly Change[] | null {
  const found = /^Merge (?:pull request|PR) #(\d{1,9})\b(?: from (\S+))?/i.exec(commit.subject)
  if (!found || !isMerge(commit)) return null
  const [, number, branch = ''] = found
  return [{ number: Number(number), title: firstLine(commit.body), author: null, branch }]
}

/** A merge by Prow's account is one pull request; Tide merges the members of a batch in a row. */
const tide: Rule = {
  names: ['merge by Tide', 'merges by Tide'],
  batch: { withinMs: 10_000 },
  caveat: 'Merges by Tide within 10 s of each other count as one batch.',
  read: (commit) => (/\bprow\b|k8s-ci-robot/i.test(commit.author) ? merged(commit) : null),
}

/** A merge by a person is one pull request. */
const mergeButton: Rule = {
  names: ['merge with the button', 'merges with the button'],
  batch: 'commit',
  read: merged,
}

// homu and its successor at rust-lang: `Auto merge of #3982 - user:branch, r=reviewer`.

function autoMerge(commit: Commit): Change | null {
  const found = /^Auto merge of #(\d{1,9}) - (.+), r=/.exec(commit.subject)
  if (!found || !isMerge(commit)) return null
  const [, number, branch = ''] = found
  return { number: Number(number), title: firstLine(commit.body), author: null, branch }
}

/** An automatic merge is one pull request, tested alone. */
const homu: Rule = {
  names: ['merge by homu', 'merges by homu'],
  batch: 'commit',
  read(commit) {
    const change = autoMerge(commit)
    return change && [change]
  },
}

/** The automatic merge of a rollup is a batch of those that it lists as successful. */
const rollup: Rule = {
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

// GitLab: a merge whose last line is `See merge request group/project!5314`.

/** The line with the merge request decides, however many parents the commit has. */
const gitlab: Rule = {
  names: ['merge request', 'merge requests'],
  batch: 'commit',
  caveat: 'A log cannot tell merge trains from other merges of GitLab.',
  read({ body, subject }) {
    const number = [...body.matchAll(/^See merge request \S*!(\d{1,9})\s*$/gm)].at(-1)?.[1]
    if (number === undefined) return null
    const branch = /^Merge branch '(.+?)' into /.exec(subject)?.[1] ?? ''
    return [{ number: Number(number), title: firstLine(body), author: null, branch }]
  },
}

// Gerrit: changes that it merged, cherry-picked or moved the branch to.

/** One commit with the address of its review was cherry-picked; the address ends in its number. */
const gerritPick: Rule = {
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
const gerritMerge: Rule = {
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
const gerritForward: Rule = {
  names: ['fast-forward by Gerrit', 'fast-forwards by Gerrit'],
  batch: 'commit',
  caveat,
  read(commit) {
    const name = trailer(commit.body, 'Change-Id')
    if (isMerge(commit) || name === null) return null
    return [{ number: null, name, title: commit.subject, author: commit.author }]
  },
}

// bors-ng: `Merge #1640 #1647`.

/** A merge whose subject lists numbers is a batch of these; the body has a line for each. */
const borsNg: Rule = {
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

/** The trailer of Mergeyard is the number, whatever the merge method; the commits of a batch are one each. */
const mergeyard: Rule = {
  names: ['merge by Mergeyard', 'merges by Mergeyard'],
  batch: 'commit',
  read(commit) {
    const number = trailer(commit.body, 'Mergeyard-Pull') ?? ''
    if (!/^[1-9]\d{0,8}$/.test(number)) return null
    const author = isMerge(commit) ? null : commit.author
    return [{ number: Number(number), title: commit.subject, author }]
  },
}

/** Rules for commits that name their pull requests, the narrow ones first. */
export const namingRules: readonly Rule[] = [
  borsNg,
  mergeyard,
  rollup,
  homu,
  mergify,
  tide,
  mergeButton,
  gitlab,
  gerritPick,
  gerritMerge,
  mergeQueue,
  squash,
  // After the numbers, because stacks on GitHub have a Change-Id as well.
  gerritForward,
  botWithoutNumber,
]

/** Rules for the others, in a history in which hardly any commit names its pull request. */
export const namelessRules: readonly Rule[] = [mergeWithoutNumber, rebase]
