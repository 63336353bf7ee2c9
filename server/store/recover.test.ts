/** Recovery: from the log, from a snapshot, after a crash, and from damaged files. */

import {
  copyFileSync,
  appendFileSync,
  existsSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  cpSync,
  readdirSync,
} from 'node:fs'
import { crc32 } from 'node:zlib'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  entries,
  entryAt,
  recorded,
  recoveredText,
  silent,
  startError,
  textOf,
  filesIn,
} from '../testing/recording.ts'
import { type LogEntry, isCheckedLine } from '../../engine/index.ts'
import { start, withMain } from '../testing/test-server.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { QueueRegistry } from '../queues/queue-registry.ts'
import {
  beginningFile,
  segmentFile,
  segmentsIn,
  dataFolder,
  type DataFolder,
} from './data-folder.ts'
import { recover, snapshotIn } from './recover.ts'
import { entryLine } from './segment.ts'
import { checkedLine } from '../files/checked-line.ts'
import { textOfLine } from './snapshot-file.ts'
import { type Client, examples, main } from '../testing/client.ts'
import type * as wire from '../contract/wire.ts'
import { faultsIn } from './verify.ts'

const all = entries()

const lineOf = (entry: LogEntry): Buffer => Buffer.concat([...entryLine(entry)])

/** The state after the first `count` entries. */
function textAfter(count: number): string {
  const registry = new QueueRegistry(silent)
  for (const entry of all.slice(0, count)) registry.apply(entry)
  return textOf(registry)
}

test('the same entries give the same state, however the log is cut', async () => {
  expect(all.length).toBeGreaterThan(70)
  for (const cuts of [[], [1], [50], [10, 50], [all.length]]) {
    expect(await recoveredText(recorded(all, ...cuts))).toBe(textAfter(all.length))
  }
})

test('a snapshot and the entries since give the same state as all entries', async () => {
  const folder = recorded(all, 60)
  const { registry } = await recover(folder, silent, 1)
  const db = snapshotIn(folder)
  db.data = { segment: 2, state: registry.state() }
  await db.write()
  JSON.parse(readFileSync(folder.snapshot, 'utf8'))
  rmSync(segmentFile(folder, 1))
  expect(await recoveredText(folder)).toBe(textAfter(all.length))
})

//
test('an incomplete last line is ignored and logged, whatever its length', async () => {
  const last = lineOf(entryAt(all, all.length - 1))
  for (const length of [1, 20, last.length - 1]) {
    const folder = recorded(all.slice(0, -1))
    const file = segmentFile(folder, 1)
    appendFileSync(file, last.subarray(0, length))
    const torn = readFileSync(file)
    const server = await start(folder.path)
    expect(server.log.join('')).toContain(`"tornBytes":${length}`)
    expect(readFileSync(file)).toEqual(torn)
    expect(textOf(server.manager.registry)).toBe(textAfter(all.length - 1))
    await server.stop()
    expect(await recoveredText(folder)).toBe(textAfter(all.length - 1))
  }
})

test('a segment with an incomplete header is skipped', async () => {
  const folder = recorded(all, all.length)
  truncateSync(segmentFile(folder, 2), 10)
  const server = await start(folder.path)
  expect(textOf(server.manager.registry)).toBe(textAfter(all.length))
  await server.stop()
  expect(await recoveredText(folder)).toBe(textAfter(all.length))
})

test('damage anywhere else stops the start with file and line, and changes no file', async () => {
  const flipped = recorded(all, 50)
  const file = segmentFile(flipped, 2)
  const lines = readFileSync(file, 'utf8').split('\n')
  const damaged = lines.findIndex((line) => line.includes('"number":'))
  lines[damaged] = (lines[damaged] ?? '').replace('"number":', '"number":1')
  writeFileSync(file, lines.join('\n'))
  expect(await startError(flipped)).toBe(
    `./log/00000002.jsonl, line ${damaged + 1}: expected a whole line that fits its checksum, got another. ` +
      'Nothing was changed. Restore the file from a backup, or move the data folder away to start empty',
  )

  const short = recorded(all, 50)
  const first = segmentFile(short, 1)
  truncateSync(first, readFileSync(first).length - 3)
  expect(await startError(short)).toContain('00000001.jsonl, line 51: expected a whole line')

  const gap = recorded(all.filter(({ sequence }) => sequence !== 30))
  expect(await startError(gap)).toContain('line 31: expected entry 30, got entry 31')

  const missing = recorded(all, 20, 50)
  rmSync(segmentFile(missing, 2))
  expect(await startError(missing)).toContain('00000002.jsonl: expected a segment, got no file')

  const foreign = recorded(all, 50)
  writeFileSync(segmentFile(foreign, 2), readFileSync(segmentFile(recorded(all, 40), 2)))
  expect(await startError(foreign)).toMatch(
    /line 1: expected segment 2 of .* after entry 50, got .*"after":40/,
  )

  const impossible = recorded(all)
  const again = { ...entryAt(all, 0), sequence: all.length + 1 }
  appendFileSync(segmentFile(impossible, 1), lineOf(again))
  expect(await startError(impossible)).toContain('got a command that is rejected: queue exists')
})

