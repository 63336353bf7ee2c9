/** The landings on a branch, from the log of a repository: first parents only, oldest first. */

import { spawnSync } from 'node:child_process'
import { BadInput } from '../scenario/bad-input.ts'

export type Landing = {
  readonly hash: string
  readonly atMs: number
  readonly subject: string
  readonly body: string
  /** Lines added and deleted, over all files; binary files count as none. */
  readonly lines: number
  readonly files: readonly string[]
}

type LogRequest = { readonly folder: string; readonly branch: string; readonly last: number }

const recordStart = '\u0001'
const fieldEnd = '\u0002'
const mostBytes = 2 ** 30

/** Returns the last commits of the branch, by time of landing. Throws `BadInput` if git fails. */
export function readLandings({ folder, branch, last }: LogRequest): Landing[] {
  const format = `${['%x01%H', '%ct', '%s', '%b'].join('%x02')}%x02`
  const args = ['-c', 'core.quotePath=false', '-C', folder, 'log', '--first-parent', '-m']
  const range = [
    '--numstat',
    '--no-renames',
    `--format=${format}`,
    '-n',
    String(last),
    branch,
    '--',
  ]
  const { stdout, stderr, status, error } = spawnSync('git', [...args, ...range], {
    encoding: 'utf8',
    maxBuffer: mostBytes,
  })
  if (error || status !== 0) {
    const [actual = 'nothing'] = (error ? error.message : stderr).split('\n')
    throw new BadInput(folder, [
      { where: '--git', expected: `a git repository with the branch ${branch}`, actual },
    ])
  }
  return parseLandings(stdout)
}

/** Parses the output of the format above. */
function parseLandings(text: string): Landing[] {
  return text
    .split(recordStart)
    .slice(1)
    .map(landingOf)
    .sort((a, b) => a.atMs - b.atMs)
}

function landingOf(record: string): Landing {
  const [hash = '', seconds = '', subject = '', body = '', stats = ''] = record.split(fieldEnd)
  const rows = stats.split('\n').filter((line) => line.includes('\t'))
  const changes = rows.map((row) => {
    const [added = '', deleted = '', ...path] = row.split('\t')
    return { lines: lineCount(added) + lineCount(deleted), file: path.join('\t') }
  })
  return {
    hash,
    atMs: Number(seconds) * 1000,
    subject,
    body,
    lines: changes.reduce((sum, { lines }) => sum + lines, 0),
    files: changes.map(({ file }) => file.replace(/^"/, '')),
  }
}

/** git writes a dash for binary files. */
function lineCount(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : 0
}
