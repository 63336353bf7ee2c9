/** Every changed or missing byte of old files is found: by `mergeyard verify`, and after a start. */

import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type * as wire from '../contract/wire.ts'
import { main } from '../testing/client.ts'
import { filesIn } from '../testing/recording.ts'
import { start, temporaryFolder } from '../testing/test-server.ts'
import { dataFolder, segmentFile, type DataFolder } from './data-folder.ts'
import { faultsIn } from './verify.ts'

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
