/** Makes a bare repository of a scenario: a target branch, and a ref for each pull request. */

import { mkdirSync, readFileSync } from 'node:fs'
import type { PullRequestEntry } from '../../sim/scenario/scenario.ts'
import { git } from '../../server/git/git.ts'
import { filesAtStart, filesOf, type File } from './contents.ts'

const author = 'Mergeyard stage <stage@example.com>'

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
  const ref = `refs/pull/${number}/head`
  const files = [{ path: `again/${number}-${submission}.txt`, text: 'more\n' }]
  const options = { minute: submission, from: `${ref}^0`, files }
  const input = commitOf(ref, `Change ${number} again`, options)
  await git(['--git-dir', repository, 'fast-import', '--quiet'], { input })
}

/** The commits as a stream for `git fast-import`. */
function streamOf(entries: readonly PullRequestEntry[]): string {
  const program = readFileSync(new URL('test-program.js', import.meta.url), 'utf8')
  const start = [{ path: 'test.mjs', text: program }, ...filesAtStart(entries)]
  const commits = entries.map((entry) =>
    commitOf(`refs/pull/${entry.number}/head`, titleOf(entry), {
      minute: entry.number,
      from: ':1',
      files: filesOf(entry, entries),
    }),
  )
  return [
    commitOf('refs/heads/main', 'Begin', { minute: 0, from: null, files: start }),
    ...commits,
    '',
  ].join('')
}

type Commit = {
  readonly minute: number
  readonly from: string | null
  readonly files: readonly File[]
}

const beginSeconds = Date.UTC(2026, 0, 5, 9) / 1_000

function commitOf(ref: string, title: string, { minute, from, files }: Commit): string {
  const who = `${author} ${beginSeconds + minute * 60} +0000`
  const changed = files.map(({ path, text }) => `M 100644 inline ${path}\n${dataOf(text)}`)
  const parent = from === null ? '' : `from ${from}\n`
  const mark = from === null ? 'mark :1\n' : ''
  const head = `commit ${ref}\n${mark}author ${who}\ncommitter ${who}\n${dataOf(title)}${parent}`
  return `${head}${changed.join('')}\n`
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
}: PullRequestEntry): string {
  const traits = [
    breaks === true ? 'breaks a test' : '',
    breaksWith ? `breaks together with ${listed(breaksWith)}` : '',
    flakyRuns ? 'flakes' : '',
    conflictsWith ? `changes a line of ${listed(conflictsWith)}` : '',
  ].filter((trait) => trait !== '')
  return `Change ${number}${traits.length > 0 ? ` ${traits.join(' and ')}` : ''}`
}

function listed(numbers: readonly number[]): string {
  return numbers.map((number) => `#${number}`).join(', ')
}
