/** A folder that is restored from an older copy: what the lost hours handed out is refused. */

import { cpSync } from 'node:fs'
import { expect, test } from 'vitest'
import { main } from './testing/client.ts'
import { start, type TestServer } from './testing/test-server.ts'
import { temporaryFolder } from './terminal/testing/temporary-folder.ts'
import type * as wire from './contract/wire.ts'
import type { RecordedCommand } from '../engine/index.ts'
import { testRunId } from './identity/ids.ts'
import { queueRefFrom } from './identity/queue-ref.ts'
import { QueueRegistry } from './queues/queue-registry.ts'
import { silent } from './testing/recording.ts'
import { type Message, messagesOf } from './webhooks/message.ts'

const never = 4_294_967_295

async function runOf(server: TestServer, number: number): Promise<string> {
  const runs = await server.client.runs()
  const run = runs.find(({ testedPullRequests: [first] }) => first?.prNumber === number)
  return run?.testRunId ?? 'none'
}

async function stateOf({ client }: TestServer, number: number): Promise<string> {
  const body = { ...main, pr: { number } }
  return (await client.ok<wire.SubmittedPullRequest>('getSubmittedPullRequest', body)).state
}

function copyOf(data: string): string {
  const copy = temporaryFolder()
  // The lock says that the first server runs, which is true, but of the other folder.
  cpSync(data, copy, { recursive: true, filter: (path) => !path.endsWith('/lock') })
  return copy
}

async function withQueue(): Promise<TestServer> {
  const server = await start(temporaryFolder())
  const settings = { concurrency: 4, testingTimeoutMinutes: never }
  await server.client.ok('createQueue', { ...main, ...settings })
  return server
}

const passed = (id: string): object => ({ testRunId: id, outcome: 'passed' })

const statusOf = async ({ client }: TestServer, body: object): Promise<[number, string]> => {
  const { status, text } = await client.call('reportTestRun', body)
  return [status, text]
}

//
test('given a restored copy, a late verdict of a lost run is refused by name, and nothing merges untested', async () => {
  const server = await withQueue()
  await server.client.submit(1)
  await server.stop()
  const copy = copyOf(server.data)

  const lostHours = await start(server.data)
  await lostHours.client.submit(2)
  const lost = await runOf(lostHours, 2)
  await lostHours.stop()

  const restored = await start(copy)
  await restored.client.submit(3)
  // It has the number of the lost run, but another id.
  const fresh = await runOf(restored, 3)
  expect(fresh.slice(-8)).toBe(lost.slice(-8))
  expect(fresh).not.toBe(lost)
  const [status, text] = await statusOf(restored, passed(lost))
  expect(status).toBe(404)
  expect(text).toMatch(
    /is of a lost epoch \([0-9a-f]{10}\): the data was restored from an older copy/,
  )
  expect(await stateOf(restored, 3)).toBe('TESTING')
  await restored.client.ok('reportTestRun', passed(await runOf(restored, 1)))
  await restored.client.ok('reportTestRun', passed(fresh))
  expect(await stateOf(restored, 3)).toBe('MERGED')
  await restored.stop()
})

//
test('given a copy of a running server, runs of the same epoch after the copy are lost as well', async () => {
  const server = await withQueue()
  await server.client.submit(1)
  const copy = copyOf(server.data)
  await server.client.submit(2)
  const lost = await runOf(server, 2)
  await server.stop()

  const restored = await start(copy)
  expect((await statusOf(restored, passed(lost)))[1]).toContain('is of a lost epoch')
  await restored.client.submit(3)
  expect((await statusOf(restored, passed(lost)))[1]).toContain('is of a lost epoch')
  expect(await stateOf(restored, 3)).toBe('TESTING')
  await restored.stop()
})

//
test('ids that were handed out before a start stay valid after it', async () => {
  const server = await withQueue()
  await server.client.submit(1)
  const first = await runOf(server, 1)
  await server.stop()
  const again = await start(server.data)
  await again.client.submit(2)
  const second = await runOf(again, 2)
  expect(await runOf(again, 1)).toBe(first)
  expect(second.slice(14, -8)).not.toBe(first.slice(14, -8))
  for (const id of [first.toUpperCase(), second]) await again.client.ok('reportTestRun', passed(id))
  expect(await stateOf(again, 2)).toBe('MERGED')
  await again.stop()
})

//
test('an id that no server handed out is unknown, not lost', async () => {
  const server = await withQueue()
  await server.client.submit(1)
  const id = await runOf(server, 1)
  const text = `${id.slice(0, -1)}9`
  expect(await statusOf(server, passed(text))).toEqual([404, `there is no test run "${text}"`])
  await server.stop()
})

// The ids in messages contain the epoch of the server that made them.

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
