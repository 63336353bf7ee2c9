/** Formats that move on: older ones are read and upgraded, newer ones and other rules are refused. */

import { readFileSync, writeFileSync, copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { formatVersion, type LogEntry } from '../../engine/index.ts'
import { proofOf } from '../queues/proof.ts'
import { QueueRegistry } from '../queues/queue-registry.ts'
import { checkedBytes } from '../files/checked-line.ts'
import { main } from '../testing/client.ts'
import {
  entries,
  filesIn,
  recorded,
  silent,
  startError,
  recoveredText,
  versionOneHeader,
} from '../testing/recording.ts'
import { start } from '../testing/test-server.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import type * as wire from '../contract/wire.ts'
import {
  segmentFile,
  segmentsIn,
  type DataFolder,
  dataFolder,
  beginningFile,
} from './data-folder.ts'
import { entryLine, headerLine, readHeaderOf, readSegmentFile } from './segment.ts'
import { copyRecorded } from '../../engine/recording/testing/recorded.ts'
import { recover, snapshotIn } from './recover.ts'

/**
 * Data folders of released formats, which every later version must read. Each was written by a server
 * of its time: two runs are in progress, and the last line was cut off by a crash. The files have the
 * suffix `.txt`, so that no tool formats them.
 * The path is relative to the compiled code, which is one folder deeper than this file.
 */
const source = fileURLToPath(new URL('../../../server/testing/released', import.meta.url))

type ReleasedFormat = {
  readonly version: number
  /** The runs in progress, by pull request. */
  readonly runs: Readonly<Record<number, string>>
}

const releasedFormats: readonly ReleasedFormat[] = [
  {
    version: 1,
    runs: {
      3: 'f3efb128-cd10-8377-96a6-000000000004',
      4: 'f3efb128-cd10-8377-96a6-000000000005',
    },
  },
  {
    version: 2,
    runs: {
      3: 'bd800faf-ae6a-809e-a2d8-72f600000004',
      4: 'bd800faf-ae6a-8a41-adfb-a85d00000005',
    },
  },
]

/** Returns a copy of the folder with the file names of a server. */
function releasedFolder({ version }: ReleasedFormat): DataFolder {
  const to = temporaryFolder()
  const from = join(source, `version-${version}`)
  for (const name of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.txt')) continue
    const copy = join(to, name.slice(0, -'.txt'.length))
    mkdirSync(dirname(copy), { recursive: true })
    copyFileSync(join(from, name), copy)
  }
  return dataFolder(to)
}

const all = entries()

test('a folder of every released format is kept', () => {
  expect(releasedFormats.at(-1)?.version).toBe(formatVersion)
})

//
test.each(releasedFormats)('a folder of format $version is read and upgraded', async (format) => {
  const folder = releasedFolder(format)
  const before = filesIn(folder)
  const { client, stop } = await start(folder.path)
  const { testRuns } = await client.ok<wire.TestRuns>('getMergeQueueTestingDetails', main)
  const found = testRuns.map(({ testRunId, testedPullRequests: [first] }) => [
    first?.prNumber,
    testRunId,
  ])
  const runs = Object.entries(format.runs).map(([number, id]) => [Number(number), id])
  expect(found).toEqual(runs)
  for (const [, testRunId] of runs) {
    await client.ok('reportTestRun', { testRunId, outcome: 'passed' })
  }
  const merged = await client.ok<wire.PullRequestPage>('listPullRequests', main)
  const states = merged.pullRequests.map(({ prNumber, state }) => [prNumber, state])
  expect(states).toEqual(expect.arrayContaining(runs.map(([number]) => [number, 'MERGED'])))
  await stop()

  const last = segmentsIn(folder).at(-1) ?? 0
  expect(readHeaderOf(segmentFile(folder, last), last)?.version).toBe(formatVersion)
  expect(filesIn(folder)).toMatchObject(
    Object.fromEntries(
      Object.entries(before).filter(
        ([name]) => name.endsWith('.jsonl') && !name.includes('outbox'),
      ),
    ),
  )
  await (await start(folder.path)).stop()
})

//
test('a newer format stops the start, which says what to do', async () => {
  const folder = recorded(all)
  const newer = checkedBytes({ log: 'mergeyard command log', version: 3, segment: 2, after: 78 })
  writeFileSync(segmentFile(folder, 2), newer)
  expect(await startError(folder)).toBe(
    './log/00000002.jsonl: expected format version 1 or 2, got version 3 of a newer Mergeyard. ' +
      'Nothing was changed. Start that newer version, or restore a backup from before the upgrade',
  )
  const other = recorded(all)
  await (await start(other.path)).stop()
  const snapshot = readFileSync(other.snapshot, 'utf8')
  writeFileSync(other.snapshot, snapshot.replace('"version":2', '"version":3'))
  expect(await startError(other)).toContain(
    'snapshot.json: expected format version 1 or 2, got ver',
  )
})

/** A log that a server with other rules has written; `proofs` maps each proof. */
function ofOtherRules(proofs: (proof: string, entry: LogEntry) => string): DataFolder {
  const folder = recorded([])
  const registry = new QueueRegistry(silent)
  const lines = all.flatMap((entry) => {
    const outcome = registry.apply(entry)
    if (!outcome.accepted) throw new Error('a rejected entry')
    return [...entryLine({ ...entry, proof: proofs(proofOf(outcome.events), entry) })]
  })
  const header = { segment: 1, after: 0, epoch: '0123456789', rules: 'others', previous: null }
  writeFileSync(segmentFile(folder, 1), Buffer.concat([headerLine(header), ...lines]))
  return folder
}

//
test('given entries of other rules that decide as those of today, the server starts and takes a snapshot', async () => {
  const folder = ofOtherRules((proof) => proof)
  const server = await start(folder.path)
  await expect.poll(() => server.log.join('')).toContain('wrote a snapshot')
  expect(JSON.parse(readFileSync(folder.snapshot, 'utf8'))).toMatchObject({ sequence: all.length })
  await server.stop()
})

//
test('given an entry that the rules of today decide differently, the start refuses and names it', async () => {
  const folder = ofOtherRules((proof, { sequence }) => (sequence === 20 ? '00000000' : proof))
  expect(await startError(folder)).toMatch(
    /^\.\/log\/00000001\.jsonl: entry 20 was made by the engine rules others; the rules of this version \([0-9a-f]{12}\) decide differently\. Nothing was changed\. Start the version that wrote it once/,
  )
})

// A data folder of version 1.0.0 is read to the same state from each of its snapshots.

function recordedQueue(): DataFolder {
  const folder = dataFolder(temporaryFolder())
  copyRecorded(folder.path)
  return folder
}

/**
 * Version 1.0.0 did not note when something was reported or a run ended, nor which commit failed, and counted neither notices nor what
 * metrics show, so its snapshots have none of it.
 */
function withoutNewer(text: string): string {
  return text
    .replaceAll(/,"reported":\[(?:\[\d+,\d+\],?)*\]/g, '')
    .replaceAll(/,"endedAt":(?:\d+|null)/g, '')
    .replaceAll(/,"failedCommit":"\w+"/g, '')
    .replaceAll(/,"notices":\d+/g, '')
    .replaceAll(/,"counts":\[(?:\["[^"]+",\d+\],?)*\]/g, '')
}

test('a recorded folder gives the same state from each of its snapshots', async () => {
  const folder = recordedQueue()
  const newest = await recoveredText(folder)
  expect(newest).toContain('{"sequence":27,')
  expect(newest).toContain('"ticket":{"id":"KAN-123",')
  writeFileSync(folder.snapshot, readFileSync(beginningFile(folder, 2)))
  expect(withoutNewer(await recoveredText(folder))).toBe(withoutNewer(newest))
})

test('without a snapshot the whole log is replayed, with the rules of today', async () => {
  const folder = recordedQueue()
  rmSync(folder.snapshot)
  const state = await recoveredText(folder)
  expect(state).toContain('{"sequence":27,')
  expect(state).toContain('"ticket":{"id":"KAN-123",')
})

test('a snapshot written today has the state of the recorded one', async () => {
  const folder = recordedQueue()
  const kept = await recoveredText(folder)
  writeFileSync(folder.snapshot, readFileSync(beginningFile(folder, 2)))
  const { registry } = await recover(folder, silent, 2)
  const db = snapshotIn(folder)
  db.data = { segment: 3, state: registry.state() }
  await db.write()
  expect(withoutNewer(await recoveredText(folder))).toBe(withoutNewer(kept))
})

test('a segment written today has the same bytes as the recorded one', () => {
  const path = segmentFile(recordedQueue(), 2)
  const written = [versionOneHeader(2, 19)]
  const atSegment = { segment: 2, after: 19, isLast: false }
  readSegmentFile(path, atSegment, (entry) => void written.push(...entryLine(entry)))
  expect(Buffer.concat(written)).toEqual(readFileSync(path))
})
