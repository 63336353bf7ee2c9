/** Snapshots of a running server, the removal of old segments, and a full disk. */

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  appendFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, onTestFinished } from 'vitest'
import { pino } from 'pino'
import { main } from '../testing/client.ts'
import { entries, recorded, recoveredText, textOf, entryAt, silent } from '../testing/recording.ts'
import { canMount, withMounts, beginFirstSegment, undisturbed } from '../testing/disks.ts'
import { start } from '../testing/test-server.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import {
  beginningFile,
  dataFolder,
  segmentFile,
  segmentsIn,
  type DataFolder,
  makeDataFolder,
} from './data-folder.ts'
import { removeOldSegments, openStore, type Store } from './store.ts'
import type { LogEntry } from '../../engine/index.ts'
import { FolderInUse, staleAfterMs, thisProcess, type ProcessIdentity } from '../files/lock.ts'
import { entryLine, type SegmentEnd, type SegmentFile, readSegmentFile } from './segment.ts'
import { CommandLog } from './command-log.ts'

const dayMs = 24 * 60 * 60_000

test('after a megabyte of commands a snapshot is written while requests are served', async () => {
  const { client, data, manager, stop } = await start(temporaryFolder())
  const folder = dataFolder(data)
  await client.ok('createQueue', main)
  const targets = (name: string): string[] =>
    Array.from({ length: 6000 }, (_each, index) => `//${name}:target_${index}`.padEnd(80, '_'))
  for (const number of [1, 2, 3]) {
    const impactedTargets = targets(`package_${number}`)
    await client.ok('setImpactedTargets', { ...main, pr: { number }, impactedTargets })
  }
  await client.ok('submitPullRequest', { ...main, pr: { number: 1 } })
  await expect.poll(() => existsSync(folder.snapshot)).toBe(true)
  const snapshot: unknown = JSON.parse(readFileSync(folder.snapshot, 'utf8'))
  expect(snapshot).toMatchObject({ snapshot: 'mergeyard snapshot', segment: 2 })
  expect(statSync(folder.snapshot).mode & 0o777).toBe(0o600)
  await client.ok('submitPullRequest', { ...main, pr: { number: 2 } })
  expect(segmentsIn(folder)).toEqual([1, 2])
  await stop()
  expect(await recoveredText(folder)).toBe(textOf(manager.registry))
})

test('a server without new commands begins one segment, for its epoch', async () => {
  const folder = recorded(entries())
  await (await start(folder.path)).stop()
  for (const segments of [
    [1, 2, 3, 4],
    [1, 2, 3, 4, 5],
  ]) {
    await (await start(folder.path)).stop()
    expect(segmentsIn(folder)).toEqual(segments)
  }
})

test('a start removes the part of a snapshot that a killed server had written', async () => {
  const folder = recorded(entries())
  writeFileSync(join(folder.path, '.snapshot.json.4711.tmp'), '{"half":')
  await (await start(folder.path)).stop()
  expect(readdirSync(folder.path).filter((name) => name.startsWith('.'))).toEqual([])
})

test('--keep-days removes old segments, except those that a start needs', async () => {
  const folder = recorded(entries())
  for (const number of [201, 202]) {
    const { client, stop } = await start(folder.path)
    await client.ok('submitPullRequest', { ...main, pr: { number } })
    await stop()
  }
  const now = statSync(segmentFile(folder, 6)).mtimeMs
  for (const segment of segmentsIn(folder)) {
    const old = (now - 10 * dayMs) / 1000
    utimesSync(segmentFile(folder, segment), old, old)
  }
  const before = await recoveredText(folder)
  expect(segmentsIn(folder)).toEqual([1, 2, 3, 4, 5, 6])
  expect(removeOldSegments(folder, { days: null, now, neededFrom: 6 })).toEqual([])
  expect(removeOldSegments(folder, { days: 11, now, neededFrom: 6 })).toEqual([])
  const server = await start(folder.path, { keepDays: 9 })
  expect(segmentsIn(folder)).toEqual([6, 7])
  expect(existsSync(beginningFile(folder, 3))).toBe(false)
  await server.stop()
  expect(await recoveredText(folder)).toBe(before)
})

test('given a folder that other users may read, the log warns and its mode stays', async () => {
  const data = temporaryFolder()
  chmodSync(data, 0o755)
  const { log, stop } = await start(data)
  expect(log.join('')).toContain('other users may read this folder')
  expect(statSync(data).mode & 0o777).toBe(0o755)
  await stop()
})

const filling = fileURLToPath(new URL('./testing/full-disk-program.js', import.meta.url))

//
test.runIf(canMount())('on a disk that fills up nothing acknowledged is lost', async () => {
  const folder = temporaryFolder()
  const full = (file: string): string =>
    `${folder}/${file} cannot be written, because its disk is full: ` +
    'make room, and start the server again if it has stopped; everything it acknowledged is kept'
  const elsewhere = 'cannot be written, because its disk is full: make room, or name another place'
  expect(await withMounts(filling, folder)).toEqual({
    faults: [
      full('log/00000001.jsonl'),
      full('log/00000002.jsonl'),
      `${folder}/again.tar ${elsewhere}`,
      expect.stringMatching(/restored\/\S+ cannot be written, because its disk is full: make room/),
      full('lock'),
    ],
    locks: [],
    isMany: true,
    lost: 0,
  })
})

// Two servers on one folder that cannot see each other's process.

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

