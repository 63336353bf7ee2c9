/** Sends one message to one endpoint, signed according to Standard Webhooks. */

import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { lookup, promises, type LookupAddress } from 'node:dns'
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import type { Logger } from 'pino'
import type { Millis } from '../../engine/index.ts'
import { connectionWords } from '../faults/connection.ts'
import { askedWaitMs } from '../timing/retry-after.ts'
import type { Endpoint, Message } from './message.ts'
import type { Delivery } from './outbox.ts'

/** The result of one attempt. */
export type PostResult = {
  /** Null if no response arrived. */
  readonly status: number | null
  /** The error; null after success. */
  readonly fault: string | null
  /** For how long it wants nothing more, if it says so after a failure. */
  readonly askedMs?: Millis | null
}

/** Never rejects. */
export type Post = (
  endpoint: Endpoint,
  message: Pick<Message, 'id' | 'payload'>,
  signal: AbortSignal,
) => Promise<PostResult>

/** What an endpoint may take. */
type Patience = {
  /** Until its status arrives. */
  readonly answerMs: Millis
  /** For the body behind it. */
  readonly bodyMs: Millis
}

const patience: Patience = { answerMs: 15_000, bodyMs: 1_000 }
const mostOfBody = 65_536

/** An endpoint that responds with this status wants nothing more. */
export const gone = 410

/**
 * `fetch` cannot check the address to which it connects. Neither of them follows redirects. Their connections are not
 * limited: each endpoint limits its own, and those of one host must not wait for each other.
 */
const agentOptions = { keepAlive: true, timeout: patience.answerMs } as const
const clients = {
  'http:': { request: httpRequest, agent: new HttpAgent(agentOptions) },
  'https:': { request: httpsRequest, agent: new HttpsAgent(agentOptions) },
} as const
const lookupPublic = publicLookup()

export const post: Post = (endpoint, message, signal) =>
  postWithin(patience, endpoint, message, signal)

export async function postWithin(
  waits: Patience,
  endpoint: Endpoint,
  { id, payload }: Pick<Message, 'id' | 'payload'>,
  signal: AbortSignal,
): Promise<PostResult> {
  const { secret } = endpoint
  const refusal = refusalOf(endpoint)
  if (refusal !== null) return { status: null, fault: refusal }
  const now = new Date()
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(payload),
    'user-agent': 'mergeyard',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, now, payload),
  }
  try {
    return resultOf(await answerOf(endpoint, { headers, payload, signal, ...waits }))
  } catch (error) {
    return { status: null, fault: connectionWords(error) }
  }
}

/** Why nothing is sent to this endpoint, whatever its host says; null if there is no reason. */
function refusalOf({ url, allowPrivate }: Endpoint): string | null {
  const fault = targetFault(url)
  if (fault !== null) return `is not a target: expected ${fault}`
  const address = allowPrivate === false ? privateAddressIn(url) : null
  return address === null ? null : privateFault(address, address)
}

type Sent = Patience & {
  readonly headers: Readonly<Record<string, string | number>>
  readonly payload: string
  readonly signal: AbortSignal
}

type Answer = Pick<IncomingMessage, 'statusCode' | 'headers'>

function resultOf({ statusCode: status = 0, headers }: Answer): PostResult {
  if (status >= 200 && status < 300) return { status, fault: null }
  const header = (name: string): string | null => headers[name]?.toString() ?? null
  const isMoved = status >= 300 && status < 400
  const fault = `answered ${status}${isMoved ? ', and redirects are not followed: add where it has moved to' : ''}`
  return { status, fault, askedMs: askedWaitMs(header, Date.now()) }
}

function answerOf({ url, allowPrivate }: Endpoint, sent: Sent): Promise<Answer> {
  const { headers, payload, signal, answerMs, bodyMs } = sent
  const { request, agent } = clients[url.startsWith('https:') ? 'https:' : 'http:']
  // Endpoints of older versions have no choice recorded, and keep working.
  const guarded = allowPrivate === false ? { lookup: lookupPublic } : {}
  const made = request(url, { method: 'POST', headers, agent, signal, ...guarded })
  // No signal: one that combines others is lost with its timeout when garbage is collected.
  const late = setTimeout(() => made.destroy(lateFault(answerMs)), answerMs)
  made.on('close', () => clearTimeout(late))
  return new Promise((resolve, reject) => {
    made.on('error', reject)
    made.on('response', (response) => {
      clearTimeout(late)
      // What becomes of the body changes nothing about the answer.
      made.off('error', reject).on('error', () => undefined)
      response.on('close', () => resolve(response))
      dropBody(response, bodyMs)
    })
    made.end(payload)
  })
}

function lateFault(answerMs: Millis): Error {
  return new Error(`did not answer within ${answerMs / 1_000} s`)
}

/** Reads a body for the sake of the next message on its connection; one without an end ends the connection. */
function dropBody(response: IncomingMessage, bodyMs: Millis): void {
  const endless = setTimeout(() => response.destroy(), bodyMs)
  let read = 0
  response.on('error', () => undefined)
  response.on('close', () => clearTimeout(endless))
  response.on('data', (chunk: Buffer) => {
    read += chunk.length
    if (read > mostOfBody) response.destroy()
  })
}

