/**
 * Ids on the wire.
 *
 * A new queue gets a random uuid, its incarnation, which is recorded in the command log. The ids of
 * its pull requests and test runs consist of the incarnation and their number, as uuids of version
 * 8 (the version for applications). So ids are the same after a replay, they differ from the ids of
 * an earlier queue with the same name, and a test run is found by its id without an index.
 *
 *     0c9a5a2e-5b1f-8a33-9c1d-000000000001
 *     iiiiiiii-iiii-8iii-kiii-nnnnnnnnnnnn    i: incarnation, k: kind, n: number
 *
 * The id of a test case depends only on its names and never changes: a uuid of version 5.
 */

import { v5 } from 'uuid'
import type { PullRequestNumber, TestName, TestRunId } from '../../engine/index.ts'
import type { Repository } from './queue-ref.ts'

/** The first characters of all ids of one queue. */
export type IdPrefixes = { readonly pullRequest: string; readonly testRun: string }

const kinds = { pullRequest: '8', testRun: '9' } as const

/** Must never change: another namespace would change the ids of all test cases. */
const testCaseNamespace = '4f1b0a52-3c0e-4a0e-9d63-5a9c1e0f7b21'

const prefixLength = 24
const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-9[0-9a-f]{3}-[0-9a-f]{12}$/

export function idPrefixes(incarnation: string): IdPrefixes {
  const hex = incarnation.replaceAll('-', '')
  const start = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-`
  const end = `${hex.slice(17, 20)}-`
  return {
    pullRequest: `${start}${kinds.pullRequest}${end}`,
    testRun: `${start}${kinds.testRun}${end}`,
  }
}

export function pullRequestId(prefixes: IdPrefixes, number: PullRequestNumber): string {
  return prefixes.pullRequest + number.toString(16).padStart(12, '0')
}

export function testRunId(prefixes: IdPrefixes, run: TestRunId): string {
  return prefixes.testRun + run.toString(16).padStart(12, '0')
}

/** The id prefix of the queue and the number of the run in it. Null if `text` is not a run id. */
export function readTestRunId(
  text: string,
): { readonly prefix: string; readonly run: TestRunId } | null {
  const id = text.toLowerCase()
  if (!idPattern.test(id)) return null
  return { prefix: id.slice(0, prefixLength), run: Number.parseInt(id.slice(prefixLength), 16) }
}

export function testCaseId({ host, owner, name }: Repository, test: TestName): string {
  return v5(JSON.stringify([host, owner, name, test.file ?? '', test.name]), testCaseNamespace)
}
