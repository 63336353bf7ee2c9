/** The table of rules. The first that fits decides. */

// A commit as its message tells it, and the shape of the rules that read it.

/** A commit on the first-parent line. */
export type Commit = {
  readonly hash: string
  readonly parents: readonly string[]
  readonly atMs: number
  /** Names, without addresses. */
  readonly author: string
  readonly committer: string
  readonly subject: string
  readonly body: string
  /** The message of the second parent, where a rule needs it. */
  readonly mergedBody?: string
}

/** One pull request as a commit names it. */
export type Change = {
  /** Null if the message has no number. */
  readonly number: number | null
  /** The Change-Id of Gerrit, where there is no number. */
  readonly name?: string
  readonly title: string
  /** Who wrote it; null if the commit does not tell. */
  readonly author: string | null
  readonly branch?: string
  /** Its part of the message, where several share one. */
  readonly text?: string
}

export type Rule = {
  /** What it finds, for one and for several: `bors batch`, `bors batches`. */
  readonly names: readonly [one: string, many: string]
  /**
   * What was tested and merged together: the pull requests of one commit, or the commits that follow
   * each other within this time.
   */
  readonly batch: 'commit' | { readonly withinMs: number }
  /** A whole sentence about what the log cannot tell. */
  readonly caveat?: string
  /** Returns the pull requests of the commit; null if the rule does not fit. */
  readonly read: (commit: Commit) => readonly Change[] | null
}

const isMerge = ({ parents }: Commit): boolean => parents.length > 1

const firstLine = (text: string): string => text.trimStart().split('\n', 1)[0] ?? ''

/** Returns the value of the last trailer with this name. */
function trailer(text: string, name: string): string | null {
  const found = [...text.matchAll(new RegExp(`^${name}:[ \\t]*(\\S+)[ \\t]*$`, 'gm'))]
  return found.at(-1)?.[1] ?? null
}

// Commits that make a release. They are left out, because nobody queues for them.

const version = String.raw`v?\d+\.(?:\d|alpha|beta|rc)\S*`

/** Matches the whole title, apart from what follows a semicolon or a comma. */
const whole = (pattern: string): RegExp => new RegExp(`^${pattern}(?=$|[;,])`, 'i')

/** What tools and people write; each needs a version or a fixed phrase. */
const titles: readonly RegExp[] = [
  // npm version
  whole(version),
  // release-please: one component or all
  whole(String.raw`(?:chore|build)(?:\([^)]*\))?!?: release(?: [\w./@-]+)?(?: ${version})?`),
  // semantic-release, standard-version
  whole(String.raw`(?:chore|build)\(release\)!?: (?:\S+ )?${version}(?: \[skip ci\])?`),
  // changesets, lerna, Maven
  /^version packages\b/i,
  /^publish$/i,
  /^\[maven-release-plugin\]/,
  whole(`(?:chore: )?bump(?:ed)?(?: version| release)?(?: to)? ${version}`),
  whole(`(?:prepare )?(?:release|version|set version to)[: ]+(?:of |version )?${version}`),
]

const branches = /(?:^|[/:])(?:release-please--|changeset-release\/)/

/** A change makes a release if its title or its branch says so. */
export function isRelease({ title, branch = '' }: Change): boolean {
  return titles.some((each) => each.test(title)) || branches.test(branch)
}

// Pull requests that a bot opened. They cost test runs like all others, so they stay.

/** These merge the pull requests of others. */
const merging = /kodiak|mergify|bors|prow|k8s-ci-robot|merge-queue/i

const opening = /\[bot\]$|dependabot|renovate|greenkeeper|scala-steward/i

const botBranches = /(?:^|[/:])(?:dependabot|renovate|greenkeeper)\//

/** A change is of a bot if its author or its branch says so. */
export function isOfBot({ author, branch = '' }: Change): boolean {
  const isAuthor = author !== null && opening.test(author) && !merging.test(author)
  return isAuthor || botBranches.test(branch)
}

// Commits that no other rule fits: nothing in them names a pull request.

/** A commit of a bot that GitHub committed is a pull request, merged under a title of its own. */
const botWithoutNumber: Rule = {
  names: ["bot's commit without a number", "bots' commits without a number"],
  batch: 'commit',
  caveat: "Bots' commits without a number that GitHub committed count as pull requests.",
  read(commit) {
    const change = { number: null, title: commit.subject, author: commit.author }
    return !isMerge(commit) && commit.committer === 'GitHub' && isOfBot(change) ? [change] : null
  },
}

/** Where hardly any commit has a number, a merge is a pull request. */
const mergeWithoutNumber: Rule = {
  names: ['merge without a number', 'merges without a number'],
  batch: 'commit',
  read: (commit) =>
    isMerge(commit) ? [{ number: null, title: commit.subject, author: null }] : null,
}

/** Where hardly any commit has a number, commits in a row by one committer are a pull request. */
export const rebase: Rule = {
  names: ['rebase merge', 'rebase merges'],
  batch: 'commit',
  caveat:
    'Hardly any commit has a number, so commits by one committer within 2 s count as one pull request, merged by rebase; direct pushes cannot be told from them.',
  read: (commit) =>
    isMerge(commit) || isRobot(commit.committer)
      ? null
      : [{ number: null, title: commit.subject, author: commit.author }],
}

const rebasedWithinMs = 2000

/** Commits belong to one rebased pull request if one committer made them within two seconds. */
export function isSameRebase(before: Commit, next: Commit): boolean {
  const isClose = Math.abs(next.atMs - before.atMs) <= rebasedWithinMs
  return isClose && next.committer === before.committer
}

/** Robots that push translations and the like. */
const isRobot = (name: string): boolean => /\[bot\]|\b(?:bot|robot)\b/i.test(name)

/** The share of commits that a rule above fits, below which the history has no numbers. */
const leastNamed = 0.1

/** A history lands by rebase if hardly any of its commits names a pull request. */
export function landsByRebase(named: number, all: number): boolean {
  return named < leastNamed * all
}

/** A release that was kept on request, though nothing else in it names a pull request. */
export const releaseWithoutNumber: Rule = {
  names: ['release without a number', 'releases without a number'],
  batch: 'commit',
  read: ({ subject, author }) => [{ number: null, title: subject, author }],
}

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
