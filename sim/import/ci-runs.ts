/** `--runs`: a CSV file of test runs, one row per run. */

import { readdirSync } from 'node:fs'
import { CsvError, parse } from 'csv-parse/sync'
import { BadInput, shown, type InputFault } from '../../server/terminal/bad-input.ts'
import { obstacleIn, readBytes } from '../../server/terminal/files.ts'
import { messageOf } from '../../server/terminal/text.ts'
import { toMillis } from '../scenario/time.ts'

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
  // GitHub has both: its status only says whether a run has ended.
  outcome: ['conclusion', 'result', 'outcome', 'status'],
  commit: ['commit', 'sha', 'headsha', 'revision'],
} as const satisfies Record<string, readonly string[]>

/**
 * The names of results in the exports of GitHub, GitLab, Jenkins, CircleCI, Buildkite and Azure
 * Pipelines, compared as the names of columns. `none` is no verdict about the code.
 */
const outcomeNames = {
  passed: 'passed pass success successful succeeded ok',
  failed: 'failed failure fail unstable partiallysucceeded',
  errored: 'errored error timedout startupfailure infrastructurefail',
  none: `cancelled canceled aborted skipped neutral stale notbuilt notrun manual actionrequired
    pending queued running inprogress created scheduled blocked onhold unauthorized waiting`,
} as const satisfies Record<CiRun['outcome'] | 'none', string>

const outcomes: ReadonlyMap<string, CiRun['outcome'] | null> = new Map(
  (['passed', 'failed', 'errored', 'none'] as const).flatMap((outcome) =>
    outcomeNames[outcome]
      .split(/\s+/)
      .map((name) => [name, outcome === 'none' ? null : outcome] as const),
  ),
)

const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '')

/** Returns the runs of the file, oldest first. Throws `BadInput` with one line per fault. */
export function readCiRuns(path: string, name: string): CiRun[] {
  return parseCiRuns(textOf(path, name), name)
}

/** The names of the histories (`.csv`) of a folder, in order. Throws `BadInput` for a folder without any. */
export function historiesIn(folder: string): string[] {
  const files = filesIn(folder)
    .filter((name) => name.endsWith('.csv'))
    .toSorted()
  if (files.length > 0) return files
  throw new BadInput(folder, [{ ...historiesWanted, actual: 'none in it' }])
}

const historiesWanted = { where: '--traces', expected: 'a folder with histories of builds (.csv)' }

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    throw new BadInput(folder, [{ ...historiesWanted, actual: obstacleIn(error) }])
  }
}

/** Parses the runs of a CSV text, oldest first; faults call it `name`. Throws `BadInput`. */
export function parseCiRuns(text: string, name: string): CiRun[] {
  const rows = rowsOf(text, name)
  const faults: InputFault[] = []
  const runs = rows.flatMap((row) => runOf(row, faults) ?? [])
  if (faults.length > 0) throw new BadInput(name, faults.slice(0, mostFaults))
  const sorted = runs.sort((a, b) => a.startedAtMs - b.startedAtMs)
  const [first, last] = [sorted[0], sorted.at(-1)].map((run) => run?.startedAtMs ?? 0)
  if (first !== undefined && last !== undefined && last - first > toMillis(longestMinutes)) {
    const actual = [first, last].map((at) => new Date(at).toISOString().slice(0, 10)).join(' to ')
    throw new BadInput(name, [
      { where: 'the starts', expected: 'a history of at most 100 years', actual },
    ])
  }
  return sorted
}

/** One wrong column gives a fault per line, and ten of them are enough to see it. */
const mostFaults = 10
/** A hundred years: no scenario has more. */
const longestMinutes = 52_560_000

type CsvRow = { readonly line: number; readonly cells: Readonly<Record<string, string>> }

