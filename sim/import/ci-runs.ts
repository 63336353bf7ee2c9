/** `--runs`: a CSV file of test runs, one row per run. */

import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { BadInput, shown, type InputFault } from '../../server/terminal/bad-input.ts'
import { messageOf } from '../../server/terminal/text.ts'
import { rounded } from './lengths.ts'

export type CiRun = {
  readonly startedAtMs: number
  /** Null if unknown. */
  readonly minutes: number | null
  readonly outcome: 'passed' | 'failed' | 'errored'
  /** The commit that it tested; null if unknown. */
  readonly commit: string | null
}

/** The accepted names of columns; case, spaces, dashes and underscores do not matter. */
const columnNames = {
  startedAt: ['startedat', 'createdat', 'start', 'started'],
  seconds: ['durationseconds', 'duration', 'seconds'],
  minutes: ['durationminutes', 'minutes'],
  outcome: ['status', 'conclusion', 'result', 'outcome'],
  commit: ['commit', 'sha', 'headsha', 'revision'],
} as const satisfies Record<string, readonly string[]>

const outcomes: Readonly<Record<string, CiRun['outcome'] | null>> = {
  passed: 'passed',
  success: 'passed',
  successful: 'passed',
  failed: 'failed',
  failure: 'failed',
  errored: 'errored',
  error: 'errored',
  timed_out: 'errored',
  // These give no verdict about the code.
  cancelled: null,
  canceled: null,
  skipped: null,
}

/** Returns the runs of the file, oldest first. Throws `BadInput` with one line per fault. */
export function readCiRuns(path: string, name: string): CiRun[] {
  return parseCiRuns(textOf(path, name), name)
}

type CsvRow = Readonly<Record<string, string>>

/** Parses the runs of a CSV text, oldest first; faults call it `name`. Throws `BadInput`. */
export function parseCiRuns(text: string, name: string): CiRun[] {
  const rows = rowsOf(text, name)
  const [first = {}] = rows
  for (const [column, known] of [
    ['the start', columnNames.startedAt],
    ['the outcome', columnNames.outcome],
  ] as const) {
    if (known.some((each) => each in first)) continue
    const actual = rows.length === 0 ? 'no rows' : Object.keys(first).join(', ')
    throw new BadInput(name, [
      { where: 'line 1', expected: `a column with ${column}: ${known.join(' or ')}`, actual },
    ])
  }
  const faults: InputFault[] = []
  const runs = rows.flatMap((row, index) => runOf(row, `line ${index + 2}`, faults) ?? [])
  if (faults.length > 0) throw new BadInput(name, faults.slice(0, mostFaults))
  return runs.sort((a, b) => a.startedAtMs - b.startedAtMs)
}

/** One wrong column gives a fault per line, and ten of them are enough to see it. */
const mostFaults = 10

function rowsOf(text: string, name: string): CsvRow[] {
  const columns = (names: string[]): string[] =>
    names.map((each) => each.toLowerCase().replaceAll(/[\s_-]/g, ''))
  try {
    return parse(text, { columns, bom: true, skip_empty_lines: true, trim: true })
  } catch (error) {
    const actual = messageOf(error)
    throw new BadInput(name, [{ where: '--runs', expected: 'comma-separated values', actual }])
  }
}

/** Returns null if the row gives no verdict about the code, or has a fault. */
function runOf(row: CsvRow, where: string, faults: InputFault[]): CiRun | null {
  const cell = (names: readonly string[]): string =>
    names.map((each) => row[each] ?? '').find((each) => each !== '') ?? ''
  const start = cell(columnNames.startedAt)
  const startedAtMs = /^\d{9,11}$/.test(start) ? Number(start) * 1000 : Date.parse(start)
  const status = cell(columnNames.outcome).toLowerCase()
  const outcome = outcomes[status]
  const [seconds, minutes] = [cell(columnNames.seconds), cell(columnNames.minutes)]
  const length = minutes === '' ? Number(seconds) / 60 : Number(minutes)
  const isUnknown = seconds === '' && minutes === ''
  const report = (expected: string, actual: string): void =>
    void faults.push({ where, expected, actual: shown(actual) })
  if (Number.isNaN(startedAtMs)) report('the start as an ISO time or in seconds since 1970', start)
  if (outcome === undefined) report(`one of ${Object.keys(outcomes).join(', ')}`, status)
  if (!isUnknown && !(length >= 0)) report('a length, 0 or more', seconds + minutes)
  if (Number.isNaN(startedAtMs) || !outcome) return null
  const commit = cell(columnNames.commit)
  return {
    startedAtMs,
    minutes: isUnknown ? null : length,
    outcome,
    commit: commit === '' ? null : commit,
  }
}

/** Excel and PowerShell write UTF-16, and a byte order mark that says so. */
const byMark: Readonly<Record<string, string>> = { fffe: 'utf-16le', feff: 'utf-16be' }

function textOf(path: string, name: string): string {
  try {
    const bytes = readFileSync(path)
    const mark = bytes.toString('hex', 0, 2)
    return new TextDecoder(byMark[mark] ?? 'utf-8').decode(bytes)
  } catch (error) {
    const actual = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new BadInput(name, [{ where: '--runs', expected: 'a file that can be read', actual }])
  }
}

// Pull requests judged by their test runs.

type Judged = {
  readonly breaks: boolean
  readonly flaked: boolean
  /** The longest of its runs; null if none is known. */
  readonly minutes: number | null
}

/** Judges a pull request by its runs, oldest first: the last verdict counts. */
export function judgedBy(runs: readonly CiRun[]): Judged {
  const verdicts = runs.filter(({ outcome }) => outcome !== 'errored')
  const breaks = verdicts.at(-1)?.outcome === 'failed'
  const flaked = !breaks && verdicts.some(({ outcome }) => outcome === 'failed')
  const known = runs.flatMap(({ minutes }) => minutes ?? [])
  return { breaks, flaked, minutes: known.length === 0 ? null : rounded(Math.max(...known)) }
}

/** Whether the commit of a run, which may be shortened, is the commit with this hash. */
export function isCommit(commit: string | null, hash: string): boolean {
  return commit !== null && commit.length >= 7 && hash.startsWith(commit)
}

export const namesCommits = (runs: readonly CiRun[]): boolean =>
  runs.some(({ commit }) => commit !== null)

/** The share of runs that errored, rounded to a ten-thousandth. */
export function erroredShare(runs: readonly CiRun[]): number {
  const errored = runs.filter(({ outcome }) => outcome === 'errored').length
  return runs.length === 0 ? 0 : Math.round((1e4 * errored) / runs.length) / 1e4
}
