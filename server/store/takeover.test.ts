/** Two servers on one folder that cannot see each other's process. */

import { appendFileSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import type { LogEntry } from '../../engine/index.ts'
import { FolderInUse, staleAfterMs, thisProcess, type ProcessIdentity } from '../files/lock.ts'
import { entries, entryAt, recoveredText, silent, textOf } from '../testing/recording.ts'
import { temporaryFolder } from '../testing/test-server.ts'
import { dataFolder, segmentFile, segmentsIn, type DataFolder } from './data-folder.ts'
import { entryLine } from './segment.ts'
import { openStore, type Store } from './store.ts'

const all = entries()

type Host = { readonly store: Store; readonly failures: Error[]; readonly log: string[] }

/** Starts a server on a host of its own. */
async function onHost(folder: DataFolder, host: string): Promise<Host> {
  const failures: Error[] = []
  const log: string[] = []
  const logger = pino({ base: null }, { write: (line: string) => void log.push(line) })
  const process: ProcessIdentity = { ...thisProcess(), boot: host, host }
  const onFailure = (error: Error): void => void failures.push(error)
  const options = { logger, keepDays: null, ports: silent, onFailure, process }
  const store = await openStore(folder, options)
  onTestFinished(() => store.close().catch(() => undefined))
  return { store, failures, log }
}

/** As if the holder had not been able to refresh its lock. */
function age({ lock }: DataFolder, ms: number): void {
  const then = (statSync(lock).mtimeMs - ms) / 1_000
  utimesSync(lock, then, then)
}

/** Applies and appends an entry, as the queue manager does. */
function append({ registry, log }: Store, entry: LogEntry): Promise<void> | undefined {
  expect(registry.apply(entry).accepted).toBe(true)
  log.append(entry)
  return log.durable()
}

const messages = (failures: readonly Error[]): string[] =>
  failures.map(({ cause }) => (cause instanceof Error ? cause.message : 'none'))

//
test('given a server on another host that is alive, the second one refuses at once', async () => {
  const folder = dataFolder(temporaryFolder())
  await onHost(folder, 'first')
  await expect(onHost(folder, 'second')).rejects.toThrow(FolderInUse)
  await expect(onHost(folder, 'second')).rejects.toThrow(
    /by process \d+ on host first, which cannot/,
  )
  expect(segmentsIn(folder)).toEqual([1])
})

//
test('given another PID namespace on the same machine, the second one refuses as well', async () => {
  const folder = dataFolder(temporaryFolder())
  const here = await onHost(folder, 'one machine')
  const elsewhere = { ...thisProcess(), boot: 'one machine', namespace: 'pid:[1]', pid: 1 }
  const logger = pino({ enabled: false })
  const onFailure = (): void => undefined
  const options = { logger, keepDays: null, ports: silent, onFailure, process: elsewhere }
  await expect(openStore(folder, options)).rejects.toThrow(FolderInUse)
  await here.store.close()
  await (await openStore(folder, options)).close()
})

//
test('given a lock that is no longer refreshed, the second one takes over, and the first acknowledges nothing more', async () => {
  const folder = dataFolder(temporaryFolder())
  const first = await onHost(folder, 'first')
  await append(first.store, entryAt(all, 0))
  age(folder, 2 * staleAfterMs)
  const second = await onHost(folder, 'second')
  expect(second.store.registry.sequence).toBe(1)
  // Both continue with the same sequence; only one of them is acknowledged.
  const late = append(first.store, entryAt(all, 1))
  await expect(late).rejects.toThrow('the command log cannot be written')
  expect(messages(first.failures)).toEqual([expect.stringContaining('it has replaced the lock')])
  await append(second.store, entryAt(all, 1))
  await append(second.store, entryAt(all, 2))
  await first.store.close()
  await second.store.close()
  expect(second.failures).toEqual([])

  const third = await onHost(folder, 'third')
  expect(textOf(third.store.registry)).toBe(textOf(second.store.registry))
  expect(third.store.registry.sequence).toBe(3)
})

//
test('given two servers that start on a stale lock, the entries of at most one are acknowledged', async () => {
  const folder = dataFolder(temporaryFolder())
  const left = await onHost(folder, 'left behind')
  age(folder, 2 * staleAfterMs)
  const starts = ['a', 'b', 'c'].map((host) => onHost(folder, host))
  const started = (await Promise.allSettled(starts)).flatMap((each) =>
    each.status === 'fulfilled' ? [each.value.store] : [],
  )
  const writes = [left.store, ...started].map(async (store) => append(store, entryAt(all, 0)))
  const acknowledged = (await Promise.allSettled(writes)).filter(
    ({ status }) => status === 'fulfilled',
  )
  expect(acknowledged.length).toBeLessThanOrEqual(1)
  expect(await recoveredText(folder)).toContain(`{"sequence":${acknowledged.length},`)
})

//
test('given lines of a stranger in the segment, the next commit is not acknowledged, and a start ignores them', async () => {
  const folder = dataFolder(temporaryFolder())
  const { store, failures } = await onHost(folder, 'here')
  await append(store, entryAt(all, 0))
  await append(store, entryAt(all, 1))
  const file = segmentFile(folder, 1)
  const { length } = readFileSync(file)
  appendFileSync(file, Buffer.concat([...entryLine(entryAt(all, 1))]))
  await expect(append(store, entryAt(all, 2))).rejects.toThrow('cannot be written')
  expect(messages(failures)[0]).toMatch(/00000001\.jsonl has \d+ bytes, of which \d+ are ours/)
  await store.close()

  const next = await onHost(folder, 'here')
  expect(next.store.registry.sequence).toBe(2)
  expect(next.log.join('')).toContain('lines of a second server, never acknowledged')
  expect(next.log.join('')).toContain(`"bytes":${length}`)
})

//
test('given a segment that another server has begun, the next commit is not acknowledged', async () => {
  const folder = dataFolder(temporaryFolder())
  const { store, failures } = await onHost(folder, 'here')
  appendFileSync(segmentFile(folder, 2), '')
  await expect(append(store, entryAt(all, 0))).rejects.toThrow('cannot be written')
  expect(messages(failures)[0]).toContain('it has begun')
})
