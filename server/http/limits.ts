/** Limits of connections and request bodies. Rules. */

import { isIPv6 } from 'node:net'

const mebibyte = 1 << 20

/** The size limit of a body after inflation. */
export const largestBodyBytes = 20 * mebibyte

/** The size limit of all bodies together that are being read. */
const allBodiesBytes = 128 * mebibyte

/** The same for webhooks of code hosts, which are read before it is known who sends them. */
const allHooksBytes = 32 * mebibyte

/** The size limit of a webhook, and of all webhooks of one address that are being read. */
export const hooksOfAddressBytes = 8 * mebibyte

/** So many connections of an address may have sent no request. */
export const mostSilentConnections = 32

/** The limit of nested arrays and objects, in levels. */
export const deepestNesting = 64

/** The limits of elements in all arrays, and of fields in all objects, of a body above 64 KiB. Rule: A-143. */
export const mostElements = 100_000
export const mostFields = 100_000

/** The memory of all bodies that are being read, in bytes. */
export class BodyBudget {
  readonly #limit: number
  #held = 0

  constructor(limit: number = allBodiesBytes) {
    this.#limit = limit
  }

  /** Reserves memory. Returns false, and reserves nothing, if the limit would be exceeded. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.#limit) return false
    this.#held += bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#held -= bytes
  }

  get held(): number {
    return this.#held
  }
}

export type Budget = Pick<BodyBudget, 'take' | 'giveBack'>

/** The memory of webhooks that are being read: of each address, and of all together. */
export class HookBudgets {
  readonly #all = new BodyBudget(allHooksBytes)
  readonly #networks = new Map<string, BodyBudget>()

  of(address: string): Budget {
    const network = networkOf(address)
    const take = (bytes: number): boolean => {
      const own = this.#networks.get(network) ?? new BodyBudget(hooksOfAddressBytes)
      if (!own.take(bytes)) return false
      this.#networks.set(network, own)
      if (this.#all.take(bytes)) return true
      this.#giveBackOf(network, bytes)
      return false
    }
    const giveBack = (bytes: number): void => {
      this.#all.giveBack(bytes)
      this.#giveBackOf(network, bytes)
    }
    return { take, giveBack }
  }

  #giveBackOf(network: string, bytes: number): void {
    const own = this.#networks.get(network)
    own?.giveBack(bytes)
    if (own?.held === 0) this.#networks.delete(network)
  }
}

/** Of IPv6 the first 64 bits: the rest is free to choose within the network. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail] = address.split('::')
  const front = head === '' ? [] : head.split(':')
  const missing = tail === undefined ? 0 : 8 - front.length - tail.split(':').length
  const groups = [...front, ...Array.from({ length: Math.max(0, missing) }, () => '0')]
  return groups.slice(0, 4).join(':')
}

/** How long a client may take to send a request. The rest of a slower one is not read. */
export type RequestTimeouts = {
  readonly headersMs: number
  /** From the first byte of the headers to the last of the body. */
  readonly requestMs: number
  /** The same for a webhook of a code host, which anybody can send. */
  readonly hookMs: number
  /** For how long all connections of an address may be silent, and not only the newest. */
  readonly silentMs: number
  /** How often the connections are checked. */
  readonly checkMs: number
}

/** A body of 20 MiB takes 120 s at 1.4 Mbit/s. */
export const requestTimeouts: RequestTimeouts = {
  headersMs: 15_000,
  requestMs: 120_000,
  hookMs: 10_000,
  silentMs: 1_000,
  checkMs: 1_000,
}
