/** The targets of webhooks: what is refused when they are added, and at each delivery. */

import type { LookupAddress } from 'node:dns'
import { expect, test } from 'vitest'
import { accepting, receiver } from '../testing/receiver.ts'
import { makeEndpoint } from './message.ts'
import {
  post,
  isPrivateAddress,
  privateAddressIn,
  publicLookup,
  shownTarget,
  targetFault,
} from './post.ts'

//
test.each([
  ['ftp://hooks.example/', /http or https/],
  ['hooks.example', /http or https/],
  ['https://user@hooks.example/', /without a user and password/],
  ['https://:secret@hooks.example/', /without a user and password/],
  ['http://hooks.example:25/', /^another port: 25 belongs to another protocol/],
  ['https://hooks.example:6667/', /^another port/],
])('given %s, nothing can ever be delivered', (url, fault) => {
  expect(targetFault(url)).toMatch(fault)
})

//
test.each(['http://hooks.example/', 'https://hooks.example:8443/x?y=1', 'http://127.0.0.1:8080/'])(
  'given %s, messages can be delivered',
  (url) => {
    expect([targetFault(url), privateAddressIn(url)]).toEqual([null, null])
  },
)

//
test.each([
  ['http://10.1.2.3/', '10.1.2.3'],
  ['http://172.31.0.1/', '172.31.0.1'],
  ['http://192.168.1.1/', '192.168.1.1'],
  ['http://169.254.169.254/latest', '169.254.169.254'],
  ['http://100.64.0.1/', '100.64.0.1'],
  ['http://0.0.0.0/', '0.0.0.0'],
  ['http://0x0a000001/', '10.0.0.1'],
  ['http://167772161/', '10.0.0.1'],
  ['http://[fd00::1]/', 'fd00::1'],
  ['http://[fe80::1]/', 'fe80::1'],
  ['http://[::ffff:192.168.0.1]/', '::ffff:c0a8:1'],
  ['http://[::]/', '::'],
  ['http://[::10.0.0.1]/', '::a00:1'],
  ['http://[::ffff:0:10.0.0.1]/', '::ffff:0:a00:1'],
  ['http://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
  ['http://[64:ff9b::10.0.0.1]/', '64:ff9b::a00:1'],
  ['http://[64:ff9b:1::1]/', '64:ff9b:1::1'],
  ['http://[2002:a00:1::1]/', '2002:a00:1::1'],
  ['http://[2001:0:a00:1::1]/', '2001:0:a00:1::1'],
  ['http://[100::1]/', '100::1'],
  ['http://[fec0::1]/', 'fec0::1'],
  ['http://[ff02::1]/', 'ff02::1'],
  ['http://192.88.99.1/', '192.88.99.1'],
])('%s is private: %s', (url, address) => {
  expect(privateAddressIn(url)).toBe(address)
})

//
test.each(['127.0.0.1', '127.8.8.8', '::1', '8.8.8.8', '172.32.0.1', '2606:4700::1111', 'name'])(
  '%s is not private',
  (address) => {
    expect(isPrivateAddress(address)).toBe(false)
  },
)

//
test.each([
  ['https://hooks.example/ci', 'https://hooks.example/ci'],
  ['https://hooks.example/ci?token=s3cret', 'https://hooks.example/ci?...'],
  ['https://me:s3cret@hooks.example:8443/', 'https://hooks.example:8443/'],
  [
    'https://hooks.example/services/T1/B2/Zm9vYmFyYmF6cXV4MTIz',
    'https://hooks.example/services/T1/B2/...',
  ],
])('%s is shown as %s', (url, shown) => {
  expect(shownTarget(url)).toBe(shown)
})

//
test('given a name with a private address among others, the connection is refused', async () => {
  const addresses: LookupAddress[] = [
    { address: '8.8.8.8', family: 4 },
    { address: '10.0.0.5', family: 4 },
  ]
  const found = (host: string, all: boolean) =>
    new Promise((settle) => {
      const lookup = publicLookup((name, _options, callback) =>
        callback(null, name === 'rebound.example' ? addresses : addresses.slice(0, 1)),
      )
      lookup(host, { all }, (error, address) => settle(error?.message ?? address))
    })

  expect(await found('rebound.example', true)).toBe(
    'rebound.example is 10.0.0.5, which is a private address: webhook add --allow-private permits it',
  )
  expect(await found('public.example', true)).toEqual(addresses.slice(0, 1))
  expect(await found('public.example', false)).toBe('8.8.8.8')
})

//
test('given a private address in the webhooks file, nothing is sent, and the attempt fails', async () => {
  const endpoint = makeEndpoint('http://169.254.169.254/', null, new Date())
  const { signal } = new AbortController()

  expect(await post(endpoint, { id: 'msg_1', payload: '{}' }, signal)).toEqual({
    status: null,
    fault: '169.254.169.254 is a private address: webhook add --allow-private permits it',
  })
})

//
test('a name of this machine is a target', async () => {
  const { endpoint, received } = await receiver(accepting)
  const named = { ...endpoint, url: endpoint.url.replace('127.0.0.1', 'localhost') }
  const { signal } = new AbortController()

  const { fault } = await post(named, { id: 'msg_1', payload: '{"type":"x"}' }, signal)

  expect([fault, received.length]).toEqual([null, 1])
})
