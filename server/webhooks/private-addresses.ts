/** Addresses inside a network, which a webhook reaches only by permission. */

import { BlockList, isIP } from 'node:net'

const subnets = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 128, 'ipv6'],
  // Translated to an IPv4 address, which may be private.
  ['64:ff9b::', 96, 'ipv6'],
  ['64:ff9b:1::', 48, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['fec0::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
] as const

const privateSubnets = new BlockList()
for (const [net, prefix, family] of subnets) privateSubnets.addSubnet(net, prefix, family)

/** True for private, link-local and special addresses. Loopback is none of them. */
export function isPrivateAddress(address: string): boolean {
  const [plain = ''] = address.split('%')
  const family = isIP(plain)
  // An IPv4 address inside an IPv6 one is compared as the IPv4 address by `BlockList`.
  return family !== 0 && privateSubnets.check(plain, family === 4 ? 'ipv4' : 'ipv6')
}
