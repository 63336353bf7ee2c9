/** The commands that list webhooks and undelivered messages. */

import type { Endpoint } from '../../../server/webhooks/endpoints.ts'
import type { Delivery } from '../../../server/webhooks/outbox.ts'
import { shownTarget } from '../../../server/webhooks/target.ts'
import { commandOf, exitCodes } from '../../../terminal/command.ts'
import { writeAll } from '../../../terminal/output.ts'
import { columns } from '../../../terminal/text.ts'
import { jsonOption } from '../admin/data-folder.ts'
import { whereOptions } from '../admin/where.ts'
import { type WebhookPlace, placeOf } from './place.ts'
import { endpointIn, usageOfOne } from './usage.ts'

const listTable = { ...whereOptions, ...jsonOption }

const listUsage = {
  command: 'webhook list',
  npm: 'npm run mergeyard -- webhook list',
  about: 'List the webhooks with the number of waiting and undelivered messages.',
  table: listTable,
}

export const list = commandOf(listUsage, async (parsed, { stdout, env }) => {
  const found = await listed(placeOf(parsed, env))
  if (parsed.flag('json')) {
    await writeAll(stdout, [`${JSON.stringify(found)}\n`])
    return exitCodes.success
  }
  const rows = found.map(({ id, waiting, undelivered: count, state, url, events }) => {
    return [id, String(waiting), String(count), state, url, events?.join(',') ?? 'all']
  })
  const head = ['id', 'waiting', 'undelivered', 'state', 'url', 'events']
  await writeAll(stdout, [columns([head, ...rows])])
  return exitCodes.success
})

type Listed = Omit<Endpoint, 'secret'> & {
  readonly waiting: number
  readonly undelivered: number
  readonly state: 'new' | 'sending' | 'gone'
}

async function listed(place: WebhookPlace): Promise<Listed[]> {
  const { deliveryQueues } = await place.outbox()
  const endpoints = await place.endpoints()
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

const undeliveredUsage = usageOfOne(
  'undelivered',
  'List the undelivered messages of one webhook, with the reasons.',
  listTable,
)

export const undelivered = commandOf(undeliveredUsage, async (parsed, { stdout, env }) => {
  const place = placeOf(parsed, env)
  const endpoint = await endpointIn(place, undeliveredUsage, parsed.operands)
  const deliveries = await undeliveredTo(endpoint, place)
  if (parsed.flag('json')) {
    const found = deliveries.map(({ message, fault }) => {
      const payload: unknown = JSON.parse(message.payload)
      return { id: message.id, fault, payload }
    })
    await writeAll(stdout, [`${JSON.stringify(found)}\n`])
    return exitCodes.success
  }
  const rows = deliveries.map(({ message, fault }) => [
    message.id,
    message.type,
    message.lanes.map((lane) => lane.split('/').at(-1) ?? '').join(' '),
    fault,
  ])
  await writeAll(stdout, [columns([['message', 'type', 'about', 'fault'], ...rows])])
  return exitCodes.success
})

/** Returns the messages that could not be delivered to an endpoint. */
async function undeliveredTo({ id }: Endpoint, place: WebhookPlace): Promise<Delivery[]> {
  const queue = (await place.outbox()).deliveryQueues.get(id)
  return [...(queue?.deliveries.values() ?? [])].filter((delivery) => delivery.isUndelivered)
}
