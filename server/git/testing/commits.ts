/** Bare repositories with commits, made by one call of git. */

import { git, type Oid } from '../git.ts'

export type Commit = {
  readonly ref: string
  /** The parents; a ref that exists already goes on by itself. */
  readonly from?: string
  readonly merge?: string
  readonly title?: string
  readonly author?: string
  /** Seconds. */
  readonly at?: number
  /** A text, or null for a file that is removed. */
  readonly files?: Readonly<Record<string, string | null>>
}

export const main = 'refs/heads/main'
/** 2026-01-05, 09:00. */
export const begin = 1_767_603_600

export async function makeBare(path: string): Promise<void> {
  await git(['init', '--quiet', '--bare', '--initial-branch=main', path])
}

/** Writes commits in order, and returns their ids. */
export async function write(repository: string, ...commits: readonly Commit[]): Promise<Oid[]> {
  const input = commits.map((commit, index) => streamOf(commit, index + 1)).join('')
  const marks = commits.map((_, index) => `get-mark :${index + 1}\n`).join('')
  const args = ['--git-dir', repository, 'fast-import', '--quiet', '--force', '--cat-blob-fd=1']
  const printed = await git(args, { input: `${input}${marks}` })
  return printed.trim().split('\n')
}

function streamOf({ ref, from, merge, title = 'Change', author, at, files }: Commit, mark: number) {
  const who = `${author ?? 'Ada <ada@example.com>'} ${at ?? begin} +0000`
  const parents = [from === undefined ? '' : `from ${from}^0\n`, merge ? `merge ${merge}\n` : '']
  const changes = Object.entries(files ?? {}).map(([path, text]) =>
    text === null ? `D ${path}\n` : `M 100644 inline ${path}\n${dataOf(text)}`,
  )
  const head = `commit ${ref}\nmark :${mark}\nauthor ${who}\ncommitter ${who}\n${dataOf(title)}`
  return `${head}${parents.join('')}${changes.join('')}\n`
}

function dataOf(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`
}

/** The commit of a ref; null if there is none. */
export async function at(repository: string, ref: string): Promise<Oid | null> {
  const text = await git(['--git-dir', repository, 'for-each-ref', '--format=%(objectname)', ref])
  return text.trim() || null
}

/** A file of a commit. */
export function file(repository: string, commit: Oid, path: string): Promise<string> {
  return git(['--git-dir', repository, 'show', `${commit}:${path}`])
}
