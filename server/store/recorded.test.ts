/** A data folder of version 1.0.0 is read to the same state from each of its snapshots. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { copyRecorded } from '../../engine/recording/testing/recorded.ts'
import { recoveredText, silent, versionOneHeader } from '../testing/recording.ts'
import { temporaryFolder } from '../testing/test-server.ts'
import { beginningFile, dataFolder, segmentFile, type DataFolder } from './data-folder.ts'
import { recover, snapshotIn } from './recover.ts'
import { entryLine, readSegmentFile } from './segment.ts'

function recorded(): DataFolder {
  const folder = dataFolder(temporaryFolder())
  copyRecorded(folder.path)
  return folder
}

/**
 * Version 1.0.0 did not note when something was reported or a run ended, and counted neither notices nor what
 * metrics show, so its snapshots have none of it.
 */
function withoutNewer(text: string): string {
  return text
    .replaceAll(/,"reported":\[(?:\[\d+,\d+\],?)*\]/g, '')
    .replaceAll(/,"endedAt":(?:\d+|null)/g, '')
    .replaceAll(/,"notices":\d+/g, '')
    .replaceAll(/,"counts":\[(?:\["[^"]+",\d+\],?)*\]/g, '')
}

test('a recorded folder gives the same state from each of its snapshots', async () => {
  const folder = recorded()
  const newest = await recoveredText(folder)
  expect(newest).toContain('{"sequence":27,')
  expect(newest).toContain('"ticket":{"id":"KAN-123",')
  writeFileSync(folder.snapshot, readFileSync(beginningFile(folder, 2)))
  expect(withoutNewer(await recoveredText(folder))).toBe(withoutNewer(newest))
})

test('without a snapshot the whole log is replayed, with the rules of today', async () => {
  const folder = recorded()
  rmSync(folder.snapshot)
  const state = await recoveredText(folder)
  expect(state).toContain('{"sequence":27,')
  expect(state).toContain('"ticket":{"id":"KAN-123",')
})

test('a snapshot written today has the state of the recorded one', async () => {
  const folder = recorded()
  const kept = await recoveredText(folder)
  writeFileSync(folder.snapshot, readFileSync(beginningFile(folder, 2)))
  const { registry } = await recover(folder, silent, 2)
  const db = snapshotIn(folder)
  db.data = { segment: 3, state: registry.state() }
  await db.write()
  expect(withoutNewer(await recoveredText(folder))).toBe(withoutNewer(kept))
})

test('a segment written today has the same bytes as the recorded one', () => {
  const path = segmentFile(recorded(), 2)
  const written = [versionOneHeader(2, 19)]
  const start = { segment: 2, after: 19, isLast: false }
  readSegmentFile(path, start, (entry) => void written.push(...entryLine(entry)))
  expect(Buffer.concat(written)).toEqual(readFileSync(path))
})
