/** The ids in messages contain the epoch of the server that made them. */

import { expect, test } from 'vitest'
import type { RecordedCommand } from '../../engine/index.ts'
import { testRunId } from '../identity/ids.ts'
import { queueRefFrom } from '../identity/queue-ref.ts'
import { QueueRegistry } from '../queues/queue-registry.ts'
import { silent } from '../testing/recording.ts'
import { type Message, messagesOf } from './message.ts'

const name = 'github.com/acme/shop:main'
const incarnation = '0c9a5a2e-5b1f-4a33-8c1d-111111111111'

/** Runs commands in epochs, and returns the messages of all of them. */
function messagesAbout(
  commands: readonly (readonly [epoch: string | null, command: RecordedCommand])[],
): { readonly messages: Message[]; readonly registry: QueueRegistry } {
  const registry = new QueueRegistry(silent)
  const messages = commands.flatMap(([epoch, command]) => {
    if (epoch !== null) registry.beginEpoch(epoch)
    const [sequence, at] = [registry.sequence + 1, 1]
    const outcome = registry.apply({ sequence, at, queue: name, command })
    if (!outcome.accepted) throw new Error(outcome.rejection.code)
    const { events, notices } = outcome
    const applied = { sequence, at, epoch, queue: queueRefFrom(name), command, events, notices }
    return messagesOf(applied, 'origin')
  })
  return { messages, registry }
}

const create = { type: 'createQueue', incarnation, set: { concurrency: 9 } } as const
const submit = (number: number): RecordedCommand => ({ type: 'submitPullRequest', number })

/** The run in each message that names one, and the pull request. */
function runsIn(messages: readonly Message[]): [number, string][] {
  return messages.flatMap(({ payload }) => {
    const body: { pr_number: number; test_run_id?: string } = JSON.parse(payload)
    return body.test_run_id === undefined ? [] : [[body.pr_number, body.test_run_id]]
  })
}

//
test('given the same commands in another epoch, no message and no run has the same id', () => {
  const [lost, restored] = ['aaaaaaaaaa', 'bbbbbbbbbb'].map(
    (epoch) =>
      messagesAbout([
        ['0000000000', create],
        [epoch, submit(1)],
      ]).messages,
  )
  expect(lost?.map(({ id }) => id)).toEqual([
    'msg_origin_0000000000_1_0',
    ...[0, 1, 2].map((index) => `msg_origin_aaaaaaaaaa_2_${index}`),
  ])
  expect(runsIn(lost ?? [])).toEqual([[1, '0c9a5a2e-5b1f-8aaa-aaaa-aaaa00000001']])
  expect(runsIn(restored ?? [])).toEqual([[1, '0c9a5a2e-5b1f-8bbb-abbb-bbbb00000001']])
})

//
test('the runs of a message have the ids of the API, also those that started in an earlier epoch', () => {
  const { messages, registry } = messagesAbout([
    [null, create],
    [null, submit(1)],
    ['aaaaaaaaaa', submit(2)],
    ['bbbbbbbbbb', { type: 'finishTestRun', testRun: 1, outcome: 'passed' }],
    ['bbbbbbbbbb', submit(3)],
    ['bbbbbbbbbb', { type: 'finishTestRun', testRun: 2, outcome: 'passed' }],
  ])
  const ids = registry.find(name)?.ids
  if (!ids) throw new Error('no queue')
  expect(messages.slice(0, 2).map(({ id }) => id)).toEqual(['msg_origin_1_0', 'msg_origin_2_0'])
  expect(testRunId(ids, 1)).toBe('0c9a5a2e-5b1f-8a33-9c1d-000000000001')
  for (const [number, id] of runsIn(messages)) expect(id).toBe(testRunId(ids, number))
})
