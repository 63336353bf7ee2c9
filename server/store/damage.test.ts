/** Missing and changed bytes: what a start notices, and what is noticed soon after. */

import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { main } from '../testing/client.ts'
import { startError } from '../testing/recording.ts'
import { start, temporaryFolder } from '../testing/test-server.ts'
import { dataFolder, segmentFile, segmentsIn, type DataFolder } from './data-folder.ts'

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
