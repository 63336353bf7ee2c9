/** The files that a run leaves behind, for a person to look at later. */

import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The folder of a report: the scenario's name, with everything a file system might mind replaced. */
export function reportFolder(scenario: string, wished: string | null, from: string): string {
  if (wished !== null) return resolve(from, wished)
  const name = scenario.replaceAll(/[^A-Za-z0-9._-]/g, '_')
  return resolve(from, 'reports', /^\.+$/.test(name) ? `_${name}` : name)
}

/**
 * Writes some files into the folder, making it if need be, piece by piece: a result may be longer
 * than any one text. Answers the path of the first.
 */
export function writeReport(
  folder: string,
  files: Readonly<Record<string, Iterable<string>>>,
): string {
  mkdirSync(folder, { recursive: true })
  const paths = Object.entries(files).map(([name, texts]) => {
    const path = join(folder, name)
    writeTexts(path, texts)
    return path
  })
  return paths[0] ?? folder
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
