/** Makes a bare repository of a scenario: a target branch, and a ref for each pull request. */

import { mkdirSync, readFileSync } from 'node:fs'
import { git } from '../../server/git/git.ts'
import { listed } from '../../server/terminal/text.ts'
import type { PullRequestEntry } from '../../sim/scenario/scenario.ts'

/** Makes the repository in a new folder. It has no work tree, and its commits are always the same. */
export async function makeRepository(
  folder: string,
  entries: readonly PullRequestEntry[],
): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await git(['init', '--quiet', '--bare', '--initial-branch=main', folder])
  await git(['--git-dir', folder, 'fast-import', '--quiet'], { input: streamOf(entries) })
}

/** Adds a commit to a pull request that has merged, so that it can merge again. */
export async function changeAgain(
  repository: string,
  number: number,
  submission: number,
): Promise<void> {
  const ref = refOf(number)
  const files = [{ path: `again/${number}-${submission}.txt`, text: 'more\n' }]
  const options = { who: whoAt(submission), from: `${ref}^0`, files }
  const input = commitOf(ref, `Change ${number} again`, options)
  await git(['--git-dir', repository, 'fast-import', '--quiet'], { input })
}

/** The commits as a stream for `git fast-import`. */
function streamOf(entries: readonly PullRequestEntry[]): string {
  const program = readFileSync(new URL('test-program.js', import.meta.url), 'utf8')
  const start = [{ path: 'test.mjs', text: program }, ...filesAtStart(entries)]
  // What each branch contains: one is built on those of its list that come before it.
  const contained = new Map<number, readonly PullRequestEntry[]>()
  const commits = entries.map((entry) => {
    const { number, dependsOn = [] } = entry
    const below = dependsOn.filter((other) => contained.has(other))
    const all = new Set([...below.flatMap((other) => contained.get(other) ?? []), entry])
    contained.set(number, [...all])
    const [from = ':1', ...merges] = below.map(refOf)
    const files = [...all].flatMap((each) => filesOf(each, entries))
    return commitOf(refOf(number), titleOf(entry), { who: whoAt(number), from, merges, files })
  })
  return [
    commitOf('refs/heads/main', 'Begin', { who: whoAt(0), from: null, files: start }),
    ...commits,
    '',
  ].join('')
}

const refOf = (number: number): string => `refs/pull/${number}/head`

const begin = Date.UTC(2026, 0, 5, 9)

const whoAt = (minute: number): string =>
  personAt('Mergeyard stage <stage@example.com>', begin + minute * 60_000)

/** An author or a committer, as git writes one. */
export const personAt = (person: string, atMs: number): string =>
  `${person} ${Math.floor(atMs / 1_000)} +0000`

type Commit = {
  readonly who: string
  readonly from: string | null
  /** Other commits that it contains. */
  readonly merges?: readonly string[]
  readonly files: readonly File[]
}

/** A commit, as a part of a stream for `git fast-import`. */
export function commitOf(
  ref: string,
  title: string,
  { who, from, merges = [], files }: Commit,
): string {
  const changed = files.map(({ path, text }) => `M 100644 inline ${path}\n${dataOf(text)}`)
  const parent = from === null ? '' : `from ${from}\n`
  const mark = from === null ? 'mark :1\n' : ''
  const head = `commit ${ref}\n${mark}author ${who}\ncommitter ${who}\n${dataOf(title)}${parent}`
  const others = merges.map((other) => `merge ${other}\n`)
  return [head, ...others, ...changed, '\n'].join('')
}

function dataOf(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`
}

function titleOf({
  number,
  breaks,
  breaksWith,
  flakyRuns,
  conflictsWith,
  dependsOn,
}: PullRequestEntry): string {
  const traits = [
    breaks === true ? 'breaks a test' : '',
    breaksWith ? `breaks together with ${listed(breaksWith)}` : '',
    flakyRuns ? 'flakes' : '',
    conflictsWith ? `changes a line of ${listed(conflictsWith, ', ')}` : '',
    dependsOn ? `is built on ${listed(dependsOn, ', ')}` : '',
  ].filter((trait) => trait !== '')
  return `Change ${number}${traits.length > 0 ? ` ${traits.join(' and ')}` : ''}`
}

// A scenario as files: what a pull request does to the tests stands in a file of its own, and each
// text conflict is a line that both sides change.

export type File = { readonly path: string; readonly text: string }

/** The line that two pull requests change, in a file of their own. */
function sharedPath(a: number, b: number): string {
  const [first, second] = a < b ? [a, b] : [b, a]
  return `shared/${first}-${second}.txt`
}

/** The files of the target branch before the first merge, without the tests. */
function filesAtStart(entries: readonly PullRequestEntry[]): File[] {
  const paths = new Set(
    entries.flatMap(({ number, conflictsWith = [] }) =>
      conflictsWith.map((other) => sharedPath(number, other)),
    ),
  )
  const manifest = {
    name: 'stage',
    private: true,
    type: 'module',
    scripts: { test: 'node test.mjs' },
  }
  return [
    { path: 'package.json', text: `${JSON.stringify(manifest, null, 2)}\n` },
    { path: '.gitignore', text: 'report.xml\n' },
    ...[...paths].map((path) => ({ path, text: 'nobody has changed this line\n' })),
  ]
}

/** The files that a pull request adds or changes. */
function filesOf(entry: PullRequestEntry, all: readonly PullRequestEntry[]): File[] {
  const { number, breaks, breaksWith, fixes, flakyRuns } = entry
  const others = new Set([
    ...(entry.conflictsWith ?? []),
    ...all.flatMap((other) => (other.conflictsWith?.includes(number) ? [other.number] : [])),
  ])
  const change = { number, breaks, breaksWith, fixes, flakyRuns }
  return [
    { path: `pulls/${number}.json`, text: `${JSON.stringify(change, null, 2)}\n` },
    ...[...others].map((other) => ({
      path: sharedPath(number, other),
      text: `pull request ${number} has changed this line\n`,
    })),
  ]
}
