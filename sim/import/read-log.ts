/** A branch of a repository as pull requests that landed. */

import { BadInput, shown } from '../../server/terminal/bad-input.ts'
import { askGit, checkRepository, readChangedFiles } from './changed-files.ts'
import { landedOf } from './landed.ts'
import { classify, type ClassifyOptions, type Landing } from './landings/classify.ts'
import type { Commit } from './landings/rules.ts'
import type { LandedHistory } from './sources.ts'

type LogSource = {
  readonly folder: string
  /** Null for the default branch. */
  readonly branch: string | null
  /** The name of the folder in faults. */
  readonly source: string
}

/** More commits than pull requests are read, because some land none and others are rebased. */
const commitsPerLanding = 4

/** Reads the last pull requests of the branch. Throws `BadInput`. */
export function readLog(from: LogSource, options: ClassifyOptions): LandedHistory {
  const { folder, source } = from
  checkRepository(folder, source)
  const { name, hash } = findBranch(folder, from.branch, source)
  const most = options.last * commitsPerLanding
  const found = readCommits({ folder, hash, most }, source)
  const isCut = found.length < most && isShallow(folder)
  // Where a shallow clone ends, a commit seems to have brought every file.
  const whole = found.filter(({ parents }) => !isCut || parents.length > 0)
  const classified = classify(whole, options)
  const hashes = classified.landings.flatMap(({ commits }) => commits.map((each) => each.hash))
  const changed = readChangedFiles(folder, [...new Set(hashes)])
  const landed = landedOf(classified.landings, changed.of)
  const baseAges = baseAgesOf(folder, classified.landings.slice(-mostAges))
  return { branch: name, landed, classified, sizesIn: changed.countedIn, baseAges, isCut }
}

const isShallow = (folder: string): boolean =>
  askGit(folder, ['rev-parse', '--is-shallow-repository']).text.trim() === 'true'

// How old the state of the branch was on which a pull request was written, when it landed.

/** Each costs two calls of git. */
const mostAges = 200

/** Only a merge shows where its branch began. */
function baseAgesOf(folder: string, landings: readonly Landing[]): number[] {
  return landings.flatMap(({ commits, atMs }) => {
    const [target, head] = commits[0].parents
    if (target === undefined || head === undefined) return []
    const base = askGit(folder, ['merge-base', '--end-of-options', target, head])
    if (!base.isOk) return []
    const time = askGit(folder, ['show', '-s', '--format=%ct', base.text.trim()])
    const minutes = (atMs - Number(time.text) * 1000) / 60_000
    return time.isOk && minutes >= 0 ? [minutes] : []
  })
}

// The branch whose history is read.

type Branch = { readonly name: string; readonly hash: string }

/** Returns the branch of this name, or the default branch. Throws `BadInput` if there is none. */
export function findBranch(folder: string, name: string | null, source: string): Branch {
  return name === null ? defaultBranch(folder, source) : namedBranch(folder, name, source)
}

/**
 * The default branch is that of the origin, as a clone knows it; else the one of HEAD, which in a
 * bare clone is the same; else main, or master.
 */
function defaultBranch(folder: string, source: string): Branch {
  for (const ref of [symbolic(folder, 'refs/remotes/origin/HEAD'), symbolic(folder, 'HEAD')]) {
    const hash = ref === null ? null : commitOf(folder, ref)
    if (ref !== null && hash !== null) return { name: shortName(ref), hash }
  }
  for (const name of ['main', 'master']) {
    const hash = commitOf(folder, `refs/heads/${name}`)
    if (hash !== null) return { name, hash }
  }
  const expected = 'a default branch; name one with --branch'
  throw new BadInput(source, [{ where: '--git', expected, actual: branchesIn(folder) }])
}

