/** A system time that is wrong, was wrong once, or is set while the server runs. */

import { pino } from 'pino'
import { beforeEach, afterEach, expect, test, vi } from 'vitest'
import type { LogEntry, Millis } from '../../engine/index.ts'
import { ClockWatch, SystemClock, systemTime } from './system-clock.ts'
import { QueueManager } from './queue-manager.ts'
import { QueueRegistry } from './queue-registry.ts'
import { main } from '../testing/client.ts'
import { start } from '../testing/test-server.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import type * as wire from '../contract/wire.ts'

const minute: Millis = 60_000
const day: Millis = 24 * 60 * minute
const today = Date.UTC(2026, 10, 23)
const queue = 'github.com/acme/shop:main'

beforeEach(() => {
  vi.useFakeTimers({
    now: today,
    toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  })
})
afterEach(() => void vi.useRealTimers())

type Running = { readonly clock: SystemClock; readonly manager: QueueManager }

/** A server on the entries of an earlier one. */
function startOn(entries: LogEntry[]): Running {
  const clock = new SystemClock()
  const registry = new QueueRegistry({ wakeAt: (name, at) => clock.wakeAt(name, at) })
  for (const entry of entries) registry.apply(entry)
  clock.start((name) => void manager.send(name, { type: 'wake' }), registry.at)
  const log = { append: (entry: LogEntry) => void entries.push(entry), durable: () => undefined }
  const manager = new QueueManager(registry, { now: () => clock.now(), log })
  return { clock, manager }
}

const stateOf = ({ manager }: Running, number: number): string | undefined =>
  manager.registry.find(queue)?.engine.queue.pullRequests[number]?.state

const incarnation = '0c9a5a2e-5b1f-4a33-8c1d-111111111111'
const set = {
  batch: true,
  batchingMinSize: 4,
  batchingMaxWaitTimeMinutes: 5,
  testingTimeoutMinutes: 10,
} as const

/** A queue that waits five minutes for more pull requests, and ten for a test run. */
function withQueue(entries: LogEntry[]): Running {
  const running = startOn(entries)
  running.manager.send(queue, { type: 'createQueue', incarnation, set })
  return running
}

//
test('given a clock that was 400 days ahead for one command, waits and timeouts take their real time', () => {
  const entries: LogEntry[] = []
  vi.setSystemTime(today + 400 * day)
  withQueue(entries).clock.stop()
  vi.setSystemTime(today)

  const server = startOn(entries)
  server.manager.send(queue, { type: 'submitPullRequest', number: 1 })
  vi.advanceTimersByTime(4.9 * minute)
  expect(stateOf(server, 1)).toBe('PENDING')
  vi.advanceTimersByTime(0.2 * minute)
  expect(stateOf(server, 1)).toBe('TESTING')
  vi.advanceTimersByTime(9.7 * minute)
  expect(stateOf(server, 1)).toBe('TESTING')
  vi.advanceTimersByTime(0.5 * minute)
  expect(stateOf(server, 1)).not.toBe('TESTING')
  // The stamps continue from the last known instant.
  const last = entries.at(-1)?.at ?? 0
  expect(Math.abs(last - (today + 400 * day + 15 * minute))).toBeLessThan(0.3 * minute)
  server.clock.stop()
})

//
test('given a system time that is set back while the server runs, waits take their real time', () => {
  const server = withQueue([])
  server.manager.send(queue, { type: 'submitPullRequest', number: 1 })
  vi.setSystemTime(today - day)
  vi.advanceTimersByTime(4.9 * minute)
  expect(stateOf(server, 1)).toBe('PENDING')
  vi.advanceTimersByTime(0.2 * minute)
  expect(stateOf(server, 1)).toBe('TESTING')
  server.clock.stop()
})

