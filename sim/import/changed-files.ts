/** What commits changed, compared with their first parents. */

import { askGit as ask } from '../../server/terminal/ask-git.ts'
import { BadInput } from '../../server/terminal/bad-input.ts'
import { helpfulMessage } from '../../server/terminal/files.ts'

export type Changed = {
  /** Lines added and deleted, where binary files count as none; or changed files. */
  readonly size: number
  readonly files: readonly string[]
}

export type ChangedFiles = {
  /**
   * How sizes are counted. Lines need every blob, files need every tree; a partial clone may lack
   * them, and nothing is fetched.
   */
  readonly countedIn: 'lines' | 'files' | 'nothing'
  readonly of: (hash: string) => Changed
}

const recordStart = '\u0001'

/** Reads what these commits changed, as exactly as the repository can tell. */
export function readChangedFiles(folder: string, hashes: readonly string[]): ChangedFiles {
  for (const [option, countedIn] of [
    ['--numstat', 'lines'],
    ['--raw', 'files'],
  ] as const) {
    const args = ['log', '--no-walk=unsorted', '-m', '--first-parent', '--no-renames', option]
    const all = [
      ...args,
      '--root',
      '--no-mailmap',
      '--no-show-signature',
      '--format=%x01%H',
      '--stdin',
    ]
    const { isOk, text } = askGit(folder, all, `${hashes.join('\n')}\n`)
    if (!isOk) continue
    const found = new Map(text.split(recordStart).slice(1).map(changedIn))
    return { countedIn, of: (hash) => found.get(hash) ?? nothing }
  }
  return { countedIn: 'nothing', of: () => nothing }
}

const nothing: Changed = { size: 0, files: [] }

function changedIn(record: string): readonly [hash: string, changed: Changed] {
  const [hash = '', ...lines] = record.split('\n')
  const rows = lines.filter((line) => line.includes('\t')).map(rowOf)
  const size = rows.reduce((sum, row) => sum + row.size, 0)
  return [hash, { size, files: rows.map(({ file }) => file.replace(/^"/, '')) }]
}

/** `3<tab>1<tab>path` of --numstat, or `:100644 100644 1a2b 3c4d M<tab>path` of --raw. */
function rowOf(line: string): { readonly size: number; readonly file: string } {
  const [first = '', second = '', ...path] = line.split('\t')
  if (first.startsWith(':')) return { size: 1, file: [second, ...path].join('\t') }
  return { size: lineCount(first) + lineCount(second), file: path.join('\t') }
}

/** git writes a dash for binary files. */
function lineCount(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : 0
}

// Runs git on a repository that somebody else may have written.

const mostBytes = 2 ** 30

type GitAnswer = { readonly isOk: boolean; readonly text: string; readonly fault: string }

/**
 * Runs git in the folder, with `input` as its standard input. Objects that a partial clone lacks are
 * never fetched: newer versions of git know the variable, all know the protocols.
 */
export function askGit(folder: string, args: readonly string[], input = ''): GitAnswer {
  const always = ['-c', 'core.quotePath=false', '-c', 'protocol.allow=never']
  const { stdout, stderr, status, error } = ask(folder, [...always, ...args], {
    input,
    maxBuffer: mostBytes,
    env: { GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0' },
  })
  const lines = (error ? helpfulMessage(error) : stderr).split('\n')
  const fault = lines.find((line) => !line.startsWith('warning: ')) ?? 'nothing'
  return { isOk: !error && status === 0, text: stdout, fault }
}

/** Throws `BadInput` for a folder without a repository. */
export function checkRepository(folder: string, name: string): void {
  const { isOk, fault } = askGit(folder, ['rev-parse', '--git-dir'])
  if (isOk) return
  throw new BadInput(name, [{ where: '--git', expected: 'a git repository', actual: fault }])
}
