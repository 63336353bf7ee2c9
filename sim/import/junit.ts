/**
 * `--junit`: a folder of JUnit reports. Each file is one run. The files of a subfolder are one run
 * together, and its length is their sum.
 */

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { BadInput } from '../../server/terminal/bad-input.ts'
import { parseReport } from './junit-report.ts'

export type JUnitRun = {
  readonly minutes: number
  readonly hasFailed: boolean
  /** Tests that failed, and passed when they were repeated within the run. */
  readonly flaky: readonly string[]
}

/** Reads the runs of a folder. Throws `BadInput` if it has no reports, or invalid ones. */
export function readJUnit(folder: string, name: string): JUnitRun[] {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false
  if (!isFolder) {
    throw new BadInput(name, [{ where: '--junit', expected: 'a folder', actual: 'none' }])
  }
  const runs = readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      if (!entry.isDirectory()) return isReport(entry.name) ? [[entry.name]] : []
      const inside = readdirSync(join(folder, entry.name)).filter(isReport).sort()
      return inside.length > 0 ? [inside.map((each) => join(entry.name, each))] : []
    })
  if (runs.length === 0) {
    const expected = 'a folder with JUnit reports (*.xml) in it'
    throw new BadInput(name, [{ where: '--junit', expected, actual: 'none' }])
  }
  return runs.map((files) =>
    combined(files.map((file) => parseJUnit(readFileSync(join(folder, file), 'utf8'), file))),
  )
}

const isReport = (name: string): boolean => name.endsWith('.xml')

function combined(parts: readonly JUnitRun[]): JUnitRun {
  return {
    minutes: parts.reduce((sum, { minutes }) => sum + minutes, 0),
    hasFailed: parts.some(({ hasFailed }) => hasFailed),
    flaky: parts.flatMap(({ flaky }) => flaky),
  }
}

/** Parses one report. Throws `BadInput` if it is not one. */
export function parseJUnit(text: string, name: string): JUnitRun {
  const { seconds, failed, flaky } = parseReport(text, name)
  return {
    minutes: seconds / 60,
    hasFailed: failed.length > 0,
    flaky: flaky.map(({ suite, name: test }) => (suite === '' ? test : `${suite} > ${test}`)),
  }
}
