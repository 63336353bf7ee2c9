import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { benchWith } from './testing/bench.ts'
import { endOfLog, LogFile, RunLogs } from './run-logs.ts'

const mebibyte = 1 << 20

test('a log can be read while it is written', () => {
  const path = join(temporaryFolder(), 'run.log')
  const log = new LogFile(path)
  log.say('first')
  expect(endOfLog(path)).toEqual({ log: 'first\n', bytes: 6 })
  log.write(Buffer.from('sec'))
  log.write(Buffer.from('ond'))
  log.say('third')
  log.close()
  expect(readFileSync(path, 'utf8')).toBe('first\nsecond\nthird\n')
})

test('given 1 GiB of output, the log has its beginning and its end, in 10 MiB', () => {
  const path = join(temporaryFolder(), 'run.log')
  const log = new LogFile(path)
  log.say('the beginning')
  const much = Buffer.alloc(mebibyte, 'x')
  for (let written = 0; written < 1_024; written++) log.write(much)
  log.say('the end')
  log.close()
  const text = readFileSync(path, 'latin1')
  expect(text.startsWith('the beginning\nxxx')).toBe(true)
  expect(text.endsWith('xxx\nthe end\n')).toBe(true)
  const left = 1_024 * mebibyte + 23 - 10 * mebibyte
  expect(text).toContain(`\n[${left} bytes are left out]\n`)
  expect(text.length).toBe(10 * mebibyte + `\n[${left} bytes are left out]\n`.length)
})

test.each([0, 1, 5 * mebibyte - 1, 5 * mebibyte])(
  '%d bytes more than the start are whole',
  (more) => {
    const path = join(temporaryFolder(), 'run.log')
    const log = new LogFile(path)
    const output = Buffer.alloc(5 * mebibyte + more, 'abcdefg')
    for (let at = 0; at < output.length; at += 65_521) log.write(output.subarray(at, at + 65_521))
    log.close()
    expect(readFileSync(path).equals(output)).toBe(true)
  },
)

test.runIf(existsSync('/dev/full'))('given a full disk, the run goes on without a log', () => {
  const log = new LogFile('/dev/full')
  log.write(Buffer.from('first\n'))
  log.write(Buffer.alloc(11 * mebibyte))
  log.close()
  expect(statSync('/dev/full').isCharacterDevice()).toBe(true)
})

test('a link in place of a log is neither written through nor read', () => {
  const folder = temporaryFolder()
  const [victim, path] = [join(folder, 'victim'), join(folder, 'run.log')]
  writeFileSync(victim, 'kept')
  symlinkSync(victim, path)
  expect(() => new LogFile(path)).toThrow('ELOOP')
  expect(readFileSync(victim, 'utf8')).toBe('kept')
  expect(endOfLog(path)).toBeNull()
})

test('a run without a log has none', () => {
  expect(endOfLog(join(temporaryFolder(), 'run.log'))).toBeNull()
})

//
test('the logs of the oldest runs go when all of them take too much', async () => {
  const logs = temporaryFolder()
  writeFileSync(join(logs, 'notes.txt'), 'of somebody')
  const left = async (names: readonly string[]): Promise<void> => {
    await expect.poll(() => new Set(readdirSync(logs))).toEqual(new Set(['notes.txt', ...names]))
  }
  const command = 'head -c 400000 /dev/zero'
  const { test: run, runner } = await benchWith({ command, logs, mostLogBytes: mebibyte })
  await run(0, 'one')
  await run(0, 'two')
  await left(['one.log', 'two.log'])
  await run(0, 'three')
  await left(['three.log', 'two.log'])
  expect(endOfLog(runner.logOf('one'))).toBeNull()
  // Another server finds them.
  const next = await benchWith({ command: 'true', logs, mostLogBytes: 500_000 })
  await next.test(0, 'four')
  await left(['four.log', 'three.log'])
})

//
test('the log of a run in progress stays, though it has said nothing for longer than all others', async () => {
  const folder = temporaryFolder()
  const logs = new RunLogs(folder, mebibyte)
  const say = (id: string): LogFile => {
    const log = logs.open(id)
    log.write(Buffer.alloc(400_000))
    return log
  }
  const silent = say('silent')
  utimesSync(logs.pathOf('silent'), 0, 0)
  for (const id of ['one', 'two']) logs.close(id, say(id))
  await logs.settled()
  expect(readdirSync(folder)).toContain('silent.log')
  expect(readdirSync(folder)).toHaveLength(2)
  logs.close('silent', silent)
})
