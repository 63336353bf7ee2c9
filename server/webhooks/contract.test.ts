/** Every message fits its schema in the `webhooks` of the OpenAPI document. */

import { expect, test } from 'vitest'
import type { RecordedCommand } from '../../engine/index.ts'
import { type Schema, openApiText } from '../contract/openapi.ts'
import { schemasOfDocument } from '../http/schema.ts'
import { queueRefFrom } from '../identity/queue-ref.ts'
import { eventTypes } from '../notices/queue-notices.ts'
import { QueueRegistry } from '../queues/queue-registry.ts'
import { entries, silent } from '../testing/recording.ts'
import { messagesOf } from './message.ts'

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
    const { events, notices } = outcome
    const applied = { ...entry, queue: queueRefFrom(queue), events, notices }
    return messagesOf(applied, 'origin').map(({ payload }) => payload)
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
