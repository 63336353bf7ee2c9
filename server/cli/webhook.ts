/** `mergeyard webhook`: manages webhooks. A running server reads changes within a second. */

import {
  type Answer,
  answering,
  folderOf,
  type Where,
  storeIn,
  withStore,
  findByIdOrName,
  shownIds,
  keptExitCodes,
  keptList,
  whereOptions,
  withStoreFaults,
} from './place.ts'
import { type WebhookEventType, eventTypes } from '../notices/queue-notices.ts'
import { PostgresOutbox, sharedEndpoints } from '../postgres/postgres-outbox.ts'
import { type Endpoint, readEndpoints, writeEndpoints, makeEndpoint } from '../webhooks/message.ts'
import { readOutbox, type OutboxState } from '../webhooks/outbox.ts'
import { post, shownTarget, resolvedPrivateAddress, targetFault } from '../webhooks/post.ts'
import { stateOf } from '../webhooks/outbox-database.ts'
import { type CliContext, groupOf, type Main, ready } from '../terminal/command.ts'
import { badUsage } from '../terminal/options.ts'
import type { OptionTable, Usage } from '../terminal/options.ts'
import { oneOf, type FaultOf } from '../terminal/readers.ts'
import { widthOf } from '../terminal/output.ts'
import { columns } from '../terminal/text.ts'

const endpointsOf = (parsed: Where, env: NodeJS.ProcessEnv) =>
  keptList(parsed, env, {
    file: (folder) => folder.webhooks,
    read: readEndpoints,
    write: writeEndpoints,
    shared: sharedEndpoints,
  })

async function outboxOf(parsed: Where, env: NodeJS.ProcessEnv): Promise<OutboxState> {
  const store = storeIn(parsed, 'data')
  if (store === null) return readOutbox(folderOf(parsed, env).outbox)
  return withStore(store, async (pool) => stateOf(await new PostgresOutbox(pool).read()))
}

type OfOne = {
  readonly name: string
  readonly about: string
  readonly more?: string
}

/** A command about the webhook that its operand names. Throws `BadInput` if that is none, or several. */
function answeringOfOne(
  { name, about, more = keptExitCodes }: OfOne,
  answer: (endpoint: Endpoint, parsed: Where, context: CliContext) => Promise<Answer>,
): Main {
  const usage = {
    command: `webhook ${name}`,
    about: `${about}\nName the webhook by its id, the beginning of its id, or its URL.`,
    operands: ['<id>'],
    table: whereOptions,
    more,
  }
  return answering(usage, async (parsed, context) => {
    const all = await endpointsOf(parsed, context.env).read()
    const endpoint = findByIdOrName(usage.command, parsed.operands, all, ({ url }) => url)
    return answer(endpoint, parsed, context)
  })
}

// The commands that list webhooks and undelivered messages.

const listUsage = {
  command: 'webhook list',
  about: 'List the webhooks with the number of waiting and undelivered messages.',
  table: whereOptions,
  more: keptExitCodes,
}

const list = answering(listUsage, async (parsed, { stdout, env }) => {
  const found = listed(await endpointsOf(parsed, env).read(), await outboxOf(parsed, env))
  const ids = shownIds(found, widthOf(stdout))
  const rows = found.map(({ id, waiting, undelivered: count, state, url, events }, index) => {
    return [
      ids[index] ?? id,
      String(waiting),
      String(count),
      state,
      events?.join(',') ?? 'all',
      url,
    ]
  })
  const head = ['id', 'waiting', 'undelivered', 'state', 'events', 'url']
  return { document: found, text: columns([head, ...rows], [], widthOf(stdout)) }
})

type Listed = Omit<Endpoint, 'secret'> & {
  readonly waiting: number
  readonly undelivered: number
  readonly state: 'new' | 'sending' | 'gone'
}

function listed(endpoints: readonly Endpoint[], { deliveryQueues }: OutboxState): Listed[] {
  return endpoints.map(({ secret: _secret, ...written }) => {
    const endpoint = { ...written, url: shownTarget(written.url) }
    const queue = deliveryQueues.get(endpoint.id)
    // The server has not read this webhook yet.
    if (!queue) return { ...endpoint, waiting: 0, undelivered: 0, state: 'new' }
    const { length } = queue.undelivered
    const waiting = queue.deliveries.size - length
    const state = queue.isGone ? 'gone' : 'sending'
    return { ...endpoint, waiting, undelivered: length, state }
  })
}

const ofUndelivered = {
  name: 'undelivered',
  about: 'List the undelivered messages of one webhook, with the reasons.',
}

const undelivered = answeringOfOne(ofUndelivered, async ({ id }, parsed, { stdout, env }) => {
  const queue = (await outboxOf(parsed, env)).deliveryQueues.get(id)
  const deliveries = [...(queue?.deliveries.values() ?? [])].filter((each) => each.isUndelivered)
  const found = deliveries.map(({ message, fault }) => {
    const payload: unknown = JSON.parse(message.payload)
    return { id: message.id, fault, payload }
  })
  const rows = deliveries.map(({ message, fault }) => [
    message.id,
    message.type,
    message.lanes.map((lane) => lane.split('/').at(-1) ?? '').join(' '),
    fault,
  ])
  const head = ['message', 'type', 'about', 'fault']
  return { document: found, text: columns([head, ...rows], [], widthOf(stdout)) }
})

