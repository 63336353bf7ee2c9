/** Which URLs can be the target of a webhook. */

import { lookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isPrivateAddress } from './private-addresses.ts'

/** The "bad ports" of the fetch standard: other protocols could take the message for theirs. */
const blockedPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
])

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

/** The private address in a URL; null if it has none, or names its host. */
export function privateAddressIn(text: string): string | null {
  const host = new URL(text).hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) !== 0 && isPrivateAddress(host) ? host : null
}

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

export function privateFault(host: string, address: string): string {
  const what = host === address ? host : `${host} is ${address}, which`
  return `${what} is a private address: webhook add --allow-private permits it`
}

/** The private address of the host of a URL; null if it has none, or does not resolve in time. */
export function resolvedPrivateAddress(text: string, waitMs: number): Promise<string | null> {
  const literal = privateAddressIn(text)
  const host = new URL(text).hostname.replace(/^\[(.*)\]$/, '$1')
  if (literal !== null || isIP(host) !== 0) return Promise.resolve(literal)
  return new Promise((settle) => {
    const timer = setTimeout(() => settle(null), waitMs)
    lookup(host, { all: true }, (error, addresses) => {
      clearTimeout(timer)
      const hidden = error ? null : addresses.find(({ address }) => isPrivateAddress(address))
      settle(hidden?.address ?? null)
    })
  })
}
