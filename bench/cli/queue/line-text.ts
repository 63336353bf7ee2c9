/** The line of a queue as text. */

import type * as wire from '../../../server/contract/wire.ts'
import { nameOfQueue, queueRefOf } from '../../../server/identity/queue-ref.ts'
import { columns, duration, several } from '../../../sim/terminal/text.ts'
import { oneLine } from '../../../sim/terminal/visible.ts'

export type Line = {
  readonly ref: wire.QueueRef
  readonly queue: wire.Queue
  readonly runs: readonly wire.TestRun[]
  /** Those that left the queue last, newest first. */
  readonly ended: readonly wire.EnqueuedPullRequest[]
  /** What keeps the queue from its work. */
  readonly faults: readonly string[]
}

const msPerMinute = 60_000
const words = {
  NOT_READY: 'not ready',
  PENDING: 'pending',
  TESTING: 'testing',
  TESTS_PASSED: 'passed',
  PENDING_FAILURE: 'failed once',
  MERGED: 'MERGED',
  FAILED: 'FAILED',
  CANCELLED: 'cancelled',
} as const

export function lineText({ ref, queue, runs, ended, faults }: Line, now: number): string {
  const { state, enqueuedPullRequests: queued } = queue
  const running = several(runs.length, 'test run')
  const name = oneLine(nameOfQueue(queueRefOf(ref)))
  const head = `${name}  ${state}, ${several(queued.length, 'pull request')}, ${running}\n`
  const rows = [...queued, ...ended].map((each) => rowOf(each, runs, now))
  const table = rows.length === 0 ? 'nobody is in the queue\n' : columns(rows)
  return [head, ...faults.map((fault) => `FAULT  ${oneLine(fault)}\n`), '\n', table].join('')
}

function rowOf(
  { prNumber, prTitle, state, stateChangedAt }: wire.EnqueuedPullRequest,
  runs: readonly wire.TestRun[],
  now: number,
): string[] {
  const run = runs.find(({ testedPullRequests }) =>
    testedPullRequests.some((tested) => tested.prNumber === prNumber),
  )
  const minutes = Math.max(0, (now - Date.parse(stateChangedAt)) / msPerMinute)
  const tests = run ? `${run.isBisection ? 'bisection run' : 'run'} ${run.testRunId}` : ''
  return [`#${prNumber}`, words[stateOf(state)], duration(minutes), prTitle.slice(0, 50), tests]
}

/** The server may write states in lower case. */
function stateOf(state: string): keyof typeof words {
  const upper = state.toUpperCase()
  return isState(upper) ? upper : 'PENDING'
}

function isState(text: string): text is keyof typeof words {
  return Object.hasOwn(words, text)
}