test('given a snapshot that cannot be written, it is tried again when the log has grown by as much', async () => {
  const folder = dataFolder(temporaryFolder())
  const { store, log } = await onHost(folder, 'here')
  for (let restarts = 0; restarts < 16; restarts++) await store.log.beginSegment()
  mkdirSync(folder.snapshot)
  const [first, ...others] = all.slice(0, 3)
  if (first) await append(store, first)
  await expect.poll(() => log.join('')).toContain('could not write a snapshot')
  const segments = segmentsIn(folder)
  for (const entry of others) await append(store, entry)
  expect(segmentsIn(folder)).toEqual(segments)
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

test('a data folder that cannot be made or written says so, and what to do', () => {
  const place = temporaryFolder()
  const file = join(place, 'file')
  writeFileSync(file, '')
  expect(() => makeDataFolder(dataFolder(join(file, 'data')))).toThrow(
    /^the data folder .* cannot be used: ENOTDIR.*: mend that, or name another folder$/,
  )
  // Node's own recursive way does not end there.
  expect(() => makeDataFolder(dataFolder('/proc/data'))).toThrow(
    /: ENOENT.*, or name another folder$/,
  )
})

//
test('a data folder that is moved stops its server, which says so, and goes on where it is now', async () => {
  const place = temporaryFolder()
  const folder = dataFolder(join(place, 'here'))
  const { store, failures } = await onHost(folder, 'first')
  await append(store, entryAt(all, 0))
  const moved = join(place, 'there')
  renameSync(folder.path, moved)
  await expect(append(store, entryAt(all, 1))).rejects.toThrow('the command log cannot be written')
  expect(messages(failures)).toEqual([expect.stringContaining('was moved or removed')])
  await store.close().catch(() => undefined)
  age(dataFolder(moved), 2 * staleAfterMs)
  const again = await onHost(dataFolder(moved), 'second')
  expect(again.store.registry.sequence).toBeGreaterThanOrEqual(1)
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

type Opened = {
  readonly folder: DataFolder
  readonly log: CommandLog
  readonly file: SegmentFile
  readonly commits: SegmentEnd[]
  readonly failures: Error[]
}

async function opened(): Promise<Opened> {
  const folder = dataFolder(temporaryFolder())
  makeDataFolder(folder)
  const file = await beginFirstSegment(folder)
  const commits: SegmentEnd[] = []
  const failures: Error[] = []
  const log = new CommandLog(folder, file, {
    ...undisturbed,
    onCommit: (end) => void commits.push(end),
    onFailure: (error) => void failures.push(error),
  })
  return { folder, log, file, commits, failures }
}

function sequencesIn(folder: DataFolder, segment: number, after: number): number[] {
  const sequences: number[] = []
  const path = segmentFile(folder, segment)
  readSegmentFile(
    path,
    { segment, after, isLast: false },
    ({ sequence }) => void sequences.push(sequence),
  )
  return sequences
}

test('pending entries share one commit, and later entries share the next', async () => {
  const { folder, log, commits } = await opened()
  expect(log.durable()).toBeUndefined()
  for (const entry of all.slice(0, 20)) log.append(entry)
  const first = log.durable()
  expect(log.durable()).toBe(first)
  await first
  expect(commits.map(({ sequence }) => sequence)).toEqual([20])
  expect(log.durable()).toBeUndefined()
  for (const entry of all.slice(20, 30)) log.append(entry)
  const second = log.durable()
  await new Promise(setImmediate)
  log.append(entryAt(all, 30))
  expect(log.durable()).not.toBe(second)
  await log.durable()
  expect(commits.map(({ sequence }) => sequence)).toEqual([20, 30, 31])
  expect(commits.at(-1)?.bytes).toBe(statSync(segmentFile(folder, 1)).size)
  expect(sequencesIn(folder, 1, 0)).toEqual(all.slice(0, 31).map(({ sequence }) => sequence))
  await log.close()
})

test('a new segment begins after the committed entries, and no line of the old one changes', async () => {
  const { folder, log } = await opened()
  for (const entry of all.slice(0, 10)) log.append(entry)
  await log.durable()
  for (const entry of all.slice(10, 15)) log.append(entry)
  const [begun] = await Promise.all([log.beginSegment(), log.durable()])
  expect(begun).toMatchObject({ segment: 2, sequence: 10 })
  const first = readFileSync(segmentFile(folder, 1), 'utf8')
  for (const entry of all.slice(15, 20)) log.append(entry)
  await log.durable()
  expect(sequencesIn(folder, 1, 0)).toHaveLength(10)
  expect(sequencesIn(folder, 2, 10)).toHaveLength(10)
  expect(readFileSync(segmentFile(folder, 1), 'utf8')).toBe(first)
  await log.close()
})

test('only the owner may read the log', async () => {
  const { folder, log } = await opened()
  expect(statSync(folder.log).mode & 0o777).toBe(0o700)
  expect(statSync(segmentFile(folder, 1)).mode & 0o777).toBe(0o600)
  await log.close()
})

test('after a failed write the log accepts nothing, and all pending promises reject', async () => {
  const { log, file, failures } = await opened()
  await file.close()
  log.append(entryAt(all, 0))
  const waiting = log.durable()
  await expect(waiting).rejects.toThrow('the command log cannot be written')
  await expect(log.durable()).rejects.toThrow('the command log cannot be written')
  await expect(log.beginSegment()).rejects.toThrow('the command log cannot be written')
  expect(() => log.append(entryAt(all, 1))).toThrow('the command log cannot be written')
  expect(failures).toEqual([log.failure])
})