test('a damaged snapshot stops the start as well', async () => {
  const folder = recorded(all)
  await (await start(folder.path)).stop()
  const good = readFileSync(folder.snapshot, 'utf8')
  for (const [bad, messages] of [
    [good.replace('"MERGED"', '"FAILED"'), 'the checksum'],
    [good.slice(0, -30), 'Unterminated'],
    [good.replace('{"pullRequest"', '{"pullRequest'), 'JSON'],
    [`${good}more`, 'expected the end of the file, got more'],
    ['', 'expected a whole snapshot'],
    [
      '{"snapshot":"other","lines":[\n],"crc":"00000000"}\n',
      'a mergeyard snapshot of version 1 or 2',
    ],
  ] as const) {
    writeFileSync(folder.snapshot, bad)
    expect(await startError(folder)).toMatch(new RegExp(`snapshot\\.json.*${messages}`))
  }
  writeFileSync(folder.snapshot, good)
  const begun = /"segment":(\d+)/.exec(good)?.[1]
  for (const segment of segmentsIn(folder)) {
    if (segment >= Number(begun)) rmSync(segmentFile(folder, segment))
  }
  expect(await startError(folder)).toContain(`0000000${begun}.jsonl: expected a segment, got no`)
})

test('every segment begins at a snapshot that is kept, and can be replayed from it', async () => {
  const folder = recorded(all)
  for (const number of [201, 202, 203]) {
    const { client, stop } = await start(folder.path)
    const repo = { host: 'github.com', owner: 'acme', name: 'shop' }
    await client.ok('submitPullRequest', { repo, targetBranch: 'main', pr: { number } })
    await stop()
  }
  const newest = await recoveredText(folder)
  const beginnings = segmentsIn(folder).filter((each) => existsSync(beginningFile(folder, each)))
  expect(beginnings).toHaveLength(3)
  for (const segment of beginnings) {
    writeFileSync(folder.snapshot, readFileSync(beginningFile(folder, segment)))
    expect(await recoveredText(folder)).toBe(newest)
  }
})

test.each([0, 1, 4_095, 4_096, 4_097, 10_000])('a line with %i targets is its JSON', (count) => {
  const targets = Array.from({ length: count }, (_, index) => `//lib/"${index}", ü`)
  const line = { impactedTargets: 7, targets }
  expect([...textOfLine(line)].join('')).toBe(JSON.stringify(line))
})

test('the line of a pull request that impacts everything is its JSON', () => {
  const line = { impactedTargets: 7, targets: 'ALL' } as const
  expect([...textOfLine(line)].join('')).toBe('{"impactedTargets":7,"targets":"ALL"}')
})

test('a long line of the log is JSON with its checksum, like a short one', () => {
  const targets = Array.from({ length: 10_000 }, (_, index) => `"targets":[] //lib/${index}, ü`)
  const command = { type: 'setImpactedTargets', number: 7, targets, sha: '"targets":[]' } as const
  const entry = { sequence: 1, at: 2, queue: 'github.com/acme/shop:main', command }
  const line = Buffer.concat([...entryLine(entry)])
  expect(line.toString()).toBe(checkedLine(entry))
  const bytes = { pieces: [line.subarray(0, -1)], length: line.length - 1 }
  expect(isCheckedLine(bytes, crc32)).toBe(true)
})

// Missing and changed bytes: what a start notices, and what is noticed soon after.

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
test('a file with a high number, put there by hand, is told in a few lines', async () => {
  const folder = await written()
  const { length } = segmentsIn(folder)
  copyFileSync(segmentFile(folder, 1), segmentFile(folder, 99_999_999))
  const faults = await faultsIn(folder)
  expect(faults[0]).toContain(`${segmentFile(folder, length + 1)}: expected a segment`)
  expect(faults.length).toBeLessThan(5)
})

//
test('given a queue that stops at an error of its engine, /readyz says so until the next start', async () => {
  const { data, client, manager, stop } = await withMain(await start(temporaryFolder()), {})
  manager.registry.find('github.com/acme/shop:main')?.engine.subscribe(() => {
    throw new Error('an error of the engine')
  })
  expect((await client.call('submitPullRequest', examples.get('submitPullRequest'))).status).toBe(
    500,
  )
  const healthOf = async (asked: Client) => {
    const health: wire.Health = JSON.parse((await asked.get('readyz', '/readyz')).text)
    return health
  }
  expect((await healthOf(client)).warnings).toEqual([
    'github.com/acme/shop:main stopped after an internal error; restart the server to resume it',
  ])
  await stop()
  const again = await start(data)
  expect((await healthOf(again.client)).warnings).toBeUndefined()
  await again.stop()
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
