/** `mergeyard backup`, `restore` and `verify`: their output and their exit codes. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { dataFolder, segmentFile } from '../../../server/store/data-folder.ts'
import { main as queue } from '../../../server/testing/client.ts'
import { start, temporaryFolder } from '../../../server/testing/test-server.ts'
import { CliFolder } from '../testing/cli-folder.ts'

const home = new CliFolder()
afterAll(() => home.remove())

//
test('given a running server, a backup is written, restored and verified', async () => {
  const { client, data, stop } = await start(temporaryFolder())
  onTestFinished(stop)
  await client.ok('createQueue', queue)

  const written = await home.run(['backup', data, 'out.tar'])
  expect(written).toMatchObject({ code: 0, err: '' })
  expect(written.out).toMatch(/out\.tar: \d+ files, \d+ bytes, up to entry 1, 20\d\d-\S+Z\n$/)
  const restored = await home.run(['restore', 'out.tar', 'copy', '--json'])
  expect(JSON.parse(restored.out)).toMatchObject({
    data: join(home.path, 'copy'),
    end: { segment: 1, sequence: 1 },
  })
  for (const folder of [data, 'copy']) {
    const { code, out, err } = await home.run(['verify', folder])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^whole: \d segments?\n$/)
  }

  const again = await home.run(['restore', 'out.tar', 'copy'])
  expect(again).toEqual({
    code: 1,
    out: '',
    err: `mergeyard: ${join(home.path, 'copy')} is not empty: restore into a new folder\n`,
  })
  const twice = await home.run(['backup', data, 'out.tar'])
  expect(twice).toMatchObject({ code: 1, out: '', err: expect.stringContaining('exists already') })
})

//
test('given damage, verify prints a line per fault and exits with 1', async () => {
  const { client, data, stop } = await start(temporaryFolder())
  await client.ok('createQueue', queue)
  await stop()
  const file = segmentFile(dataFolder(data), 1)
  writeFileSync(file, readFileSync(file, 'utf8').replace('createQueue', 'createQueuf'))
  const { code, out, err } = await home.run(['verify', data])
  expect({ code, err }).toEqual({ code: 1, err: '' })
  expect(out).toMatch(/^\S+00000001\.jsonl, line 2: expected a whole line .*\n$/)
  const { faults }: { readonly faults: readonly string[] } = JSON.parse(
    (await home.run(['verify', data, '--json'])).out,
  )
  expect(faults).toHaveLength(1)
})

test.each([
  [['verify'], 'expected <data>, got nothing'],
  [['backup', 'data'], 'expected <data> <out.tar>, got only data'],
  [['verify', 'nowhere'], 'nowhere: expected the data folder of a server, with a command log'],
])('%j is refused in one line with exit code 2', async (args, text) => {
  const { code, out, err } = await home.run(args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(/^[^\n]+\n$/)
  expect(err).toContain(text)
})
