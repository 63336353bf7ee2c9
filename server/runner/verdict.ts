/** What a run of the test command says. */

import type { TestName } from '../../engine/index.ts'
import { cut } from '../terminal/text.ts'

export type Verdict = {
  /** errored: the machine failed and not the tests. */
  readonly outcome: 'passed' | 'failed' | 'errored'
  readonly failedTests: readonly TestName[]
  /** Tests that failed and passed when they were repeated within the run. */
  readonly flakyTests: readonly TestName[]
  /** Why, for people. */
  readonly words: string
  /** A page about the run. */
  readonly url?: string
}

export type Reports = {
  readonly failed: readonly TestName[]
  readonly flaky: readonly TestName[]
  /** Words about each report that cannot be read. */
  readonly unread?: readonly string[]
}

/** Reads test reports that match the patterns, in a folder. Rejects if they are too much to read. */
export type ReadReports = (folder: string, patterns: readonly string[]) => Promise<Reports>

/** For tests without reports. */
export const noReports: ReadReports = () => Promise.resolve({ failed: [], flaky: [] })

export type Exit = {
  readonly code: number | null
  readonly signal: string | null
  /** The words about the limit for which the run was ended. */
  readonly limit?: string | null
  /** True: the namespaces could not be made, so nothing of the command was run. */
  readonly isUnmade?: boolean
}

/** Signals that come from outside. Others are crashes of the tests, for example SIGSEGV. */
const fromOutside = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'])
/** A shell reports so that a command was killed with SIGKILL, as the system does without memory. */
const killed = 137
const notExecutable = 126
const notFound = 127

/** More are not told: the queue keeps them all. The API takes no more either. */
const mostTests = 3_000
/** A pull request writes its reports as it likes. Rule: A-391. */
const longestName = 900

const told = (tests: readonly TestName[]): TestName[] =>
  tests.slice(0, mostTests).map(({ name, file }) => ({
    name: cut(name, longestName),
    ...(file === undefined ? {} : { file: cut(file, longestName) }),
  }))

/**
 * The exit code decides, and reports only name tests; but a report with failures is believed although the
 * command succeeded. Without a report the command is the test that failed.
 */
export function verdictOf(exit: Exit, { failed, flaky }: Reports, command: string): Verdict {
  const { code, signal, limit = null } = exit
  if (limit !== null) return overLimit(limit, command)
  const lost = whyLost(exit)
  if (lost !== null) return errored(lost)
  const names = new Set(failed.map(({ name }) => name))
  const stayed = told(flaky.filter(({ name }) => !names.has(name)))
  if (code === 0 && failed.length === 0) {
    return { outcome: 'passed', failedTests: [], flakyTests: stayed, words: 'the tests pass' }
  }
  const failedTests = failed.length > 0 ? told(failed) : [{ name: command }]
  const words =
    code === 0
      ? 'the test command succeeded, but its report has failures'
      : `the test command ended with ${signal ?? code}`
  return { outcome: 'failed', failedTests, flakyTests: stayed, words }
}

/** Why the end of a command says nothing about what is tested, in words; null: it says something. */
function whyLost({ code, signal, isUnmade = false }: Exit): string | null {
  if (isUnmade) return 'bubblewrap could not make the namespaces of the test command'
  if (code === killed || (signal !== null && fromOutside.has(signal))) {
    return `the test command was killed${signal === null ? '' : ` by ${signal}`}`
  }
  if (code === notFound) return 'the test command, or one in it, was not found (127)'
  return code === notExecutable ? 'the test command cannot be executed (126)' : null
}

/** It is the fault of what is tested, also in its setup: it would use as much the next time. */
export function overLimit(limit: string, command: string): Verdict {
  return { outcome: 'failed', failedTests: [{ name: command }], flakyTests: [], words: limit }
}

export function errored(words: string): Verdict {
  return { outcome: 'errored', failedTests: [], flakyTests: [], words }
}