function rowsOf(text: string, name: string): CsvRow[] {
  const columns = (names: string[]): string[] => {
    const header = names.map(plain)
    refuseHeader(header, names, name)
    return header
  }
  try {
    const rows: { record: CsvRow['cells']; info: { lines: number } }[] = parse(text, {
      columns,
      bom: true,
      skip_empty_lines: true,
      trim: true,
      info: true,
    })
    if (rows.length > 0)
      return rows.map(({ record, info }) => ({ cells: record, line: info.lines }))
  } catch (error) {
    if (error instanceof BadInput) throw error
    throw new BadInput(name, [faultOfCsv(error)])
  }
  const expected =
    'a header line, such as startedAt,durationSeconds,status, and a line for each run'
  const actual = text.trim() === '' ? 'an empty file' : 'only one line'
  throw new BadInput(name, [{ where: 'the whole file', expected, actual }])
}

/** Throws `BadInput` for a header without the columns that are needed, or with one twice. */
function refuseHeader(header: readonly string[], written: readonly string[], name: string): void {
  const fault = (expected: string, actual: string): BadInput =>
    new BadInput(name, [{ where: 'line 1', expected, actual }])
  const [only = ''] = written
  const separator = /;|\t/.exec(only)?.[0]
  if (written.length === 1 && separator !== undefined) {
    throw fault('columns separated by commas', separator === ';' ? 'semicolons' : 'tabs')
  }
  for (const [column, known] of [
    ['the start', columnNames.startedAt],
    ['the outcome', columnNames.outcome],
  ] as const) {
    if (known.some((each) => header.includes(each))) continue
    throw fault(`a column with ${column}: ${known.join(' or ')}`, shown(written.join(', ')))
  }
  const twice = header.find((each, index) => each !== '' && header.indexOf(each) !== index)
  if (twice !== undefined) throw fault('each column once', `${twice} twice`)
}

/** Of what is no CSV. */
function faultOfCsv(error: unknown): InputFault {
  if (error instanceof CsvError && error.code === 'CSV_RECORD_INCONSISTENT_COLUMNS') {
    const [columns, record]: unknown[] = [error['columns'], error['record']]
    const [expected, actual] = [columns, record].map((each) =>
      Array.isArray(each) ? each.length : 0,
    )
    return {
      where: `line ${String(error['lines'])}`,
      expected: `${expected} columns, as in line 1`,
      actual: `${actual}, as at the end of a file that was cut off`,
    }
  }
  return { where: '--runs', expected: 'comma-separated values', actual: messageOf(error) }
}

/** Returns null if the row gives no verdict about the code, or has a fault. */
function runOf({ cells, line }: CsvRow, faults: InputFault[]): CiRun | null {
  const cell = (names: readonly string[]): string =>
    names.map((each) => cells[each] ?? '').find((each) => each !== '') ?? ''
  const start = cell(columnNames.startedAt)
  const startedAtMs = timeOf(start)
  const status = cell(columnNames.outcome)
  const outcome = outcomes.get(plain(status))
  const [seconds, minutes] = [cell(columnNames.seconds), cell(columnNames.minutes)]
  const length = minutes === '' ? Number(seconds) / 60 : Number(minutes)
  const isUnknown = seconds === '' && minutes === ''
  const report = (expected: string, actual: string): void =>
    void faults.push({ where: `line ${line}`, expected, actual: shown(actual) })
  if (startedAtMs === null) report('the start as an ISO time or in seconds since 1970', start)
  if (outcome === undefined)
    report('passed, failed, errored, cancelled or what a CI system calls these', status)
  if (!isUnknown && !(length >= 0 && length <= longestMinutes)) {
    const [unit, actual] = minutes === '' ? ['seconds', seconds] : ['minutes', minutes]
    report(`a number of ${unit}, 0 or more, and at most 100 years`, actual)
  }
  if (startedAtMs === null || !outcome) return null
  const commit = cell(columnNames.commit)
  return {
    startedAtMs,
    minutes: isUnknown ? null : length,
    outcome,
    commit: commit === '' ? null : commit,
  }
}

