/** A data folder of version 1.0.0 is read to the same state from each of its snapshots. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { copyRecorded } from '../../engine/recording/testing/recorded.ts'
import { recoveredText, silent } from '../testing/recording.ts'
import { temporaryFolder } from '../testing/test-server.ts'
import { beginningFile, dataFolder, segmentFile, type DataFolder } from './data-folder.ts'
import { recover, snapshotIn } from './recover.ts'
import { entryLine, headerLine, readSegmentFile } from './segment.ts'

function recorded(): DataFolder {
  const folder = dataFolder(temporaryFolder())
  copyRecorded(folder.path)
  return folder
}

/** The snapshots of that version have no number of notices, so the count begins at each of them. */
const withoutCount = (text: string): string => text.replaceAll(/,"notices":\d+/g, '')
/** Without the checksum of the whole. */
const withoutEnd = (text: string): string => text.slice(0, text.lastIndexOf(']'))

test('a recorded folder gives the same state from each of its snapshots', async () => {
  const folder = recorded()
  const newest = withoutCount(await recoveredText(folder))
  expect(newest).toContain('{"sequence":27,')
  expect(newest).toContain('"ticket":{"id":"KAN-123",')
  writeFileSync(folder.snapshot, readFileSync(beginningFile(folder, 2)))
  expect(withoutCount(await recoveredText(folder))).toBe(newest)
})

test('without a snapshot the whole log is replayed, with the rules of today', async () => {
  const folder = recorded()
  rmSync(folder.snapshot)
  const state = await recoveredText(folder)
  expect(state).toContain('{"sequence":27,')
  expect(state).toContain('"ticket":{"id":"KAN-123",')
})

test('a snapshot written today has the same bytes as the recorded one', async () => {
  const folder = recorded()
  const kept = readFileSync(folder.snapshot, 'utf8')
  writeFileSync(folder.snapshot, readFileSync(beginningFile(folder, 2)))
  const { registry } = await recover(folder, silent, 2)
  const db = snapshotIn(folder)
  db.data = { segment: 3, state: registry.state() }
  await db.write()
  expect(withoutEnd(withoutCount(readFileSync(folder.snapshot, 'utf8')))).toBe(withoutEnd(kept))
})

test('a segment written today has the same bytes as the recorded one', () => {
  const path = segmentFile(recorded(), 2)
  const written = [headerLine(2, 19)]
  const start = { segment: 2, after: 19, isLast: false }
  readSegmentFile(path, start, (entry) => void written.push(...entryLine(entry)))
  expect(Buffer.concat(written)).toEqual(readFileSync(path))
})
