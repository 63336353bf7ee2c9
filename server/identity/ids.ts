/**
 * Ids on the wire.
 *
 * A new queue gets a random uuid, its incarnation, which is recorded in the command log. The ids of
 * its pull requests and test runs consist of the incarnation and their number, as uuids of version
 * 8 (the version for applications). So ids are the same after a replay, they differ from the ids of
 * an earlier queue with the same name, and a test run is found by its id without an index.
 *
 * The id of a test run also contains the epoch in which it started. Each start of the server draws
 * a new one, so a server on a restored copy never hands out an id of the lost hours again. Runs that
 * started before there were epochs keep their old form.
 *
 *     0c9a5a2e-5b1f-8a33-8c1d-000000000001
 *     iiiiiiii-iiii-8iii-kiii-nnnnnnnnnnnn    i: incarnation, k: kind, n: number
 *     iiiiiiii-iiii-8eee-aeee-eeeennnnnnnn    a test run with its epoch e
 *
 * The id of a test case depends only on its names and never changes: a uuid of version 5.
 */

import { randomBytes } from 'node:crypto'
import { v5 } from 'uuid'
import type { Event, PullRequestNumber, TestName, TestRunId } from '../../engine/index.ts'
import type { Repository } from './queue-ref.ts'

/** From this run on, the ids of test runs contain this epoch. */
export type RunEpoch = { readonly firstRun: TestRunId; readonly epoch: string }

/** What the ids of one queue consist of. */
export type QueueIds = {
  readonly pullRequest: string
  /** The first characters of the ids of runs without an epoch. */
  readonly oldTestRun: string
  /** The first characters of all ids of its runs. */
  readonly start: string
  /** In the order of their runs. It grows when a run starts in a new epoch. */
  readonly epochs: RunEpoch[]
}

const kinds = { pullRequest: '8', oldTestRun: '9', testRun: 'a' } as const

/** Must never change: another namespace would change the ids of all test cases. */
const testCaseNamespace = '4f1b0a52-3c0e-4a0e-9d63-5a9c1e0f7b21'

const startLength = 13
const oldIdPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-9[0-9a-f]{3}-([0-9a-f]{12})$/
const idPattern =
  /^[0-9a-f]{8}-[0-9a-f]{4}-8([0-9a-f]{3})-a([0-9a-f]{3})-([0-9a-f]{4})([0-9a-f]{8})$/

/** An epoch in ids: ten hexadecimal digits. */
export function drawEpoch(): string {
  return randomBytes(5).toString('hex')
}

export function queueIds(incarnation: string, epochs: RunEpoch[]): QueueIds {
  const hex = incarnation.replaceAll('-', '')
  const start = `${hex.slice(0, 8)}-${hex.slice(8, 12)}`
  const middle = `${start}-8${hex.slice(13, 16)}-`
  const end = `${hex.slice(17, 20)}-`
  return {
    pullRequest: `${middle}${kinds.pullRequest}${end}`,
    oldTestRun: `${middle}${kinds.oldTestRun}${end}`,
    start,
    epochs,
  }
}

/** Notes the epoch of the runs that start in these events. Null: a log without epochs. */
export function noteRuns(epochs: RunEpoch[], events: readonly Event[], epoch: string | null): void {
  if (epoch === null || epochs.at(-1)?.epoch === epoch) return
  const started = events.find((event) => event.type === 'testRunStarted')
  if (started) epochs.push({ firstRun: started.run.id, epoch })
}

export function pullRequestId({ pullRequest }: QueueIds, number: PullRequestNumber): string {
  return pullRequest + number.toString(16).padStart(12, '0')
}

export function testRunId(ids: QueueIds, run: TestRunId): string {
  const epoch = epochOf(ids, run)
  const number = run.toString(16)
  if (epoch === null) return ids.oldTestRun + number.padStart(12, '0')
  const [first, second, third] = [epoch.slice(0, 3), epoch.slice(3, 6), epoch.slice(6)]
  return `${ids.start}-8${first}-${kinds.testRun}${second}-${third}${number.padStart(8, '0')}`
}

/** Below this are the branches of test runs. */
export const testBranchPrefix = 'mergeyard/pr-'

/** The branch of a run, as it is pushed and as the API tells it. */
export function testBranchOf(ids: QueueIds, run: TestRunId, tested: readonly number[]): string {
  return `${testBranchPrefix}${tested[0] ?? 0}/${testRunId(ids, run)}`
}

/** The epoch in the id of a run; null if it has the old form. */
function epochOf({ epochs }: QueueIds, run: TestRunId): string | null {
  return epochs.findLast(({ firstRun }) => firstRun <= run)?.epoch ?? null
}

export type ReadTestRunId = {
  /** The id in lower case. */
  readonly id: string
  /** The first characters of all ids of the queue. */
  readonly start: string
  readonly run: TestRunId
  /** Null for the old form. */
  readonly epoch: string | null
}

/** Null if `text` does not have the form of a run id. */
export function readTestRunId(text: string): ReadTestRunId | null {
  const id = text.toLowerCase()
  const start = id.slice(0, startLength)
  const old = oldIdPattern.exec(id)?.[1]
  if (old !== undefined) return { id, start, run: Number.parseInt(old, 16), epoch: null }
  const found = idPattern.exec(id)
  if (!found) return null
  const [, first = '', second = '', third = '', number = ''] = found
  return { id, start, run: Number.parseInt(number, 16), epoch: first + second + third }
}

export function testCaseId({ host, owner, name }: Repository, test: TestName): string {
  return v5(JSON.stringify([host, owner, name, test.file ?? '', test.name]), testCaseNamespace)
}

// Where people find a queue, or one pull request of it, on the live page.

/** `publicUrl` is the address of the server as people reach it. Of no pull request it is the queue's page. */
export function pageAddress(
  publicUrl: string,
  { start }: Pick<QueueIds, 'start'>,
  number: PullRequestNumber | null = null,
): string {
  const queue = `${publicUrl.replace(/\/+$/, '')}/q/${start}`
  return number === null ? queue : `${queue}/${number}`
}
