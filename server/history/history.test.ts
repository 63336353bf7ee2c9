/** The commits behind submissions and tips, and that they survive a restart. */

import { expect, test } from 'vitest'
import type { RecordedCommand, RecordedSettings } from '../../engine/index.ts'
import { linesOfState, stateOfLines } from '../store/snapshot-file.ts'
import { DrivenQueue } from '../testing/driven-queue.ts'
import { whyInFull, whyOf } from '../views/why.ts'
import { messagesOf } from '../webhooks/message.ts'
import { readTimeline, stepsOf, writtenTimeline } from './timeline.ts'

const author = { name: 'Ada', email: 'ada@example.com' }
const snapshot = (head: string) => ({
  head,
  title: head,
  body: '',
  author,
  ref: 'refs/pull/1/head',
})

/** A queue on a host; each command comes a minute after the last. */
function queueWith(...commands: readonly RecordedCommand[]): DrivenQueue {
  const driven = new DrivenQueue({}, { codeHost: 'answers' })
  for (const [index, command] of commands.entries()) driven.at(index + 1, command)
  return driven
}

const merged: readonly RecordedCommand[] = [
  { type: 'reportTip', commit: 'c0' },
  { type: 'reportPullRequest', number: 1, title: 'Pay twice', author: 'ada' },
  { type: 'submitPullRequest', number: 1, card: snapshot('h1') },
  { type: 'finishTestRun', testRun: 1, outcome: 'passed', commit: 't1' },
  { type: 'finishMerge', number: 1, refused: null, commits: ['c1'] },
  { type: 'reportPush', commit: 'c2' },
]

/** The history of the queue, also after a restart from a snapshot. */
function histories({ queue, registry }: DrivenQueue) {
  const read = stateOfLines(registry, linesOfState(registry.state()))
  return [queue.history, read.queues[0]?.history]
}

test('each tip has the commit that the command told that moved it, also after a restart', () => {
  for (const history of histories(queueWith(...merged))) {
    expect([...(history?.tips ?? [])]).toEqual([
      [0, 'c0'],
      [1, 'c1'],
      [2, 'c2'],
    ])
  }
})

test('of two hundred thousand tips the newest stay when the queue forgets', () => {
  const driven = queueWith(...merged)
  const { tips } = driven.queue.history
  for (let tip = 3; tip <= 200_000; tip++) tips.set(tip, `c${tip}`)
  driven.at(merged.length + 1, { type: 'forget', numbers: [1] })
  expect([...tips.keys()].slice(0, 1)).toEqual([190_000])
  expect(tips.get(200_000)).toBe('c200000')
})

test('what was told about a pull request and its run is known, also after a restart', () => {
  for (const history of histories(queueWith(...merged))) {
    const described = { title: 'Pay twice', author: 'ada', base: '' }
    expect(history?.pullRequests.get(1)?.described).toEqual(described)
    expect(history?.testRuns.get(1)).toMatchObject({
      outcome: 'passed',
      endedAt: 4 * 60_000,
      commit: 't1',
    })
  }
})

//
test('required statuses of before are known while a run is kept that ended by them, also after a restart', () => {
  const set = (...names: string[]): RecordedCommand => ({
    type: 'updateQueue',
    set: { requiredStatuses: names },
  })
  const driven = queueWith(set('unused'), ...merged, set('ci'), set('lint'))
  const untils = [
    { until: 60_000, statuses: null },
    { until: 8 * 60_000, statuses: ['unused'] },
    { until: 9 * 60_000, statuses: ['ci'] },
  ]
  for (const history of histories(driven)) expect(history?.statusesUntil).toEqual(untils)
  driven.at(10, { type: 'submitPullRequest', number: 2, card: snapshot('h2') })
  driven.at(11, { type: 'forget', numbers: [1] })
  for (const history of histories(driven)) expect(history?.statusesUntil).toEqual([])
})

//
test('a cancel that waited for a merge is by who asked for it, unless it was taken back, also after a restart', () => {
  const driven = queueWith(...merged.slice(0, 4))
  const byToken = (token: string, command: RecordedCommand) =>
    driven.at(5, command, { by: { token, request: '1' } })
  const cancel: RecordedCommand = { type: 'cancelPullRequest', number: 1, reason: 'USER_REQUESTED' }
  for (const [token, command, kept] of [
    ['Ada', cancel, 'Ada'],
    ['Bob', { type: 'submitPullRequest', number: 1 }, undefined],
    ['Cyd', cancel, 'Cyd'],
  ] as const) {
    byToken(token, command)
    for (const history of histories(driven))
      expect(history?.pullRequests.get(1)?.leavingBy).toBe(kept)
  }
  byToken('the host', { type: 'finishMerge', number: 1, refused: 'TARGET_BRANCH_MOVED' })
  expect(whyInFull(driven.queue, driven.pull(1))).toBe('Cancelled by Cyd.')
})

test('a submission freezes its head; a push needs a new submission, which has a snapshot of its own', () => {
  const driven = queueWith(
    { type: 'submitPullRequest', number: 1, card: snapshot('h1') },
    { type: 'submitPullRequest', number: 1, priority: 0, card: snapshot('h2') },
    { type: 'cancelPullRequest', number: 1, reason: 'PR_PUSHED_TO' },
    { type: 'submitPullRequest', number: 1, card: snapshot('h3') },
  )
  for (const history of histories(driven)) {
    expect(
      [...(history?.snapshots ?? [])].map(([id, { head, number, at }]) => [id, number, head, at]),
    ).toEqual([
      [1, 1, 'h1', 60_000],
      [2, 1, 'h3', 240_000],
    ])
  }
})

test('the snapshots of forgotten pull requests are dropped', () => {
  const driven = queueWith(...merged, { type: 'forget', numbers: [1] })
  for (const history of histories(driven)) {
    expect(history?.snapshots.size).toBe(0)
    expect(history?.tips.get(2)).toBe('c2')
  }
})

// Who is tested again because of one ahead learns which one it was, after a restart as well.

const failure = { type: 'finishTestRun', testRun: 1, outcome: 'failed' } as const
const submitted = [1, 2, 3, 4].map((number) => ({ type: 'submitPullRequest', number }) as const)

const pause = { type: 'updateQueue', set: { state: 'PAUSED' } } as const

/** What is said of #3, whose run is on top of #1 and #2. */
function drivenThird(set: RecordedSettings, commands: readonly RecordedCommand[]) {
  const driven = new DrivenQueue(set)
  const sent = [...submitted, ...commands].flatMap((command, at) =>
    messagesOf(driven.at(at, command), 'origin').map(({ payload }) => payload),
  )
  const managed = driven.queue
  const timeline = managed.history.pullRequests.get(3)?.timeline ?? []
  const kept = stepsOf(readTimeline(writtenTimeline(timeline)))
  expect(kept).toEqual(stepsOf(timeline))
  const queued = sent.findLast((text) => text.includes('queued') && text.includes('"pr_number":3'))
  const { why, because_of_pr_number: because }: Record<string, unknown> = JSON.parse(queued ?? '{}')
  return {
    said: whyOf(managed, driven.pull(3)),
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
])('given that %s', (_, set, commands, expected) => {
  const { said, ...facts } = drivenThird(set, commands)
  expect(facts).toEqual(expected)
  expect(said.toLowerCase()).toContain(`it is tested again: ${expected.why.toLowerCase()}`)
})
