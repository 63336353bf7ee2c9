/** Bare repositories with commits, made by one call of git, and their refs, read without one. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathsBelow } from '../../files/paths.ts'
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

/** A push or a fetch starts no housekeeping: it would be one more process each time. */
const config = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
[receive]
\tautogc = false
`

/** Makes what `git init --bare` makes, without the samples of hooks. */
export function makeBare(path: string, settings = ''): void {
  for (const folder of ['hooks', 'objects/info', 'objects/pack', 'refs/heads', 'refs/tags']) {
    mkdirSync(join(path, folder), { recursive: true })
  }
  writeFileSync(join(path, 'HEAD'), `ref: ${main}\n`)
  writeFileSync(join(path, 'config'), `${config}${settings}`)
}

/** The commit of each ref, by name, in order. */
export function refsIn(repository: string): ReadonlyMap<string, Oid> {
  const packed = join(repository, 'packed-refs')
  const lines = existsSync(packed) ? readFileSync(packed, 'utf8').split('\n') : []
  const found = new Map(lines.map((line) => [line.slice(41), line.slice(0, 40)]))
  for (const name of pathsBelow(join(repository, 'refs'))) {
    const oid = refIn(repository, `refs/${name}`)
    if (oid !== null) found.set(`refs/${name}`, oid)
  }
  const all = [...found].filter(([name, oid]) => name.startsWith('refs/') && isOid.test(oid))
  return new Map(all.sort(([a], [b]) => (a < b ? -1 : 1)))
}

const isOid = /^[0-9a-f]{40}$/

/** What the file of a ref says; null if it has none. It may go at any time. */
export function refIn(repository: string, ref: string): Oid | null {
  try {
    const text = readFileSync(join(repository, ref), 'utf8').trim()
    return isOid.test(text) && !ref.endsWith('.lock') ? text : null
  } catch {
    return null
  }
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
    // Quoted, because a name may have a line end.
    text === null
      ? `D ${JSON.stringify(path)}\n`
      : `M 100644 inline ${JSON.stringify(path)}\n${dataOf(text)}`,
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
export function at(repository: string, ref: string): Oid | null {
  return refsIn(repository).get(ref) ?? null
}

/** A file of a commit. */
export function file(repository: string, commit: Oid, path: string): Promise<string> {
  return git(['--git-dir', repository, 'show', `${commit}:${path}`])
}
