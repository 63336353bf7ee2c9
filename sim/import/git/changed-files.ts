/** What commits changed, compared with their first parents. */

import { askGit } from './run-git.ts'

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
