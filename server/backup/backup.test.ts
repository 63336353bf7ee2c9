/** Backups from a running server, and servers that go on with a restored one. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pack } from 'tar-stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { main } from '../testing/client.ts'
import { filesIn } from '../testing/recording.ts'
import { issue, start, type TestServer } from '../testing/test-server.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import type * as wire from '../contract/wire.ts'
import { dataFolder, segmentFile } from '../store/data-folder.ts'
import { readHeaderOf } from '../store/segment.ts'
import { backUp, restore } from './backup.ts'

const logger = pino({ enabled: false })
const never = 4_294_967_295
const now = new Date('2026-11-23T12:00:00Z')

const submit = ({ client }: TestServer, number: number): Promise<unknown> => client.submit(number)

async function withQueue(): Promise<TestServer> {
  const server = await start(temporaryFolder())
  await server.client.ok('createQueue', { ...main, concurrency: 100, testingTimeoutMinutes: never })
  return server
}

async function runOf({ client }: TestServer, number: number): Promise<string> {
  const run = (await client.runs()).find(
    ({ testedPullRequests: [first] }) => first?.prNumber === number,
  )
  return run?.testRunId ?? 'none'
}

async function numbersIn({ client }: TestServer): Promise<number[]> {
  const { enqueuedPullRequests } = await client.ok<wire.Queue>('getQueue', main)
  return enqueuedPullRequests.map(({ prNumber }) => prNumber)
}

/** A backup of a small folder. */
async function backedUp(): Promise<string> {
  const server = await withQueue()
  await submit(server, 1)
  const to = join(temporaryFolder(), 'out.tar')
  await backUp(dataFolder(server.data), to, now)
  await server.stop()
  return to
}

//
test('a backup of a running server is restored and goes on: with what was acknowledged before, and nothing later', async () => {
  const server = await withQueue()
  const token = await issue(server.data, 'read')
  await submit(server, 1)
  await submit(server, 2)
  const kept = await runOf(server, 1)
  // Submissions go on while the backup is written.
  const to = join(temporaryFolder(), 'out.tar')
  const meanwhile = Array.from({ length: 40 }, (_each, index) => submit(server, 100 + index))
  const { end } = await backUp(dataFolder(server.data), to, now)
  await Promise.all(meanwhile)
  await submit(server, 3)
  const lost = await runOf(server, 3)

  const path = join(temporaryFolder(), 'new')
  expect(await restore(to, path, logger)).toMatchObject({ end, createdAt: now.toISOString() })
  const restored = await start(path)
  expect(restored.manager.registry.sequence).toBe(end.sequence)
  const numbers = await numbersIn(restored)
  expect(numbers).toEqual(expect.arrayContaining([1, 2]))
  expect(numbers).not.toContain(3)
  expect((await restored.client.call('getQueue', main, { token })).status).toBe(200)
  // The first server still runs on its own folder; its later ids are of a lost epoch here.
  const late = await restored.client.call('reportTestRun', { testRunId: lost, outcome: 'passed' })
  expect(late).toMatchObject({ status: 404, text: expect.stringContaining('of a lost epoch') })
  await restored.client.ok('reportTestRun', { testRunId: kept, outcome: 'passed' })
  await submit(restored, 4)
  await restored.stop()
  await server.stop()
  await (await start(path)).stop()
})

//
test('a restore begins a new epoch, and the log says that it is a restored one', async () => {
  const from = await backedUp()
  const path = join(temporaryFolder(), 'new')
  const { end } = await restore(from, path, logger)
  const folder = dataFolder(path)
  const begun = end.segment + 1
  const header = readHeaderOf(segmentFile(folder, begun), begun)
  expect(header).toMatchObject({ isRestored: true, after: end.sequence })
})

//
test('a folder that is not empty is refused and stays as it was', async () => {
  const from = await backedUp()
  const path = temporaryFolder()
  writeFileSync(join(path, 'notes.txt'), 'mine')
  const before = filesIn(dataFolder(path))
  await expect(restore(from, path, logger)).rejects.toThrow(
    'is not empty: restore into a new folder',
  )
  expect(filesIn(dataFolder(path))).toEqual(before)
})

//
test('a backup that was cut or changed is refused, and the folder is empty again', async () => {
  const from = await backedUp()
  const whole = readFileSync(from)
  const path = temporaryFolder()
  const manifestAt = whole.indexOf('manifest.json')
  for (const length of [0, 100, 512, 3_000, manifestAt, manifestAt + 600, whole.length - 1_500]) {
    writeFileSync(from, whole.subarray(0, length))
    await expect(restore(from, path, logger), `cut to ${length}`).rejects.toThrow('be restored')
    expect(readdirSync(path)).toEqual([])
  }
  for (const text of ['"sequence":1', 'createQueue', 'log/0000', '"sha256"']) {
    const changed = Buffer.from(whole)
    const at = whole.indexOf(text)
    expect(at, text).toBeGreaterThan(0)
    changed[at + 3] = (changed[at + 3] ?? 0) ^ 1
    writeFileSync(from, changed)
    await expect(restore(from, path, logger), `changed ${text}`).rejects.toThrow(from)
    expect(readdirSync(path)).toEqual([])
  }
})

//
test.each(['../outside', '/outside', 'log/../../outside', 'lock', 'restoring'])(
  'a tar file with %s is no backup',
  async (name) => {
    const folder = temporaryFolder()
    const archive = pack()
    archive.entry({ name }, 'text')
    archive.finalize()
    const from = join(folder, 'out.tar')
    writeFileSync(from, await buffer(archive))
    const path = join(folder, 'new')
    await expect(restore(from, path, logger)).rejects.toThrow('which no data folder has')
    expect(readdirSync(folder)).toEqual(['out.tar'])
  },
)

//
test('given an interrupted restore, a server does not start on the part of the files', async () => {
  const path = temporaryFolder()
  writeFileSync(dataFolder(path).restoring, 'out.tar\n')
  await expect(start(path)).rejects.toThrow(
    'mergeyard restore or copy is at work or was interrupted',
  )
})

//
test('a backup never replaces a file, and its time is noted in the folder', async () => {
  const server = await withQueue()
  const folder = dataFolder(server.data)
  const to = join(temporaryFolder(), 'out.tar')
  const { unnoted, ...backup } = await backUp(folder, to, now)
  expect(unnoted).toBeNull()
  expect(JSON.parse(readFileSync(folder.backup, 'utf8'))).toEqual(backup)
  await expect(backUp(folder, to, now)).rejects.toThrow('exists already')
  const deeper = join(temporaryFolder(), 'none', 'out.tar')
  await expect(backUp(folder, deeper, now)).rejects.toThrow(/none: no such folder, make it first$/)
  await expect(backUp(folder, join(to, 'x'), now)).rejects.toThrow('no such folder, make it first')
  expect(existsSync(`${to}.${process.pid}.tmp`)).toBe(false)
  await server.stop()
})