/** A date with its year. In figures alone only one that begins with it says which of them is the month. */
const isClear = /^\d{4}\b|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec).*\b\d{4}\b/i
const clock = /\d\d?:\d\d(?::\d\d(?:\.\d+)?)?(?: ?[AP]M)?/i
/** After the clock: a letter or a name of a zone, or an offset. `-2015` after a month is none. */
const zone = /(?:^|\d) ?Z$|UTC|GMT|[ECMP][SD]T|(?:^| )[+-]\d/i

/** Without a zone the time is UTC, wherever it is read. Null: it is none, such as one of 30 February. */
function timeOf(text: string): number | null {
  if (/^\d{9,11}$/.test(text)) return Number(text) * 1_000
  if (!isClear.test(text)) return null
  // JavaScript repeats the zone in brackets.
  const at = parsedTime(text.replace(/ ?\(.*\)$/, ''))
  if (Number.isNaN(at) || at > Date.UTC(9_999, 11, 31)) return null
  const [, year, month, day] = /^(\d{4})[-/](\d\d?)[-/](\d\d?)/.exec(text)?.map(Number) ?? []
  if (year === undefined || month === undefined || day === undefined) return at
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day ? at : null
}

function parsedTime(text: string): number {
  const time = clock.exec(text)
  const end = time ? time.index + time[0].length : 0
  const rest = text.slice(end)
  if (!zone.test(rest)) return Date.parse(`${text.replace(/(\d)T(\d)/, '$1 $2')} UTC`)
  // PostgreSQL and browsers write only the hours of an offset: +02, GMT+2.
  const whole = rest.replace(
    /(^|[ CT])([+-])(\d\d?)(?![\d:])/i,
    (_, before: string, sign: string, hours: string) =>
      `${before}${sign}${hours.padStart(2, '0')}:00`,
  )
  return Date.parse(text.slice(0, end) + whole)
}

/** Excel and PowerShell write UTF-16, and a byte order mark that says so. */
const byMark: Readonly<Record<string, string>> = { fffe: 'utf-16le', feff: 'utf-16be' }
/** What must be made a CSV file first. */
const others: Readonly<Record<string, string>> = {
  '1f8b': 'a file that gzip has compressed: unpack it',
  '504b': 'an archive or a workbook: unpack it, or save it as CSV',
}

function textOf(path: string, name: string): string {
  const bytes = Buffer.from(readBytes(path, name))
  const mark = bytes.toString('hex', 0, 2)
  const other = others[mark]
  if (other === undefined) return new TextDecoder(byMark[mark] ?? 'utf-8').decode(bytes)
  const expected = 'comma-separated values'
  throw new BadInput(name, [{ where: '--runs', expected, actual: other }])
}

// Pull requests judged by their test runs.

type Judged = { readonly breaks: boolean; readonly flaked: boolean }

/** Judges a pull request by its runs, oldest first: the last verdict counts. */
export function judgedBy(runs: readonly CiRun[]): Judged {
  const verdicts = runs.filter(({ outcome }) => outcome !== 'errored')
  const breaks = verdicts.at(-1)?.outcome === 'failed'
  return { breaks, flaked: !breaks && verdicts.some(({ outcome }) => outcome === 'failed') }
}

/** Whether the commit of a run, which may be shortened, is the commit with this hash. */
export function isCommit(commit: string | null, hash: string): boolean {
  return commit !== null && commit.length >= 7 && hash.startsWith(commit)
}

export const namesCommits = (runs: readonly CiRun[]): boolean =>
  runs.some(({ commit }) => commit !== null)

/** The share of runs that errored, rounded to a ten-thousandth. */
export function erroredShare(runs: readonly { readonly outcome: string }[]): number {
  const errored = runs.filter(({ outcome }) => outcome === 'errored').length
  return runs.length === 0 ? 0 : Math.round((1e4 * errored) / runs.length) / 1e4
}
