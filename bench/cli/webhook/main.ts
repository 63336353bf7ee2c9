/** `mergeyard webhook`: manages webhooks. A running server reads changes within a second. */

import {
  type WebhookEventType,
  eventTypes,
  isEventType,
} from '../../../server/notices/event-types.ts'
import { makeEndpoint } from '../../../server/webhooks/endpoints.ts'
import { post } from '../../../server/webhooks/post.ts'
import {
  resolvedPrivateAddress,
  shownTarget,
  targetFault,
} from '../../../server/webhooks/target.ts'
import type { BadInput } from '../../../terminal/bad-input.ts'
import {
  type ListedCommand,
  type Main,
  commandOf,
  groupOf,
  withPlainErrors,
  exitCodes,
} from '../../../terminal/command.ts'
import { badUsage, type OptionTable, type Usage } from '../../../terminal/options.ts'
import { writeAll } from '../../../terminal/output.ts'
import { jsonOption } from '../admin/data-folder.ts'
import { whereOptions } from '../admin/where.ts'
import { withStoreFaults } from '../admin/with-store-faults.ts'
import { list, undelivered } from './list.ts'
import { placeOf } from './place.ts'
import { endpointIn, usageOfOne } from './usage.ts'

// The commands that add, test and remove a webhook and that resend its messages.

const addTable = {
  events: {
    kind: 'value',
    value: 'types',
    help: 'send only these event types, separated by commas (default: all)',
  },
  'allow-private': {
    kind: 'flag',
    help: 'allow private and link-local addresses; loopback is always allowed',
  },
  ...whereOptions,
  ...jsonOption,
} as const satisfies OptionTable

const addUsage: Usage<typeof addTable> = {
  command: 'webhook add',
  npm: 'npm run mergeyard -- webhook add',
  about: 'Add a webhook, which sends events to a URL. Prints the secret that signs its messages.',
  operands: ['<url>'],
  table: addTable,
  more: `Event types: ${eventTypes.join(', ')}\n`,
}

const add = commandOf(addUsage, async (parsed, { stdout, stderr, env }) => {
  const [target = ''] = parsed.operands
  const allowPrivate = parsed.flag('allow-private')
  const fault = targetFault(target) ?? (allowPrivate ? null : await privateFaultOf(target))
  if (fault !== null) throw badUsage('webhook add', `"${withoutPassword(target)}"`, fault)
  const types = typesIn(parsed.text('events'), (expected) => parsed.fault('events', expected))
  const endpoint = makeEndpoint(target, types, new Date(), allowPrivate)
  await placeOf(parsed, env).change((endpoints) => [...endpoints, endpoint])
  const { id, url, secret, events } = endpoint
  const document = { id, url, events, secret }
  await writeAll(stdout, [parsed.flag('json') ? `${JSON.stringify(document)}\n` : `${secret}\n`])
  if (parsed.flag('json')) return exitCodes.success
  await writeAll(stderr, [
    `This secret signs the messages of webhook ${id}. It is not shown again.\n`,
  ])
  return exitCodes.success
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

function typesIn(
  text: string | null,
  faultOf: (expected: string) => BadInput,
): WebhookEventType[] | null {
  if (text === null) return null
  return text.split(',').map((type) => {
    if (isEventType(type)) return type
    throw faultOf(`types from this list, separated by commas: ${eventTypes.join(', ')}`)
  })
}

const resendUsage = usageOfOne(
  'resend',
  'Send all undelivered and waiting messages now, the oldest first.',
  whereOptions,
)

const resend = commandOf(resendUsage, async (parsed, { stderr, env }) => {
  const place = placeOf(parsed, env)
  const endpoint = await endpointIn(place, resendUsage, parsed.operands)
  const { deliveryQueues } = await place.outbox()
  const size = deliveryQueues.get(endpoint.id)?.deliveries.size ?? 0
  const resendWished = new Date().toISOString()
  await place.change((endpoints) =>
    endpoints.map((each) => (each.id === endpoint.id ? { ...each, resendWished } : each)),
  )
  const what = size === 1 ? '1 message is' : `${size} messages are`
  const when = 'now if the server is running, otherwise at its next start'
  await writeAll(stderr, [`${what} sent to ${shownTarget(endpoint.url)} again: ${when}.\n`])
  return exitCodes.success
})

const testUsage = usageOfOne(
  'test',
  'Send a message of the type mergeyard.test, and print the result.',
  whereOptions,
)

const test = commandOf(testUsage, async (parsed, { stderr, signal, env }) => {
  const endpoint = await endpointIn(placeOf(parsed, env), testUsage, parsed.operands)
  const timestamp = new Date().toISOString()
  const payload = JSON.stringify({ type: 'mergeyard.test', timestamp })
  const { fault } = await post(endpoint, { id: `msg_test_${Date.now()}`, payload }, signal)
  if (signal.aborted) return exitCodes.interrupted
  if (fault !== null) throw new Error(`${shownTarget(endpoint.url)} ${fault}`)
  await writeAll(stderr, [`${shownTarget(endpoint.url)} accepted the message.\n`])
  return exitCodes.success
})

const removeUsage = usageOfOne('remove', 'Remove a webhook.', whereOptions)

const remove = commandOf(removeUsage, async (parsed, { stderr, env }) => {
  const place = placeOf(parsed, env)
  const { id, url } = await endpointIn(place, removeUsage, parsed.operands)
  await place.change((endpoints) => endpoints.filter((each) => each.id !== id))
  await writeAll(stderr, [`Removed webhook ${id} to ${shownTarget(url)}.\n`])
  return exitCodes.success
})

const listed = (summary: string, main: Main): ListedCommand => {
  return { summary, load: () => Promise.resolve({ main }) }
}

export const main = withPlainErrors(
  withStoreFaults(
    groupOf({
      name: 'webhook',
      about:
        'Manage the webhooks of a server, in its data folder or in the PostgreSQL that servers share. Servers may be running or stopped.',
      commands: {
        add: listed('add a webhook', add),
        list: listed('list the webhooks and their numbers of messages', list),
        undelivered: listed('list the undelivered messages of one webhook', undelivered),
        resend: listed('send the undelivered messages of one webhook again', resend),
        test: listed('send a message of the type mergeyard.test to one webhook', test),
        remove: listed('remove a webhook', remove),
      },
    }),
  ),
)