// Which URLs can be the target of a webhook.

/** The "bad ports" of the fetch standard: other protocols could take the message for theirs. */
export const blockedPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
])

/** What of IPv4 is no address of the internet, by IANA's registry of special purposes. Loopback is allowed. */
const special4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const

/**
 * Of IPv6 only these are addresses of the internet, so that no form in which an IPv4 address hides (mapped,
 * compatible, translated, NAT64) needs a line of its own; without Teredo, 6to4 and documentation.
 */
const global6 = ['2000::', 3] as const
const special6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

function blockList(
  family: 'ipv4' | 'ipv6',
  subnets: readonly (readonly [net: string, prefix: number])[],
): (address: string) => boolean {
  const list = new BlockList()
  for (const [net, prefix] of subnets) list.addSubnet(net, prefix, family)
  return (address) => list.check(address, family)
}

const isSpecial4 = blockList('ipv4', special4)
const isGlobal6 = blockList('ipv6', [global6])
const isSpecial6 = blockList('ipv6', special6)
const isLoopback6 = blockList('ipv6', [['::1', 128]])

/** True for every address that is neither of the internet nor loopback; false for a name. */
export function isPrivateAddress(address: string): boolean {
  const [plain = ''] = address.split('%')
  if (isIP(plain) === 0) return false
  if (isIPv4(plain)) return isSpecial4(plain)
  return !isLoopback6(plain) && (!isGlobal6(plain) || isSpecial6(plain))
}

/** What is expected of a URL that can never be a target; null for one that can. */
export function targetFault(text: string): string | null {
  if (!URL.canParse(text)) return 'a URL with http or https'
  const { protocol, username, password, port } = new URL(text)
  if (protocol !== 'http:' && protocol !== 'https:') return 'a URL with http or https'
  if (username !== '' || password !== '') {
    return 'a URL without a user and password: the signature proves the sender'
  }
  if (port !== '' && blockedPorts.has(Number(port))) {
    return `another port: ${port} belongs to another protocol, and clients refuse to send HTTP to it`
  }
  return null
}

/**
 * A URL as it may be shown: without credentials and the values of its query, and without the parts of its
 * path that are as long as a token. All of them can be secrets of the receiver.
 */
export function shownTarget(text: string): string {
  if (!URL.canParse(text)) return 'no URL'
  const { origin, pathname, search } = new URL(text)
  return `${origin}${pathname.replaceAll(/\/[\w-]{20,}(?=\/|$)/g, '/...')}${search === '' ? '' : '?...'}`
}

/** The private address in a URL; null if it has none, or names its host. */
export function privateAddressIn(text: string): string | null {
  const host = hostOf(text)
  return isPrivateAddress(host) ? host : null
}

/** An address of IPv6 without its brackets. */
const hostOf = (text: string): string => new URL(text).hostname.replace(/^\[(.*)\]$/, '$1')

/** Finds the addresses of a host, like `dns.lookup` with `all`. */
type Resolve = (
  host: string,
  options: { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * A lookup that fails if one of the addresses is private. The connection uses the address that was
 * checked, so a name that changes in between gains nothing.
 */
export function publicLookup(resolve: Resolve = lookup): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) {
        callback(error, '')
        return
      }
      const [first] = addresses
      const hidden = addresses.find(({ address }) => isPrivateAddress(address))
      if (!first) callback(new Error(`${host} has no address`), '')
      else if (hidden) callback(new Error(privateFault(host, hidden.address)), '')
      else if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

function privateFault(host: string, address: string): string {
  const what = host === address ? host : `${host} is ${address}, which`
  return `${what} is a private address: webhook add --allow-private permits it`
}

/** The private address of the host of a URL; null if it has none, or does not resolve in time. */
export async function resolvedPrivateAddress(text: string, waitMs: number): Promise<string | null> {
  const addresses = await Promise.race([
    promises.lookup(hostOf(text), { all: true }),
    wait(waitMs, [], { ref: false }),
  ]).catch(() => [])
  return addresses.find(({ address }) => isPrivateAddress(address))?.address ?? null
}

// The attempts to deliver messages: what one is, its line in the log, and their numbers.

export type Attempt = {
  readonly endpoint: Endpoint
  readonly delivery: Delivery
  /** From 1. */
  readonly attempt: number
  readonly result: PostResult
  readonly ms: Millis
  /** The time until the next attempt; null if there is none. */
  readonly nextMs: Millis | null
}

/** Logs the id of the endpoint and not its URL, which may contain a secret. */
export function logAttempt(logger: Logger, made: Attempt): void {
  const { endpoint, delivery, attempt, result, ms, nextMs } = made
  const { id: message, type, sequence } = delivery.message
  const { status, fault } = result
  const line = { webhook: endpoint.id, message, type, sequence, attempt, status, ms }
  if (fault === null) logger.info(line, 'webhook delivered')
  else logger.warn({ ...line, fault, nextMs }, 'webhook failed')
}

export const attemptOutcomes = ['delivered', 'refused', 'no_response'] as const

export function outcomeOf({ status, fault }: PostResult): (typeof attemptOutcomes)[number] {
  if (fault === null) return 'delivered'
  return status === null ? 'no_response' : 'refused'
}
