/** Wrong tokens are limited for each address, and refused requests are counted. */

import { expect, onTestFinished, test, vi } from 'vitest'
import { main } from '../testing/client.ts'
import { issue, start } from '../testing/any-store.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import type { Caller } from './tokens.ts'
import { Failures, mostFailures } from './gate.ts'

const caller: Caller = { id: 'a', name: 'ci', scope: 'report', repos: null, expiresAt: null }

/** Limits with a clock that the test advances, and one address that has failed too often. */
function limited(address: string) {
  const clock = { now: 1_000_000 }
  const failures = new Failures(() => clock.now)
  failures.worked(address, caller)
  for (let count = 0; count < mostFailures; count++) failures.failed(address)
  return { clock, failures }
}

//
test('after too many failures an address waits until the minute is over', () => {
  const { clock, failures } = limited('192.0.2.1')
  expect(failures.retryAfter('192.0.2.1', null)).toBe(60)
  expect(failures.retryAfter('192.0.2.2', null)).toBe(0)
  clock.now += 59_001
  expect(failures.retryAfter('192.0.2.1', null)).toBe(1)
  clock.now += 999
  expect(failures.retryAfter('192.0.2.1', null)).toBe(0)
})

//
test('given the system time is set back, an address waits no longer than the minute', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const failures = new Failures()
  for (let count = 0; count < mostFailures; count++) failures.failed('192.0.2.1')
  vi.setSystemTime(Date.now() - 3_600_000)
  expect(failures.retryAfter('192.0.2.1', null)).toBeLessThanOrEqual(60)
})

//
test.each([
  ['2001:db8:0:7::1', '2001:db8:0:7:ffff::2', true],
  ['2001:db8::1', '2001:db8:0:0:9::1', true],
  ['2001:db8:0:7::1', '2001:db8:0:8::1', false],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
  ['::1', '2001:db8::1', false],
])('%s and %s count as one address: %j', (first, second, isOne) => {
  const { failures } = limited(first)
  expect(failures.retryAfter(first, null)).toBe(60)
  expect(failures.retryAfter(second, null)).toBe(isOne ? 60 : 0)
})

//
test('given many wrong tokens, they get 429, good tokens go on, and a metric counts both', async () => {
  const data = temporaryFolder()
  const reader = await issue(data, 'read')
  const { client, stop } = await start(data)
  onTestFinished(stop)
  await client.ok('createQueue', main)
  const statusOf = async (token: string | null): Promise<number> =>
    (await client.call('getQueue', main, { token })).status

  const statuses: number[] = []
  for (let count = 0; count < mostFailures + 5; count++) statuses.push(await statusOf('wrong'))
  expect(statuses).toEqual([
    ...Array.from({ length: mostFailures }, () => 401),
    ...Array.from({ length: 5 }, () => 429),
  ])
  const last = await client.call('getQueue', main, { token: 'wrong' })
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(last.text).toMatch(/^too many wrong tokens from this address: try again in \d+ s$/)
  // The administrator's token has worked from here, the reader's has not.
  expect(await statusOf(null)).toBe(401)
  expect((await client.call('getQueue', main)).status).toBe(200)
  expect(await statusOf(reader)).toBe(429)

  const { text } = await client.get('getMergeQueueMetrics', '/v1/getMergeQueueMetrics')
  const counts = text.split('\n').filter((line) => line.startsWith('mq_auth_failures_total{'))
  expect(counts).toEqual([
    'mq_auth_failures_total{reason="missing"} 1',
    `mq_auth_failures_total{reason="unknown"} ${mostFailures}`,
    'mq_auth_failures_total{reason="expired"} 0',
    'mq_auth_failures_total{reason="limited"} 7',
    'mq_auth_failures_total{reason="scope"} 0',
    'mq_auth_failures_total{reason="repository"} 0',
  ])
})
