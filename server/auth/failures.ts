/**
 * Limits the failed authorisations of an address.
 *
 * Only wrong tokens count: a request without any is no guess. Behind a proxy all clients have one address, so a token that has worked from
 * an address keeps working while others fail there. A token that was never used from there does not:
 * otherwise the limit would not slow down somebody who guesses.
 */

import { networkOf } from '../http/limits.ts'
import type { Caller } from './caller.ts'

const windowMs = 60_000
export const mostFailures = 60
/** The limit of addresses in memory; beyond it the oldest are dropped. */
const mostAddresses = 10_000

type AddressRecord = { failures: number; until: number; readonly worked: Set<string> }

export class Failures {
  readonly #now: () => number
  readonly #addresses = new Map<string, AddressRecord>()

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** The seconds until the address may try again; 0 if it may now. */
  retryAfter(address: string, caller: Caller | null): number {
    const record = this.#addresses.get(networkOf(address))
    if (!record || record.failures < mostFailures) return 0
    if (caller && record.worked.has(caller.id)) return 0
    return Math.max(0, Math.ceil((record.until - this.#now()) / 1_000))
  }

  failed(address: string): void {
    const record = this.#recordOf(address)
    if (record.until <= this.#now()) {
      record.failures = 0
      record.until = this.#now() + windowMs
    }
    record.failures++
  }

  worked(address: string, { id }: Caller): void {
    const key = networkOf(address)
    if (!this.#addresses.get(key)?.worked.has(id)) this.#recordOf(address).worked.add(id)
  }

  #recordOf(address: string): AddressRecord {
    const key = networkOf(address)
    const known = this.#addresses.get(key)
    if (known) return known
    const record: AddressRecord = { failures: 0, until: 0, worked: new Set() }
    this.#addresses.set(key, record)
    const [oldest] = this.#addresses.keys()
    if (this.#addresses.size > mostAddresses && oldest !== undefined) {
      this.#addresses.delete(oldest)
    }
    return record
  }
}
