/** Missing and changed bytes: what a start notices, and what is noticed soon after. */

import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { main } from '../testing/client.ts'
import { startError, filesIn } from '../testing/recording.ts'
import { start, temporaryFolder } from '../testing/test-server.ts'
import { dataFolder, segmentFile, segmentsIn, type DataFolder } from './data-folder.ts'
import { join } from 'node:path'
import type * as wire from '../contract/wire.ts'
import { faultsIn } from './verify.ts'

/** A folder whose server was killed: the last segment has entries that no snapshot contains. */
async function killed(): Promise<DataFolder> {
  const copy = temporaryFolder()
  const server = await start(temporaryFolder())
  await server.client.ok('createQueue', main)
  for (const number of [1, 2, 3])
    await server.client.ok('submitPullRequest', { ...main, pr: { number } })
  cpSync(server.data, copy, { recursive: true, filter: (path) => !path.endsWith('/lock') })
  await server.stop()
  return dataFolder(copy)
}

const lastSegment = (folder: DataFolder): string =>
  segmentFile(folder, segmentsIn(folder).at(-1) ?? 0)

const acknowledged = /00000001\.jsonl: expected at least \d+ bytes, up to entry 4, which was ack/

//
test('an emptied, cut or removed last segment stops the start, because acknowledged entries are missing', async () => {
  const folder = await killed()
  const file = lastSegment(folder)
  const whole = readFileSync(file)
  const lines = whole.toString().split('\n')
  const ends = [0, 10, (lines[0] ?? '').length + 1, whole.length - 1 - (lines.at(-2) ?? '').length]
  for (const end of ends) {
    writeFileSync(file, whole)
    truncateSync(file, end)
    expect(await startError(folder)).toMatch(acknowledged)
  }
  rmSync(file)
  expect(await startError(folder)).toMatch(acknowledged)
  writeFileSync(file, whole)
  await (await start(folder.path)).stop()
})

//
test('a cut at the end of any older segment that a start reads stops it', async () => {
  const folder = await killed()
  const file = lastSegment(folder)
  const server = await start(folder.path)
  const whole = readFileSync(file)
  cpSync(server.data, `${folder.path}-2`, {
    recursive: true,
    filter: (path) => !path.endsWith('/lock'),
  })
  await server.stop()
  const copy = dataFolder(`${folder.path}-2`)
  const older = segmentFile(copy, 1)
  truncateSync(older, whole.length - 200)
  expect(await startError(copy)).toMatch(/00000001\.jsonl.*expected/)
  writeFileSync(older, '')
  expect(await startError(copy)).toContain('00000001.jsonl: expected')
  rmSync(copy.path, { recursive: true })
})

//
test('without the end marker the log is read as far as it goes, with a warning', async () => {
  const folder = await killed()
  rmSync(folder.end)
  const server = await start(folder.path)
  expect(server.manager.registry.sequence).toBe(4)
  expect(server.log.join('')).toContain('the end marker is missing')
  await server.stop()
  writeFileSync(folder.end, '{"segment":')
  const again = await start(folder.path)
  expect(again.log.join('')).toContain('the end marker is missing')
  await again.stop()
})

// Every changed or missing byte of old files is found: by `mergeyard verify`, and after a start.

/** A folder with several segments and snapshots, after an orderly stop. */
async function written(): Promise<DataFolder> {
  const data = temporaryFolder()
  for (const number of [1, 2, 3]) {
    const { client, stop } = await start(data)
    if (number === 1) await client.ok('createQueue', main)
    await client.ok('submitPullRequest', { ...main, pr: { number } })
    await stop()
  }
  return dataFolder(data)
}

const filesOf = ({ log, snapshot }: DataFolder): string[] => [
  snapshot,
  ...readdirSync(log).map((name) => join(log, name)),
]

//
test('a flipped bit or a missing end in any file is a fault that names the file, and nothing is changed', async () => {
  const folder = await written()
  expect(await faultsIn(folder)).toEqual([])
  const files = filesOf(folder)
  expect(files.length).toBeGreaterThan(8)
  for (const file of files) {
    const whole = readFileSync(file)
    for (const at of [0, 20, whole.length >> 1, whole.length - 1]) {
      const flipped = Buffer.from(whole)
      flipped[at] = (flipped[at] ?? 0) ^ 1
      writeFileSync(file, flipped)
      const before = filesIn(folder)
      const faults = await faultsIn(folder)
      expect(faults.join('\n'), `byte ${at} of ${file}`).toContain(folder.path)
      expect(faults.join('\n')).toContain(file)
      expect(filesIn(folder)).toEqual(before)
    }
    for (const length of [0, whole.length - 2, whole.lastIndexOf('\n', whole.length - 2) + 1]) {
      writeFileSync(file, whole)
      truncateSync(file, length)
      expect((await faultsIn(folder)).join('\n'), `${file} cut to ${length}`).toContain(file)
    }
    writeFileSync(file, whole)
  }
  expect(await faultsIn(folder)).toEqual([])
})

//
test('a missing segment is a fault', async () => {
  const folder = await written()
  rmSync(segmentFile(folder, 2))
  expect(await faultsIn(folder)).toEqual([
    expect.stringContaining('expected a segment, got no file'),
  ])
})

//
test('given damage in a segment that a start does not read, the server starts and tells it', async () => {
  const folder = await written()
  const file = segmentFile(folder, 1)
  writeFileSync(file, readFileSync(file, 'utf8').replace('"number":1', '"number":7'))
  const { client, log, stop } = await start(folder.path)
  await expect.poll(() => log.join('')).toContain('an older file is damaged')
  expect(log.join('')).toContain('00000001.jsonl, line 3: expected a whole line')
  const health: wire.Health = JSON.parse((await client.get('readyz', '/readyz')).text)
  expect(health.warnings).toEqual(['1 older file is damaged: mergeyard verify names what is wrong'])
  await stop()
})
