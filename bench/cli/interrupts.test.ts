/** Ctrl-C ends every long command, whatever it is at. */

import { PassThrough } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { runCommand } from './commands.ts'
import { SimFolder } from './sim/testing/sim.ts'

const home = new SimFolder()
afterAll(() => home.remove())

const endless = home.scenario('endless', { traffic: { count: 20_000 } })
const day = home.scenario('day', { traffic: { count: 200 } })

const begun = / \d+ (?:of|seeds)/
const partDone = / [1-9]\d* (?:of|seeds)/

//
test.each<readonly [RegExp | null, readonly string[]]>([
  // A single run shows no progress.
  [null, ['sim', endless]],
  [partDone, ['sim', '--seeds', '1000000']],
  [partDone, ['sim', '--defects']],
  [partDone, ['sim', '--exhaustive']],
  [begun, ['soak', '--for', '10h']],
  [partDone, ['compare', day, '--seeds', '1000']],
  [partDone, ['tune', day, '--budget', '10h']],
  [begun, ['capacity', day, '--budget', '10h']],
  [begun, ['worst', day, '--events', '1000000000']],
])('at %s, %j ends with one line and 130', async (progress, args) => {
  const interrupt = new AbortController()
  const [stdout, stderr] = [new PassThrough().resume(), new PassThrough()]
  let err = ''
  stderr.on('data', (chunk: Buffer) => {
    err += String(chunk)
    if (progress?.test(err) === true) interrupt.abort()
  })
  if (progress === null) setImmediate(() => interrupt.abort())
  Object.assign(stderr, { isTTY: true, cursorTo: () => true })
  const context = { stdout, stderr, env: { INIT_CWD: home.path }, signal: interrupt.signal }
  expect(await runCommand(args, context)).toBe(130)
  expect(err.match(/mergeyard: .*\n/g)).toHaveLength(1)
  expect(err).toMatch(/mergeyard: interrupted.*\n$/)
})
