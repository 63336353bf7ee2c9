/** Adding, listing, testing and removing webhooks. A running server follows within a second. */

import {
  isEndpointUrl,
  makeEndpoint,
  readEndpoints,
  writeEndpoints,
  type Endpoint,
} from '../webhooks/endpoints.ts'
import { eventTypes, isEventType, type EventType } from '../webhooks/event-types.ts'
import { readOutbox } from '../webhooks/outbox-file.ts'
import type { Letter } from '../webhooks/outbox-state.ts'
import { post } from '../webhooks/post.ts'
import { BadCommand, meant, type Command, type Given } from './command.ts'
import { exclusively } from './exclusively.ts'
import { table } from './table.ts'

export const webhookCommands: readonly Command[] = [
  {
    name: 'webhook add',
    subject: 'url',
    options: { events: 'types' },
    meaning: 'Has what happens sent there, all or these types; shows the secret that signs it',
    run: add,
  },
  { name: 'webhook list', meaning: 'Lists the webhooks, and how much waits for each', run: list },
  {
    name: 'webhook undelivered',
    subject: 'id',
    meaning: 'Lists what could not be delivered to one, and why',
    run: undelivered,
  },
  {
    name: 'webhook resend',
    subject: 'id',
    meaning: 'Has what could not be delivered to one sent again, oldest first',
    run: resend,
  },
  {
    name: 'webhook test',
    subject: 'id',
    meaning: 'Sends it a message of the type mergeyard.test, and says how that went',
    run: tryOut,
  },
  {
    name: 'webhook remove',
    subject: 'id',
    meaning: 'Sends it nothing any more, given by its id, the beginning of it, or its url',
    run: remove,
  },
]

async function add({ folder, subject: url, option, json, say, explain }: Given): Promise<void> {
  if (!isEndpointUrl(url)) {
    throw new BadCommand(`an address with http or https was expected, got "${url}"`)
  }
  const endpoint = makeEndpoint(url, typesIn(option('events')), new Date())
  await exclusively(folder, async () => {
    await writeEndpoints(folder.webhooks, [...readEndpoints(folder.webhooks), endpoint])
  })
  const { id, secret, events } = endpoint
  if (json) say(`${JSON.stringify({ id, url, events, secret })}\n`)
  else {
    say(`${secret}\n`)
    explain(`That is the secret of webhook ${id}, which verifies what it is sent.\n`)
  }
}

function typesIn(text: string | null): EventType[] | null {
  if (text === null) return null
  return text.split(',').map((type) => {
    if (isEventType(type)) return type
    const known = eventTypes.join(', ')
    throw new BadCommand(
      `--events must be a list of types, parted by commas, got "${type}"; there are ${known}`,
    )
  })
}

function list({ folder, json, say }: Given): void {
  const { mailboxes } = readOutbox(folder.outbox)
  const found = readEndpoints(folder.webhooks).map(({ secret: _secret, ...endpoint }) => {
    const mailbox = mailboxes.get(endpoint.id)
    // No server has looked at it yet.
    if (!mailbox) return { ...endpoint, waiting: 0, undelivered: 0, state: 'new' }
    const { letters, undelivered: given, isGone } = mailbox
    const waiting = letters.size - given.length
    return { ...endpoint, waiting, undelivered: given.length, state: isGone ? 'gone' : 'sending' }
  })
  if (json) {
    say(`${JSON.stringify(found)}\n`)
    return
  }
  const rows = found.map((each) => [
    each.id,
    String(each.waiting),
    String(each.undelivered),
    each.state,
    each.url,
    each.events?.join(',') ?? 'all',
  ])
  say(table(['id', 'waiting', 'undelivered', 'state', 'url', 'events'], rows))
}

function undeliveredTo({ id }: Endpoint, folder: Given['folder']): Letter[] {
  const mailbox = readOutbox(folder.outbox).mailboxes.get(id)
  return [...(mailbox?.letters.values() ?? [])].filter((letter) => letter.isUndelivered)
}

function undelivered({ folder, subject, json, say }: Given): void {
  const letters = undeliveredTo(endpointMeant(readEndpoints(folder.webhooks), subject), folder)
  if (json) {
    const found = letters.map(({ message, fault }) => {
      const payload: unknown = JSON.parse(message.payload)
      return { id: message.id, fault, payload }
    })
    say(`${JSON.stringify(found)}\n`)
    return
  }
  const rows = letters.map(({ message, fault }) => [
    message.id,
    message.type,
    message.lanes.map((lane) => lane.split('/').at(-1) ?? '').join(' '),
    fault,
  ])
  say(table(['message', 'type', 'about', 'fault'], rows))
}

async function resend({ folder, subject, explain }: Given): Promise<void> {
  await exclusively(folder, async () => {
    const endpoints = readEndpoints(folder.webhooks)
    const endpoint = endpointMeant(endpoints, subject)
    const { length } = undeliveredTo(endpoint, folder)
    const wished = { ...endpoint, resendWished: new Date().toISOString() }
    await writeEndpoints(
      folder.webhooks,
      endpoints.map((other) => (other === endpoint ? wished : other)),
    )
    const what = length === 1 ? '1 message goes' : `${length} messages go`
    explain(`${what} to ${endpoint.url} again, by its server or at its next start.\n`)
  })
}

async function tryOut({ folder, subject, explain }: Given): Promise<void> {
  const endpoint = endpointMeant(readEndpoints(folder.webhooks), subject)
  const timestamp = new Date().toISOString()
  const payload = JSON.stringify({ type: 'mergeyard.test', timestamp })
  const failed = await post(
    endpoint,
    { id: `msg_test_${Date.now()}`, payload },
    new AbortController().signal,
  )
  if (failed) throw new Error(`${endpoint.url} ${failed.fault}`)
  explain(`${endpoint.url} has taken it.\n`)
}

async function remove({ folder, subject, explain }: Given): Promise<void> {
  await exclusively(folder, async () => {
    const endpoints = readEndpoints(folder.webhooks)
    const endpoint = endpointMeant(endpoints, subject)
    await writeEndpoints(
      folder.webhooks,
      endpoints.filter((other) => other !== endpoint),
    )
    explain(`Webhook ${endpoint.id} to ${endpoint.url} is removed.\n`)
  })
}

function endpointMeant(endpoints: readonly Endpoint[], text: string): Endpoint {
  return meant(endpoints, text, ({ url }) => url)
}
