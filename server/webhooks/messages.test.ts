import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  type RecordedCommand,
  type RecordedSettings,
  pullRequestStates,
} from '../../engine/index.ts'
import { eventTypes } from '../notices/queue-notices.ts'
import { DrivenQueue } from '../testing/driven-queue.ts'
import { addressOf, makeEndpoint, messagesOf } from './message.ts'
import { type Outbox, type OutboxLine, OutboxState } from './outbox.ts'
import { addMessagesOf } from './webhooks.ts'
import { type Schema, openApiText } from '../contract/openapi.ts'
import { schemasOfDocument } from '../http/schema.ts'
import { appliedOf } from '../queues/publisher.ts'
import { QueueRegistry } from '../queues/queue-registry.ts'
import { entries, silent } from '../testing/recording.ts'

const queueName = 'github.com/acme/shop:main'
const run = (number: number): string => `0c9a5a2e-5b1f-8a33-9c1d-00000000000${number}`

/** A queue whose commands, one a minute, return the messages about them. */
function queueWithMessages(set: RecordedSettings = {}) {
  const driven = new DrivenQueue(set)
  const send = (command: RecordedCommand) =>
    messagesOf(driven.at(driven.registry.sequence + 1, command), 'origin')
  const submit = (number: number): string[] => brief(send({ type: 'submitPullRequest', number }))
  const finish = (testRun: number, outcome: 'passed' | 'failed'): string[] =>
    brief(send({ type: 'finishTestRun', testRun, outcome }))
  return { send, submit, finish, first: messagesOf(driven.created, 'origin') }
}

type Body = Readonly<Record<string, unknown>>

/** Messages as `merged 1 MERGE_GRAPH_MERGE run 1`; those about a batch begin with `batch:`. */
function brief(messages: readonly { readonly type: string; readonly payload: string }[]): string[] {
  return messages.map(({ type, payload }) => {
    const body: Body = JSON.parse(payload)
    const [family = '', action = ''] = type.split('.')
    const reason = Object.entries(body).find(([key]) => key.endsWith('_reason'))?.[1]
    const id = body['test_run_id']
    const parts = [
      family === 'pull_request' ? '' : `${family.replace('pull_request_', '')}:`,
      action,
      body['pr_number'] ?? body['pr_numbers'],
      reason,
      typeof id === 'string' ? `run ${Number(id.slice(-1))}` : '',
      body['is_bisection'] === true ? 'in a bisection' : '',
    ]
    return parts.filter((part) => part !== '' && part !== undefined).join(' ')
  })
}

