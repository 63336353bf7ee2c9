/** Coming back: from the log, from a snapshot, and from what a crash or a bad disk has left. */

import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  entries,
  entryAt,
  filesIn,
  recorded,
  recoveredText,
  silent,
  textOf,
} from '../testing/recording.ts'
import { start } from '../testing/running.ts'
import type { Entry } from '../yard/commands.ts'
import { Register } from '../yard/register.ts'
import type { Bytes } from './lines-of-file.ts'
import { isCheckedLine } from './checked-line.ts'
import { beginningFile, segmentFile, type DataFolder } from './data-folder.ts'
import { recover, snapshotIn } from './recover.ts'
import { entryLine } from './segment.ts'

const all = entries()

const lineOf = (entry: Entry): Buffer => Buffer.concat([...entryLine(entry)])

/** The state after the first so many entries. */
function textAfter(count: number): string {
  const register = new Register(silent)
  for (const entry of all.slice(0, count)) register.apply(entry)
  return textOf(register)
}

/** What stops the start, which leaves every file as it was. */
async function refusal(folder: DataFolder): Promise<string> {
  const before = filesIn(folder)
  const error: unknown = await start(folder.path).catch((reason: unknown) => reason)
  expect(filesIn(folder)).toEqual(before)
  return error instanceof Error ? error.message.replaceAll(folder.path, '.') : 'it started'
}

test('the same entries give the same state, however the log is cut', async () => {
  expect(all.length).toBeGreaterThan(70)
  for (const cuts of [[], [1], [50], [10, 50], [all.length]]) {
    expect(await recoveredText(recorded(all, ...cuts))).toBe(textAfter(all.length))
  }
})

test('a snapshot and the entries since give the same state as all entries', async () => {
  const folder = recorded(all, 60)
  const { register } = await recover(folder, silent, 1)
  const db = snapshotIn(folder)
  db.data = { segment: 2, state: register.state() }
  await db.write()
  JSON.parse(readFileSync(folder.snapshot, 'utf8'))
  rmSync(segmentFile(folder, 1))
  expect(await recoveredText(folder)).toBe(textAfter(all.length))
})

test('a line that a crash has torn is cut off and reported, wherever it was torn', async () => {
  const last = lineOf(entryAt(all, all.length - 1))
  for (const length of [1, 20, last.length - 1]) {
    const folder = recorded(all.slice(0, -1))
    const file = segmentFile(folder, 1)
    const whole = readFileSync(file)
    appendFileSync(file, last.subarray(0, length))
    const server = await start(folder.path)
    expect(server.log.join('')).toContain(`"tornBytes":${length}`)
    expect(readFileSync(file)).toEqual(whole)
    expect(textOf(server.yard.register)).toBe(textAfter(all.length - 1))
    await server.stop()
  }
})

test('a segment whose header a crash has torn begins anew', async () => {
  const folder = recorded(all, all.length)
  truncateSync(segmentFile(folder, 2), 10)
  const server = await start(folder.path)
  expect(textOf(server.yard.register)).toBe(textAfter(all.length))
  await server.stop()
  expect(await recoveredText(folder)).toBe(textAfter(all.length))
})

test('damage anywhere else stops the start, names its place, and touches nothing', async () => {
  const flipped = recorded(all, 50)
  const file = segmentFile(flipped, 2)
  const lines = readFileSync(file, 'utf8').split('\n')
  lines[4] = (lines[4] ?? '').replace('"number":', '"number":1')
  writeFileSync(file, lines.join('\n'))
  expect(await refusal(flipped)).toBe(
    './log/00000002.jsonl, line 5: a line that fits its checksum was expected. Nothing was ' +
      'changed. Put the file back from a backup, or move the data folder away to begin anew',
  )

  const short = recorded(all, 50)
  const first = segmentFile(short, 1)
  truncateSync(first, readFileSync(first).length - 3)
  expect(await refusal(short)).toContain('00000001.jsonl, line 51: the line has no end')

  const gap = recorded(all.filter(({ sequence }) => sequence !== 30))
  expect(await refusal(gap)).toContain('line 31: entry 30 was expected, entry 31 came')

  const missing = recorded(all, 20, 50)
  rmSync(segmentFile(missing, 2))
  expect(await refusal(missing)).toContain('00000002.jsonl: the segment is missing')

  const foreign = recorded(all, 50)
  writeFileSync(segmentFile(foreign, 2), readFileSync(segmentFile(recorded(all, 40), 2)))
  expect(await refusal(foreign)).toMatch(/line 1: .*"after":50} was expected, .*"after":40/)

  const impossible = recorded(all)
  const again = { ...entryAt(all, 0), sequence: all.length + 1 }
  appendFileSync(segmentFile(impossible, 1), lineOf(again))
  expect(await refusal(impossible)).toContain('and is refused now: queue exists')
})

test('a damaged snapshot stops the start as well', async () => {
  const folder = recorded(all)
  await (await start(folder.path)).stop()
  const good = readFileSync(folder.snapshot, 'utf8')
  for (const [bad, told] of [
    [good.replace('"MERGED"', '"FAILED"'), 'the checksum'],
    [good.slice(0, -30), 'Unterminated'],
    [good.replace('{"pullRequest"', '{"pullRequest'), 'JSON'],
    [`${good}more`, 'nothing was expected behind the end'],
    ['', 'the file is cut short'],
    ['{"snapshot":"other","lines":[\n],"crc":"00000000"}\n', 'a mergeyard snapshot of version 1'],
  ] as const) {
    writeFileSync(folder.snapshot, bad)
    expect(await refusal(folder)).toMatch(new RegExp(`snapshot\\.json.*${told}`))
  }
  writeFileSync(folder.snapshot, good)
  rmSync(segmentFile(folder, 2))
  expect(await refusal(folder)).toContain('00000002.jsonl: the segment is missing')
})

const inOne = (bytes: Buffer): Bytes => ({ pieces: [bytes], length: bytes.length })

test('no flipped byte of a line goes unseen', () => {
  const line = lineOf(entryAt(all, 5)).subarray(0, -1)
  expect(isCheckedLine(inOne(line))).toBe(true)
  fc.assert(
    fc.property(fc.nat(line.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const bytes = Buffer.from(line)
      bytes[at] = (bytes[at] ?? 0) ^ change
      expect(isCheckedLine(inOne(bytes))).toBe(false)
    }),
  )
  expect(isCheckedLine(inOne(Buffer.from('{}')))).toBe(false)
})

test('every segment begins at a snapshot that is kept, and can be replayed from there', async () => {
  const folder = recorded(all)
  for (const number of [201, 202, 203]) {
    const { client, stop } = await start(folder.path)
    const repo = { host: 'github.com', owner: 'acme', name: 'shop' }
    await client.ok('submitPullRequest', { repo, targetBranch: 'main', pr: { number } })
    await stop()
  }
  const newest = await recoveredText(folder)
  for (const segment of [2, 3]) {
    writeFileSync(folder.snapshot, readFileSync(beginningFile(folder, segment)))
    expect(await recoveredText(folder)).toBe(newest)
  }
})
