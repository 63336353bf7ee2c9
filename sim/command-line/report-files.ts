/** The files that a run leaves behind, for a person to look at later. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The folder of a report: the scenario's name, with everything a file system might mind replaced. */
export function reportFolder(scenario: string, wished: string | null, from: string): string {
  if (wished !== null) return resolve(from, wished)
  const name = scenario.replaceAll(/[^A-Za-z0-9._-]/g, '_')
  return resolve(from, 'reports', /^\.+$/.test(name) ? `_${name}` : name)
}

/** Writes some files into the folder, making it if need be. */
export function writeReport(
  folder: string,
  files: Readonly<Record<string, Iterable<string>>>,
): void {
  mkdirSync(folder, { recursive: true })
  for (const [name, texts] of Object.entries(files)) {
    writeFileSync(join(folder, name), [...texts].join(''))
  }
}