describe('webhook messages', () => {
  test('are sent for each step of a pull request that merges', () => {
    const { submit, finish } = queueWithMessages()

    expect(submit(1)).toEqual([
      'submitted 1 API_REQUESTED',
      'queued 1 API_REQUESTED',
      'testing 1 run 1',
    ])
    expect(finish(1, 'passed')).toEqual([
      'tests_passed 1 TEST_RUN_PASSED run 1',
      'merged 1 MERGE_GRAPH_MERGE run 1',
    ])
  })

  //
  test('name the tests that failed, and the run that passed without them', () => {
    const { send, submit, finish } = queueWithMessages({ policy: 'documented', batch: false })
    submit(1)
    finish(1, 'passed')
    submit(2)
    const failedTests = [{ name: 'pays twice' }]
    const driven = send({ type: 'finishTestRun', testRun: 2, outcome: 'failed', failedTests })
    const failed = driven.find(({ type }) => type === 'pull_request.failed')
    const body: Body = JSON.parse(failed?.payload ?? '{}')
    expect(body['failed_tests']).toEqual(['pays twice'])
    expect(body['passed_without_test_run_id']).toMatch(/1$/)
    expect(body['test_run_id']).toMatch(/2$/)
  })

  test('have all documented fields', () => {
    const { send } = queueWithMessages()
    send({ type: 'submitPullRequest', number: 7 })

    const [, merged] = send({ type: 'finishTestRun', testRun: 1, outcome: 'passed' })

    expect(merged).toEqual({
      id: 'msg_origin_3_1',
      type: 'pull_request.merged',
      lanes: [`${queueName}#7`],
      queue: queueName,
      sequence: 6,
      payload: JSON.stringify({
        type: 'pull_request.merged',
        timestamp: '1970-01-01T00:03:00.000Z',
        repository: { host: 'github.com', owner: 'acme', name: 'shop' },
        target_branch: 'main',
        sequence: 6,
        pr_number: 7,
        status: 'merged',
        merged_reason: 'MERGE_GRAPH_MERGE',
        test_run_id: run(1),
        is_bisection: false,
      }),
    })
  })

  test('are sent for every run of a batch that fails and is bisected', () => {
    const { submit, finish } = queueWithMessages({
      batch: true,
      batchingMinSize: 3,
      batchingMaxWaitTimeMinutes: 5,
      concurrency: 1,
    })
    submit(1)
    submit(2)

    expect(submit(3)).toEqual([
      'submitted 3 API_REQUESTED',
      'queued 3 API_REQUESTED',
      'testing 1 run 1',
      'testing 2 run 1',
      'testing 3 run 1',
      'batch: testing 1,2,3 run 1',
    ])
    const failed = finish(1, 'failed')
    expect(failed.slice(0, 8)).toEqual([
      'pending_failure 1 TEST_RUN_REQUIRED_STATUS_FAILED run 1',
      'pending_failure 2 TEST_RUN_REQUIRED_STATUS_FAILED run 1',
      'pending_failure 3 TEST_RUN_REQUIRED_STATUS_FAILED run 1',
      'batch: pending_failure 1,2,3 TEST_RUN_REQUIRED_STATUS_FAILED run 1',
      'queued 1 BISECTION_REQUIRED in a bisection',
      'queued 2 BISECTION_REQUIRED in a bisection',
      'queued 3 BISECTION_REQUIRED in a bisection',
      'batch: queued 1,2,3 BISECTION_REQUIRED in a bisection',
    ])
    const firstHalf = failed.slice(8)
    expect(firstHalf).toEqual([
      'testing 1 run 2 in a bisection',
      'testing 2 in a bisection',
      'testing 3 in a bisection',
      'batch: testing 2,3 in a bisection',
    ])
    const everything = [...finish(2, 'passed'), ...finish(3, 'failed')]
    expect(everything).toContain('merged 1 MERGE_GRAPH_MERGE run 2 in a bisection')
    expect(everything.filter((text) => text.startsWith('testing'))).not.toEqual([])
    expect(everything.filter((text) => text.startsWith('failed'))).toEqual([
      expect.stringMatching(/^failed 2 TEST_RUN_REQUIRED_STATUS_FAILED run 3 in a bisection/),
    ])
  })

  test('are separate for each batch when several batches restart', () => {
    const { send, submit } = queueWithMessages({ batch: true, batchingMinSize: 2, concurrency: 3 })
    for (const number of [1, 2, 3, 4, 5, 6]) submit(number)

    const restarted = brief(send({ type: 'reportPush' }))

    expect(restarted.filter((text) => text.startsWith('batch: queued'))).toEqual([
      'batch: queued 1,2 MANUAL_PUSH_TO_TARGET_BRANCH',
      'batch: queued 3,4 MANUAL_PUSH_TO_TARGET_BRANCH',
      'batch: queued 5,6 MANUAL_PUSH_TO_TARGET_BRANCH',
    ])
  })

  test('are sent for a text conflict', () => {
    const { send, submit } = queueWithMessages()
    submit(1)
    send({ type: 'reportPullRequest', number: 2, conflictsWith: [1] })

    expect(submit(2)).toContain('pending_failure 2 START_TEST_RUN_MERGE_CONFLICT')
  })

  test('are sent when a queue is created, updated or deleted', () => {
    const { first, send } = queueWithMessages()

    expect(first[0]?.payload).toContain('"status":"running"')
    expect(brief(first)).toEqual(['queue: created'])
    const [paused] = send({ type: 'updateQueue', set: { state: 'PAUSED' } })
    expect(paused?.type).toBe('queue.updated')
    expect(paused?.payload).toContain('"status":"paused"')
    expect(brief(send({ type: 'updateQueue', set: {} }))).toEqual([])
    expect(brief(send({ type: 'deleteQueue' }))).toEqual(['queue: deleted'])
  })
})

// The table of words in server/API.md names every state and every event.

const text = readFileSync(new URL('../../../server/API.md', import.meta.url), 'utf8')
const rows = [...text.matchAll(/^\| (.+?) +\| (.+?) +\|$/gm)].map(([, api = '', webhook = '']) => {
  return { api, webhook }
})