//
test.each([
  ['is set forward', (server: Running) => server],
  [
    'passes while the server is down',
    ({ clock }: Running, entries: LogEntry[]) => {
      clock.stop()
      return startOn(entries)
    },
  ],
])('after a day that %s, each run under way has its whole time', (_how, after) => {
  const entries: LogEntry[] = []
  const before = withQueue(entries)
  before.manager.send(queue, { type: 'updateQueue', set: { batch: false } })
  for (const number of [1, 2]) before.manager.send(queue, { type: 'submitPullRequest', number })
  vi.advanceTimersByTime(9 * minute)
  vi.setSystemTime(today + day)
  const server = after(before, entries)
  vi.advanceTimersByTime(9.9 * minute)
  server.manager.send(queue, { type: 'submitPullRequest', number: 3 })
  expect([1, 2].map((number) => stateOf(server, number))).toEqual(['TESTING', 'TESTING'])
  vi.advanceTimersByTime(11 * minute)
  expect(stateOf(server, 1)).toBe('FAILED')
  server.clock.stop()
})

//
test('a small difference disappears, because the clock runs slower while it is ahead', () => {
  const clock = new SystemClock()
  vi.setSystemTime(today - 1_000)
  expect(clock.aheadMs()).toBe(1_000)
  vi.advanceTimersByTime(10 * minute)
  expect(clock.aheadMs()).toBe(400)
  vi.advanceTimersByTime(10 * minute)
  expect(clock.aheadMs()).toBe(0)
  expect(clock.now()).toBe(Date.now())
})

test('a clock that is not ahead follows the system time forwards', () => {
  const clock = new SystemClock()
  vi.setSystemTime(today + day)
  expect(clock.now()).toBe(today + day)
})

test('the clock of a demo runs at its speed, whatever happens to the system time', () => {
  const clock = new SystemClock(60)
  clock.start(() => undefined, today + day)
  vi.setSystemTime(today - day)
  vi.advanceTimersByTime(minute)
  expect(clock.now()).toBe(today + day + 60 * minute)
  expect(clock.aheadMs()).toBe(0)
})

//
test('a difference and a jump are told once, and also when they are over', () => {
  const told: string[] = []
  const write = (line: string): void => {
    const { msg }: { readonly msg: string } = JSON.parse(line)
    told.push(msg.slice(0, 48))
  }
  const logger = pino({ base: null }, { write })
  const clock = new SystemClock()
  clock.start(() => undefined, today + 3_000)
  const watch = new ClockWatch(clock, logger)
  watch.start()
  expect(told.splice(0)).toEqual(['the clock of the queues is 3 s ahead of the syst'])
  expect(watch.warning()).toMatch(/3 s ahead .* waits take their real time/)
  vi.advanceTimersByTime(minute)
  expect(told.splice(0)).toEqual([])
  vi.setSystemTime(Date.now() + day)
  vi.advanceTimersByTime(5_000)
  expect(told.splice(0)).toEqual([
    'the system time was set, or the machine was susp',
    'the clock of the queues is at the system time ag',
  ])
  expect(watch.warning()).toBeNull()
  watch.stop()
  clock.stop()
})

// A server whose system time was wrong once, over HTTP.

const days = 24 * 60 * 60_000

//
test('given a system time that was 400 days ahead for one command, it is told at once and stamps continue', async () => {
  const right = Date.UTC(2026, 0, 1)
  const wrong = { ...systemTime, system: () => right + 400 * days }
  const server = await start(temporaryFolder(), { time: wrong })
  await server.client.ok('createQueue', main)
  await server.stop()

  const time = { ...systemTime, system: () => right }
  const { client, log, stop } = await start(server.data, { time })
  const warning = /the clock of the queues is 34\d{6} s ahead of the system time/
  expect(log.join('')).toMatch(warning)
  const ready = await client.get('readyz', '/readyz')
  const health: wire.Health = JSON.parse(ready.text)
  expect(health).toEqual({ status: 'ok', warnings: [expect.stringMatching(warning)] })
  const { text } = await client.send('/metrics', { method: 'GET' })
  expect(text).toMatch(/^mergeyard_clock_ahead_seconds 34\d{6}/m)
  const { stateChangedAt } = await client.ok<wire.SubmittedPullRequest>('submitPullRequest', {
    ...main,
    pr: { number: 1 },
  })
  expect(Date.parse(stateChangedAt)).toBeGreaterThanOrEqual(right + 400 * days)
  await stop()
})
