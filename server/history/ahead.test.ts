/** Who is tested again because of one ahead learns which one it was, after a restart as well. */

import { expect, test } from 'vitest'
import type { RecordedCommand, RecordedSettings } from '../../engine/index.ts'
import { ToldQueue } from '../testing/told-queue.ts'
import { whyOf } from '../views/why.ts'
import { messagesOf } from '../webhooks/message.ts'
import { readTimeline, stepsOf, writtenTimeline } from './timeline.ts'

const failure = { type: 'finishTestRun', testRun: 1, outcome: 'failed' } as const
const submitted = [1, 2, 3, 4].map((number) => ({ type: 'submitPullRequest', number }) as const)

const pause = { type: 'updateQueue', set: { state: 'PAUSED' } } as const

/** What is said of #3, whose run is on top of #1 and #2. */
function toldOfThird(set: RecordedSettings, commands: readonly RecordedCommand[]) {
  const told = new ToldQueue(set)
  const sent = [...submitted, ...commands].flatMap((command, at) =>
    messagesOf(told.at(at, command), 'origin').map(({ payload }) => payload),
  )
  const managed = told.queue
  const timeline = managed.history.pullRequests.get(3)?.timeline ?? []
  const kept = stepsOf(readTimeline(writtenTimeline(timeline)))
  expect(kept).toEqual(stepsOf(timeline))
  const queued = sent.findLast((text) => text.includes('queued') && text.includes('"pr_number":3'))
  const { why, because_of_pr_number: because }: Record<string, unknown> = JSON.parse(queued ?? '{}')
  return {
    said: whyOf(managed, told.pull(3)),
    ahead: kept.findLast(({ ahead }) => ahead)?.ahead,
    why,
    because,
  }
}

const alone = { concurrency: 3, batch: false }

//
test.each([
  [
    'one has failed',
    alone,
    [pause, failure],
    { ahead: { number: 1 }, why: '#1 ahead failed.', because: 1 },
  ],
  [
    'one was cancelled',
    alone,
    [pause, { type: 'cancelPullRequest', number: 2, reason: 'USER_REQUESTED' } as const],
    { ahead: { number: 2 }, why: '#2 ahead has left.', because: 2 },
  ],
  [
    'a batch has failed',
    { concurrency: 2, batch: true, batchingMinSize: 2, batchingMaxWaitTimeMinutes: 60 },
    [pause, failure],
    { ahead: { number: 1, inBatch: true }, why: 'The batch of #1 ahead failed.', because: 1 },
  ],
])('given that %s', (_, set, commands, told) => {
  const { said, ...facts } = toldOfThird(set, commands)
  expect(facts).toEqual(told)
  expect(said.toLowerCase()).toContain(`it is tested again: ${told.why.toLowerCase()}`)
})