/** A branch may be local or of the origin. A tag or another revision is accepted as well. */
function namedBranch(folder: string, name: string, source: string): Branch {
  if (name.startsWith('-')) {
    const expected = 'the name of a branch, which never begins with a dash'
    throw new BadInput(source, [{ where: '--branch', expected, actual: shown(name) }])
  }
  for (const ref of [`refs/heads/${name}`, `refs/remotes/origin/${name}`, name]) {
    const hash = commitOf(folder, ref)
    if (hash !== null) return { name, hash }
  }
  const expected = `a git repository with the branch ${name}`
  throw new BadInput(source, [{ where: '--branch', expected, actual: branchesIn(folder) }])
}

function symbolic(folder: string, ref: string): string | null {
  const { isOk, text } = askGit(folder, ['symbolic-ref', '--quiet', ref])
  return isOk ? text.trim() : null
}

function commitOf(folder: string, ref: string): string | null {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]
  const { isOk, text } = askGit(folder, args)
  return isOk ? text.trim() : null
}

const shortName = (ref: string): string => ref.replace(/^refs\/(?:heads|remotes\/origin)\//, '')

const mostShown = 5

function branchesIn(folder: string): string {
  const { text } = askGit(folder, ['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads'])
  const names = text.split('\n').filter((each) => each !== '')
  if (names.length === 0) return 'a repository without branches'
  const more = names.length > mostShown ? ' and others' : ''
  return `the branches ${names.slice(0, mostShown).join(', ')}${more}`
}

// The messages of the commits on a branch: first parents only, oldest first.

type LogRequest = { readonly folder: string; readonly hash: string; readonly most: number }

const formats = ['%H', '%P', '%ct', '%an', '%cn', '%s', '%b'] as const
/**
 * Fields end in NUL, the one character that no message can have. Without --no-mailmap, git reads .mailmap in a bare
 * repository, and a clone may lack its tree. A user's configuration may show signatures, which would stand between
 * the fields.
 */
const options = [
  '-z',
  '--no-mailmap',
  '--no-show-signature',
  `--format=${formats.join('%x00')}`,
] as const

/** Returns the last commits. Throws `BadInput` if git fails; faults call the folder `source`. */
function readCommits({ folder, hash, most }: LogRequest, source: string): Commit[] {
  const range = ['-n', String(most), '--end-of-options', hash, '--']
  const { isOk, text, fault } = askGit(folder, ['log', '--first-parent', ...options, ...range])
  if (!isOk) {
    const expected = 'a git repository with its commits'
    throw new BadInput(source, [{ where: '--git', expected, actual: fault }])
  }
  return withMerged(folder, commitsIn(text).toReversed())
}

function commitsIn(text: string): Commit[] {
  const fields = text.split('\0')
  const { length: size } = formats
  return Array.from({ length: Math.floor(fields.length / size) }, (_, index) =>
    commitIn(fields.slice(index * size, (index + 1) * size)),
  )
}

function commitIn(fields: readonly string[]): Commit {
  const [hash = '', parents = '', seconds = '', author = '', committer = ''] = fields
  const [subject = '', body = ''] = fields.slice(5)
  return {
    hash,
    parents: parents.split(' ').filter((each) => each !== ''),
    atMs: Number(seconds) * 1000,
    author,
    committer,
    subject,
    body,
  }
}

/** Adds the message of the second parent to the merges by Gerrit, which name no change themselves. */
function withMerged(folder: string, commits: readonly Commit[]): Commit[] {
  const isByGerrit = ({ committer, parents }: Commit): boolean =>
    parents.length > 1 && /gerrit/i.test(committer)
  const wanted = commits.filter(isByGerrit).flatMap(({ parents }) => parents[1] ?? [])
  if (wanted.length === 0) return [...commits]
  const args = ['log', '--no-walk=unsorted', ...options, '--stdin']
  const { text } = askGit(folder, args, `${wanted.join('\n')}\n`)
  const bodies = new Map(commitsIn(text).map(({ hash, body }) => [hash, body]))
  return commits.map((commit) => {
    const mergedBody = isByGerrit(commit) ? bodies.get(commit.parents[1] ?? '') : undefined
    return mergedBody === undefined ? commit : { ...commit, mergedBody }
  })
}
