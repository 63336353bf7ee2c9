/** What a repository's log says about what landed on a branch: first parents only, oldest first. */

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

type Wish = { readonly folder: string; readonly branch: string; readonly last: number }

const recordStart = '\u0001'
const fieldEnd = '\u0002'
const mostBytes = 2 ** 30

/** The last commits of the branch, by the time at which they landed. Throws `BadInput`. */
export function readLandings({ folder, branch, last }: Wish): Landing[] {
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
    const [came = 'nothing'] = (error ? error.message : stderr).split('\n')
    throw new BadInput(folder, [
      { where: '--git', expected: `a git repository with the branch ${branch}`, came },
    ])
  }
  return parseLandings(stdout)
}

/** Reads what the format above writes. */
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
