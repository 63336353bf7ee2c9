/** The files that a run leaves behind, for a person to look at later. */

import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { BadInput } from '../scenario/bad-input.ts'

/** The folder of a report: the scenario's name, with everything a file system might mind replaced. */
export function reportFolder(scenario: string, wished: string | null, from: string): string {
  if (wished !== null) return resolve(from, wished)
  return resolve(from, 'reports', folderName(scenario))
}

/** The folder that was wished for: of several scenarios, each has a folder of its own in it. */
export function wishedFolder(
  scenario: string,
  wished: string | null,
  howMany: number,
): string | null {
  return wished === null || howMany === 1 ? wished : join(wished, folderName(scenario))
}

function folderName(scenario: string): string {
  const name = scenario.replaceAll(/[^A-Za-z0-9._-]/g, '_')
  return /^\.+$/.test(name) ? `_${name}` : name
}

/**
 * Writes some files into the folder, making it if need be, piece by piece: a result may be longer
 * than any one text. Answers the path of the first. Throws `BadInput` where nothing can be written.
 */
export function writeReport(
  folder: string,
  files: Readonly<Record<string, Iterable<string>>>,
): string {
  return writable(folder, { where: '--report', expected: 'a folder that can be written' }, () => {
    mkdirSync(folder, { recursive: true })
    const paths = Object.entries(files).map(([name, texts]) => {
      const path = join(folder, name)
      writeTexts(path, texts)
      return path
    })
    return paths[0] ?? folder
  })
}

/** Writes the scenario of `--expand`. Throws `BadInput` where the file cannot be written. */
export function writeExpanded(path: string, scenario: object): void {
  writable(path, { where: '--expand', expected: 'a file that can be written' }, () =>
    writeFileSync(path, `${JSON.stringify(scenario, null, 2)}\n`),
  )
}

type Wanted = { readonly where: string; readonly expected: string }

/** Does what writes to the path. Throws `BadInput` for what the file system says against it. */
export function writable<T>(path: string, wanted: Wanted, write: () => T): T {
  try {
    return write()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new BadInput(path, [{ ...wanted, came: String(error.code) }])
  }
}

/** Many small texts cost more to write than a few large ones. */
const pieceLength = 1_000_000

function writeTexts(path: string, texts: Iterable<string>): void {
  const file = openSync(path, 'w')
  try {
    let piece = ''
    for (const text of texts) {
      piece += text
      if (piece.length < pieceLength) continue
      writeFileSync(file, piece)
      piece = ''
    }
    writeFileSync(file, piece)
  } finally {
    closeSync(file)
  }
}