//
test('the table has each state of a pull request with its word in webhooks', () => {
  const states = rows.flatMap(({ api, webhook }) => {
    const state = /^state `(\w+)`(?:,|$)/.exec(api)?.[1]
    return state === undefined ? [] : [[state, /^`(\w+)`/.exec(webhook)?.[1] ?? null] as const]
  })
  expect(states.map(([state]) => state).sort()).toEqual([...pullRequestStates].sort())
  const actions = eventTypes.flatMap((type) => /^pull_request\.(\w+)$/.exec(type)?.[1] ?? [])
  const words = states.flatMap(([, word]) => word ?? [])
  expect(['submitted', ...words].sort()).toEqual(actions.sort())
})

// Every message fits its schema in the `webhooks` of the OpenAPI document.

type WebhookObject = {
  readonly post: {
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': { readonly schema: Schema; readonly example: unknown }
      }
    }
  }
}

const { webhooks }: { readonly webhooks: Readonly<Record<string, WebhookObject>> } =
  JSON.parse(openApiText)
const ajv = schemasOfDocument({ strictTypes: false, validateSchema: true })

/** For each type, a check that takes unknown fields as faults. */
const checks = new Map(
  Object.entries(webhooks).map(([type, { post }]) => {
    const { schema } = post.requestBody.content['application/json']
    const local: Schema = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'))
    return [type, ajv.compile({ allOf: [local], unevaluatedProperties: false })]
  }),
)

function faultsOf(type: string, body: unknown): unknown {
  const validate = checks.get(type)
  if (!validate) return 'no such event type'
  return validate(body) ? null : validate.errors
}

/** The messages of a log with a failure, a bisection, cancels, changes and the end of the queue. */
function payloads(): string[] {
  const registry = new QueueRegistry(silent)
  const by = { token: 'ci', request: '5e1c1f5c-6c0a-4f6e-9a6a-0f5f0d3a7a11' }
  const name = 'github.com/acme/shop:next'
  const incarnation = '0c9a5a2e-5b1f-4a33-8c1d-222222222222'
  const more: RecordedCommand[] = [
    { type: 'createQueue', incarnation, set: {} },
    { type: 'updateQueue', set: { state: 'PAUSED' } },
    { type: 'deleteQueue' },
  ]
  const all = [...entries(), ...more.map((command) => ({ at: 0, queue: name, command }))]
  return all.flatMap(({ at, queue, command }, index) => {
    const entry = { sequence: index + 1, at: Math.max(at, registry.at), queue, command, by }
    const outcome = registry.apply(entry)
    if (!outcome.accepted || queue === null) throw new Error(`${command.type} is rejected`)
    return messagesOf(appliedOf(entry, outcome), 'origin').map(({ payload }) => payload)
  })
}

//
test('every message of a log with all that happens to pull requests fits its schema', () => {
  const seen = new Set<string>()
  for (const payload of payloads()) {
    const body: { readonly type: string } = JSON.parse(payload)
    seen.add(body.type)
    expect([payload, faultsOf(body.type, body)]).toEqual([payload, null])
  }
  expect(seen.size).toBeGreaterThan(13)
})

//
test('the document has each event type, with an example that fits', () => {
  expect(Object.keys(webhooks).sort()).toEqual([...eventTypes].sort())
  for (const [type, { post }] of Object.entries(webhooks)) {
    const { example } = post.requestBody.content['application/json']
    expect(example).toMatchObject({ type })
    expect([type, faultsOf(type, example)]).toEqual([type, null])
  }
})

//
test('messages that a crash has kept from the outbox are made again for those that are not gone', () => {
  const [gone, there] = ['https://ci.example/old', 'https://ci.example/new'].map((url) =>
    makeEndpoint(url, null, new Date()),
  )
  if (!gone || !there) throw new Error('no endpoints')
  const state = new OutboxState()
  const added: OutboxLine[] = []
  const outbox: Outbox = {
    state,
    add: (line) => {
      state.apply(line)
      added.push(line)
    },
    reach: () => undefined,
  }
  for (const { id } of [gone, there]) state.apply({ line: 'endpoint', endpoint: id })
  state.apply({ line: 'gone', endpoint: gone.id, address: addressOf(gone) })
  const parts = { outbox, endpoints: [gone, there], now: 0, pageOf: () => null }
  expect(addMessagesOf(new DrivenQueue().created, parts)).toBe(1)
  expect(added).toMatchObject([{ line: 'message', to: [there.id] }])
})
