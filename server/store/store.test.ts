/** Snapshots of a running server, the removal of old segments, and a full disk. */

import { chmodSync, existsSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { main } from '../testing/client.ts'
import { entries, recorded, recoveredText, textOf } from '../testing/recording.ts'
import { canMount, withMounts } from '../testing/small-disk.ts'
import { start, temporaryFolder } from '../testing/test-server.ts'
import { beginningFile, dataFolder, segmentFile, segmentsIn } from './data-folder.ts'
import { removeOldSegments } from './store.ts'

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
test.runIf(canMount())(
  'given a disk that fills up, the server says so, and nothing acknowledged is lost',
  async () => {
    const folder = temporaryFolder()
    const full = (segment: string): unknown =>
      expect.stringMatching(new RegExp(`kept\\. The disk of ${folder}/log/${segment} is full$`))
    expect(await withMounts(filling, folder)).toEqual({
      faults: [full('00000001.jsonl'), full('00000002.jsonl')],
      isMany: true,
      lost: 0,
    })
  },
)
