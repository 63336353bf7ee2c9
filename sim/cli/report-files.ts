/** Writes the files of a run: its report, results and expanded scenario. */

import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  rmdirSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join, resolve, dirname } from 'node:path'
import type { Event } from '../../engine/index.ts'
import { BadInput } from '../../server/terminal/bad-input.ts'
import { makeFolder, obstacleIn, writeResultFile } from '../../server/terminal/files.ts'

/** A document as it is printed and written. */
export const jsonOf = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`

/**
 * Returns the report folder. By default it is named after the scenario, and so is the subfolder of the
 * requested one that each of several scenarios has.
 */
export function reportFolder(
  scenario: string,
  requested: string | null,
  from: string,
  howMany = 1,
): string {
  if (requested === null) return resolve(from, 'reports', folderName(scenario))
  return resolve(from, requested, howMany === 1 ? '' : folderName(scenario))
}

function folderName(scenario: string): string {
  const name = withSafeCharacters(scenario)
  return /^\.+$/.test(name) ? `_${name}` : name
}

/** Returns the name of the scenario with characters that any file may have. */
export const withSafeCharacters = (scenario: string): string =>
  scenario.replaceAll(/[^A-Za-z0-9._-]/g, '_')

/**
 * Writes the files into the folder and creates it if it is missing. Returns the path of the first file.
 * Throws `BadInput` if a file cannot be written.
 */
export function writeReport(
  folder: string,
  files: Readonly<Record<string, Iterable<string>>>,
): string {
  return writable(
    folder,
    { where: '--report', expected: 'a folder that can be written', in: folder },
    () => {
      const paths = Object.entries(files).map(([name, texts]) => {
        const path = join(folder, name)
        writeResultFile(path, texts)
        return path
      })
      return paths[0] ?? folder
    },
  )
}

/** Writes the scenario of an option. Throws `BadInput` if the file cannot be written. */
export function writeScenario(path: string, where: '--expand' | '--out', scenario: object): void {
  writable(path, { where, expected: 'a file that can be written', in: dirname(path) }, () =>
    writeResultFile(path, [jsonOf(scenario)]),
  )
}

type ExpectedFile = {
  readonly where: string
  readonly expected: string
  /** The folder that it takes, which is made if it is missing. */
  readonly in: string
}

/** Calls `write` when its folder is there, and returns its result. Throws `BadInput` for errors of the file system. */
function writable<T>(path: string, wanted: ExpectedFile, write: () => T): T {
  try {
    makeFolder(wanted.in)
    return write()
  } catch (error) {
    throw unwritable(path, wanted, error)
  }
}

/** Returns the error of the file system as `BadInput`, and any other as it is. */
function unwritable(path: string, { in: folder, ...wanted }: ExpectedFile, error: unknown) {
  if (!(error instanceof Error && 'code' in error)) return error
  // A full disk takes no folder either.
  const obstacle = error.code === 'ENOSPC' ? null : obstacleOf(nearestThatExists(folder))
  const actual = obstacle ?? obstacleIn(error)
  return new BadInput(path, [{ ...wanted, actual }])
}

// Refuses a report folder before the run, so that no result of a long run is lost.

/** Throws `BadInput` if the folder, or the folder in which it would be made, cannot be written. */
export function refuseUnwritable(folder: string): void {
  const actual = obstacleOf(nearestThatExists(folder))
  if (actual === null) return
  throw new BadInput(folder, [
    { where: '--report', expected: 'a folder that can be written', actual },
  ])
}

/** The same for the folders of several scenarios. Throws as well if two of them would share one. */
export function refuseFolders(
  scenarios: readonly string[],
  requested: string | null,
  from: string,
): void {
  const folders = scenarios.map((name) => reportFolder(name, requested, from, scenarios.length))
  const shared = folders.find((folder, index) => folders.indexOf(folder) !== index)
  if (shared !== undefined) {
    const expected = 'a folder for each scenario: give each another name, or --no-report'
    const actual = 'two scenarios with one name'
    throw new BadInput(shared, [{ where: '--report', expected, actual }])
  }
  for (const folder of folders) refuseUnwritable(folder)
}

/** Nothing is made before the run: one that is interrupted leaves no empty folder behind. */
function nearestThatExists(path: string): string {
  const parent = dirname(path)
  return existsSync(path) || parent === path ? path : nearestThatExists(parent)
}

function obstacleOf(existing: string): string | null {
  if (!statSync(existing).isDirectory()) return `${existing}, which is a file`
  try {
    rmdirSync(mkdtempSync(join(existing, '.mergeyard-')))
    return null
  } catch {
    return `${existing}, in which nothing can be written`
  }
}

// `--trace`: writes every command, event and effect as a line of JSON.

/** Returns the call of a port that an event causes; null if it causes none. */
function effectOf(event: Event): object | null {
  if (event.type === 'testRunStarted') {
    return { port: 'testRunner', do: 'start', testRun: event.run.id }
  }
  const isTimedOut = event.type === 'testRunFinished' && event.outcome === 'timed_out'
  if (event.type === 'testRunCancelled' || isTimedOut) {
    return { port: 'testRunner', do: 'cancel', testRun: event.testRun }
  }
  if (event.type === 'mergeRequested') {
    const { number, numbers } = event
    return { port: 'codeHost', do: 'merge', number, ...(numbers ? { numbers } : {}) }
  }
  if (event.type === 'wakeScheduled') {
    return { port: 'clock', do: 'wakeAt', instant: event.wakeAt }
  }
  return null
}

export class TraceFile {
  readonly #path: string
  readonly #wanted: ExpectedFile
  readonly #file: number

  constructor(path: string) {
    this.#path = path
    this.#wanted = { where: '--trace', expected: 'a file that can be written', in: dirname(path) }
    this.#file = writable(path, this.#wanted, () => openSync(path, 'w'))
  }

  /** Writes lines of the trace, and each effect after the event that causes it. */
  readonly add = (lines: string): void => {
    for (const line of lines.split('\n')) {
      if (line === '') continue
      const parsed: { readonly event?: Event } = JSON.parse(line)
      const effect = parsed.event ? effectOf(parsed.event) : null
      this.#write(`${line}\n${effect ? `${JSON.stringify({ effect })}\n` : ''}`)
    }
  }

  #write(text: string): void {
    try {
      writeSync(this.#file, text)
    } catch (error) {
      throw unwritable(this.#path, this.#wanted, error)
    }
  }

  close(): void {
    closeSync(this.#file)
  }
}
