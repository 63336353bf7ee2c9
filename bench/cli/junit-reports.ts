/** The JUnit reports that a test command wrote, read with the same reader as `--junit` of an import. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TestName } from '../../engine/index.ts'
import { readForeignFile } from '../../server/files/foreign-file.ts'
import { pathFilter } from '../../server/files/path-filter.ts'
import type { Reports } from '../../server/runner/verdict.ts'
import { messageOf } from '../../server/terminal/text.ts'
import { inThread, TaskThread } from '../../server/timing/task-thread.ts'
import { parseReport, type ReportedTest } from '../../sim/import/junit.ts'

const largestBytes = 64 << 20
/** A test chooses how many there are. */
const mostUnread = 10
const memory = { maxOldGenerationSizeMb: 512 }
const threadLimits = { what: 'reading the reports', longestMs: 60_000, memory }
const skipped = new Set(['.git', 'node_modules'])

type Place = { readonly folder: string; readonly patterns: readonly string[] }

/**
 * Reads the reports in a work tree, in a thread: a test chooses how many there are, how long their names and what is
 * in them. Rejects if that takes a minute or half a gigabyte.
 */
export function readReports(folder: string, patterns: readonly string[]): Promise<Reports> {
  const thread = new TaskThread(new URL(import.meta.url), reportsIn, threadLimits)
  return inThread(thread, { folder, patterns })
}

/**
 * A report that cannot be read names no test: the exit code of the command decides without it, and the log says so.
 * Symbolic links are not followed, because a test could link to any file.
 */
export function reportsIn({ folder, patterns }: Place): Reports {
  const isReport = pathFilter(patterns)
  const unread: string[] = []
  const paths = [...filesIn(folder, '')].filter((path) => isReport(path))
  if (paths.length === 0) unread.push(`no report: no file matches ${patterns.join(', ')}`)
  const reports = paths.flatMap((path) => {
    try {
      const { bytes, size } = readForeignFile(join(folder, path), largestBytes)
      if (size > largestBytes) throw new Error(`${path}: it is larger than 64 MiB`)
      return [parseReport(bytes.toString('utf8'), path)]
    } catch (error) {
      unread.push(`a report cannot be read: ${messageOf(error)}`)
      return []
    }
  })
  const named = (tests: readonly ReportedTest[]) => tests.map((each) => namedIn(each, folder))
  return {
    failed: reports.flatMap(({ failed }) => named(failed)),
    flaky: reports.flatMap(({ flaky }) => named(flaky)),
    ...(unread.length > 0 ? { unread: unread.slice(0, mostUnread) } : {}),
  }
}

/** Without the folder of the work tree: the same test has one name in whatever slot it ran. */
function namedIn({ suite, name, file }: ReportedTest, folder: string): TestName {
  const full = suite === '' || suite === 'test' ? name : `${suite} > ${name}`
  const within = (text: string): string =>
    text.replaceAll(`file://${folder}/`, '').replaceAll(`${folder}/`, '')
  return { name: within(full), ...(file === undefined ? {} : { file: within(file) }) }
}

function* filesIn(folder: string, below: string): Generator<string> {
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isFile()) yield path
    else if (entry.isDirectory() && !skipped.has(entry.name)) yield* filesIn(folder, path)
  }
}
