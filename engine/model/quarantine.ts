/**
 * Tests in quarantine: a run in which only such tests failed counts as passed.
 *
 * Rules: E-270 to E-277.
 */

import { type Millis, type TestName, testKey } from './ids.ts'
import type { QuarantineEntry, QueueView } from './state.ts'

/** A test that people may want to put in quarantine: it is known to flake, and failed lately. */
export type QuarantineProposal = {
  readonly test: string
  /** In how many of the last 100 verdicts it failed. */
  readonly failures: number
  /** How many of these were flakes. */
  readonly flakes: number
}

/** The number of entries that a queue keeps at most. */
export const quarantineLimit = 1000

/** True if the entry has an effect at this instant. */
export const isInForce = ({ until }: QuarantineEntry, at: Millis): boolean =>
  until === undefined || at < until

/** The entry of a test; undefined if it has none. A test may be called like a method of every object. */
export const entryOf = (
  { quarantine }: Pick<QueueView, 'quarantine'>,
  test: string,
): QuarantineEntry | undefined =>
  quarantine && Object.hasOwn(quarantine.tests, test) ? quarantine.tests[test] : undefined

/** True if a run in which exactly these tests failed counts as passed. One that names none does not. E-271 */
export const areInQuarantine = (
  queue: QueueView,
  failedTests: readonly TestName[],
  at: Millis,
): boolean => failedTests.length > 0 && areInForce(queue, failedTests.map(testKey), at)

/** True if each of these tests has an entry in force. */
export const areInForce = (
  queue: Pick<QueueView, 'quarantine'>,
  tests: readonly string[],
  at: Millis,
): boolean =>
  tests.every((test) => {
    const entry = entryOf(queue, test)
    return entry !== undefined && isInForce(entry, at)
  })

/** True if the test is known to flake, or people say so: it has an entry, also one that has ended. E-273 */
export const isKnownToFlake = (queue: QueueView, test: string): boolean =>
  hasFlaked(queue, test) || entryOf(queue, test) !== undefined

/** True if runs of the queue have shown that the test flakes, or a report has said so. E-82 */
export const hasFlaked = ({ flakyTests }: Pick<QueueView, 'flakyTests'>, test: string): boolean =>
  flakyTests[test] === true

/**
 * The tests that are known to flake, failed in one of the last 100 verdicts, and are not in quarantine now. Those
 * that flaked most often come first.
 */
export function quarantineProposals(queue: QueueView, at: Millis): QuarantineProposal[] {
  const found = new Map<string, { test: string; failures: number; flakes: number }>()
  for (const { failedTests, contradicted } of queue.verdicts) {
    for (const test of new Set(failedTests)) {
      const entry = entryOf(queue, test)
      if (!hasFlaked(queue, test) || (entry && isInForce(entry, at))) continue
      const proposal = found.get(test) ?? { test, failures: 0, flakes: 0 }
      proposal.failures++
      if (contradicted) proposal.flakes++
      found.set(test, proposal)
    }
  }
  return [...found.values()].sort(
    (a, b) => b.flakes - a.flakes || b.failures - a.failures || (a.test < b.test ? -1 : 1),
  )
}
