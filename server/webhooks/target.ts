/** Which URLs can be the target of a webhook. */

import { lookup, type LookupAddress } from 'node:dns'
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net'

/** The "bad ports" of the fetch standard: other protocols could take the message for theirs. */
const blockedPorts: ReadonlySet<number> = new Set([
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
