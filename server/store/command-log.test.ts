import { readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { entries, entryAt } from '../testing/recording.ts'
import { beginFirstSegment, undisturbed } from '../testing/disks.ts'
import { temporaryFolder } from '../testing/test-server.ts'
import { CommandLog } from './command-log.ts'
import { dataFolder, makeDataFolder, segmentFile, type DataFolder } from './data-folder.ts'
import { type SegmentEnd, type SegmentFile, readSegmentFile } from './segment.ts'

const all = entries()

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
