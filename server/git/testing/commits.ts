/** Bare repositories with commits, made by one call of git. */

import { git, type Oid } from '../git.ts'

export type Commit = {
  readonly ref: string
  /** The ref of its first parent; without one it begins a history. */
  readonly from?: string
  readonly merge?: string
  readonly title?: string
  readonly author?: string
  /** Seconds. */
  readonly at?: number
  /** A text, or null for a file that is removed. */
  readonly files?: Readonly<Record<string, string | null>>
}

const ada = 'Ada <ada@example.com>'
export const main = 'refs/heads/main'
/** 2026-01-05, 09:00. */
export const begin = 1_767_603_600

export async function makeBare(path: string): Promise<void> {
  await git(['init', '--quiet', '--bare', '--initial-branch=main', path])
}

/** Writes commits in order, and returns their ids. */
export async function write(repository: string, ...commits: readonly Commit[]): Promise<Oid[]> {
  const marks = new Map<string, string>()
  const input = commits.map((commit, index) => {
    const mark = `:${index + 1}`
    const text = streamOf(commit, mark, (ref) => marks.get(ref) ?? `${ref}^0`)
    marks.set(commit.ref, mark)
    return text
  })
  const questions = commits.map((_, index) => `get-mark :${index + 1}\n`)
  const args = ['--git-dir', repository, 'fast-import', '--quiet', '--force', '--cat-blob-fd=1']
  const printed = await git(args, { input: [...input, ...questions].join('') })
  return printed.trim().split('\n')
}

function streamOf(
  { ref, from, merge, title = 'Change', author = ada, at: seconds = begin, files = {} }: Commit,
  mark: string,
  nameOf: (ref: string) => string,
): string {
  const when = `${seconds} +0000`
  const changes = Object.entries(files).map(([path, text]) =>
    text === null ? `D ${path}\n` : `M 100644 inline ${path}\n${dataOf(text)}`,
  )
  return [
    `commit ${ref}\nmark ${mark}\nauthor ${author} ${when}\ncommitter ${author} ${when}\n`,
    dataOf(title),
    from === undefined ? '' : `from ${nameOf(from)}\n`,
    merge === undefined ? '' : `merge ${nameOf(merge)}\n`,
    ...changes,
    '\n',
  ].join('')
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
