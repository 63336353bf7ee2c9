/** The JUnit reports that a test command wrote, read with the same reader as `--junit` of an import. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import picomatch from 'picomatch'
import type { TestName } from '../../../engine/index.ts'
import { readForeignFile } from '../../../server/files/foreign-file.ts'
import type { Reports } from '../../../server/runner/verdict.ts'
import { parseReport, type ReportedTest } from '../../../sim/import/junit-report.ts'

const largestBytes = 64 << 20
const skipped = new Set(['.git', 'node_modules'])

/**
 * Reads the reports in a work tree. A report that cannot be read names no test: the exit code of the
 * command decides without it. Symbolic links are not followed, because a test could link to any file.
 */
export function readReports(folder: string, patterns: readonly string[]): Reports {
  const isReport = picomatch([...patterns], { dot: true })
  const reports = [...filesIn(folder, '')]
    .filter((path) => isReport(path))
    .flatMap((path) => {
      try {
        const { bytes, size } = readForeignFile(join(folder, path), largestBytes)
        return size > largestBytes ? [] : [parseReport(bytes.toString('utf8'), path)]
      } catch {
        return []
      }
    })
  return {
    failed: reports.flatMap(({ failed }) => failed.map(namedIn)),
    flaky: reports.flatMap(({ flaky }) => flaky.map(namedIn)),
  }
}

function namedIn({ suite, name, file }: ReportedTest): TestName {
  const full = suite === '' || suite === 'test' ? name : `${suite} > ${name}`
  return file === undefined ? { name: full } : { name: full, file }
}

function* filesIn(folder: string, below: string): Generator<string> {
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isFile()) yield path
    else if (entry.isDirectory() && !skipped.has(entry.name)) yield* filesIn(folder, path)
  }
}