// The commands that add, test and remove a webhook and that resend its messages.

const addTable = {
  'events <types>': 'send only these event types, separated by commas (default: all)',
  'allow-private': 'allow private and link-local addresses; loopback is always allowed',
  ...whereOptions,
} as const satisfies OptionTable

const addUsage: Usage<typeof addTable> = {
  command: 'webhook add',
  about: 'Add a webhook, which sends events to a URL. Prints the secret that signs its messages.',
  operands: ['<url>'],
  table: addTable,
  more: `Event types: ${eventTypes.join(', ')}\n\n${keptExitCodes}`,
}

const add = answering(addUsage, async (parsed, { env }) => {
  const [target = ''] = parsed.operands
  const allowPrivate = parsed.flag('allow-private')
  const fault = targetFault(target) ?? (allowPrivate ? null : await privateFaultOf(target))
  if (fault !== null) throw badUsage('webhook add', `"${withoutPassword(target)}"`, fault)
  const types = parsed.readGiven('events', readTypes)
  const endpoint = makeEndpoint(target, types, new Date(), allowPrivate)
  await endpointsOf(parsed, env).add(endpoint)
  const { id, url, secret, events } = endpoint
  const aside = `This secret signs the messages of webhook ${id}. It is not shown again.\n`
  return { document: { id, url, events, secret }, text: `${secret}\n`, aside }
})

/** How long to wait for the name server; each delivery looks again. */
const lookupWaitMs = 2_000

async function privateFaultOf(target: string): Promise<string | null> {
  const address = await resolvedPrivateAddress(target, lookupWaitMs)
  if (address === null) return null
  return `a public address, or --allow-private: ${address} is a private address`
}

/** An error must not repeat a password. */
function withoutPassword(target: string): string {
  return target.replace(/^(\w+:\/*)[^/?#]*@/, '$1...@')
}

function readTypes(text: string, faultOf: FaultOf): WebhookEventType[] {
  const expected = `types from this list, separated by commas: ${eventTypes.join(', ')}`
  return text.split(',').map((type) => oneOf(eventTypes, expected)(type, faultOf))
}

const ofResend = {
  name: 'resend',
  about: 'Send all undelivered and waiting messages now, the oldest first.',
}

const resend = answeringOfOne(ofResend, async ({ id, url }, parsed, { env }) => {
  const { deliveryQueues } = await outboxOf(parsed, env)
  const size = deliveryQueues.get(id)?.deliveries.size ?? 0
  const resendWished = new Date().toISOString()
  await endpointsOf(parsed, env).change((endpoints) =>
    endpoints.map((each) => (each.id === id ? { ...each, resendWished } : each)),
  )
  const what = size === 1 ? '1 message is' : `${size} messages are`
  const when = 'now if the server is running, otherwise at its next start'
  const text = `${what} sent to ${shownTarget(url)} again: ${when}.\n`
  return { document: { id, url: shownTarget(url), messages: size }, text }
})

const ofTest = {
  name: 'test',
  about: 'Send a message of the type mergeyard.test, and print the result.',
  more: 'Exit codes: 0 accepted, 1 not accepted, 2 wrong arguments or a store that cannot be used.\n',
}

const test = answeringOfOne(ofTest, async (endpoint, _parsed, { signal }) => {
  const timestamp = new Date().toISOString()
  const payload = JSON.stringify({ type: 'mergeyard.test', timestamp })
  const { fault } = await post(endpoint, { id: `msg_test_${Date.now()}`, payload }, signal)
  const target = shownTarget(endpoint.url)
  if (fault !== null) throw new Error(`${target} ${fault}`)
  const document = { id: endpoint.id, url: target, accepted: true }
  return { document, text: `${target} accepted the message.\n` }
})

const ofRemove = { name: 'remove', about: 'Remove a webhook.' }

const remove = answeringOfOne(ofRemove, async ({ id, url }, parsed, { env }) => {
  await endpointsOf(parsed, env).change((endpoints) => endpoints.filter((each) => each.id !== id))
  const text = `Removed webhook ${id} to ${shownTarget(url)}.\n`
  return { document: { id, url: shownTarget(url) }, text }
})

export const main = withStoreFaults(
  groupOf({
    name: 'webhook',
    about:
      'Manage the webhooks of a server, in its data folder or in the PostgreSQL that servers share. Servers may be running or stopped.',
    commands: {
      add: ready('add a webhook', add),
      list: ready('list the webhooks and their numbers of messages', list),
      undelivered: ready('list the undelivered messages of one webhook', undelivered),
      resend: ready('send the undelivered messages of one webhook again', resend),
      test: ready('send a message of the type mergeyard.test to one webhook', test),
      remove: ready('remove a webhook', remove),
    },
  }),
)
