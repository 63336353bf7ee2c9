import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/test-server.ts'
import { endOfLog, LogFile } from './command-runner.ts'

const mebibyte = 1 << 20

test('a log can be read while it is written', () => {
  const path = join(temporaryFolder(), 'run.log')
  const log = new LogFile(path)
  log.write('first\n')
  expect(endOfLog(path)).toEqual({ log: 'first\n', bytes: 6 })
  log.write(Buffer.from('second\n'))
  log.close()
  expect(readFileSync(path, 'utf8')).toBe('first\nsecond\n')
})

test('given 1 GiB of output, the log has its beginning and its end, in 10 MiB', () => {
  const path = join(temporaryFolder(), 'run.log')
  const log = new LogFile(path)
  log.write('the beginning\n')
  const much = Buffer.alloc(mebibyte, 'x')
  for (let written = 0; written < 1_024; written++) log.write(much)
  log.write('\nthe end\n')
  log.close()
  const text = readFileSync(path, 'latin1')
  expect(text.startsWith('the beginning\nxxx')).toBe(true)
  expect(text.endsWith('xxx\nthe end\n')).toBe(true)
  const left = 1_024 * mebibyte + 23 - 10 * mebibyte
  expect(text).toContain(`\n[${left} bytes are left out]\n`)
  expect(text.length).toBe(10 * mebibyte + `\n[${left} bytes are left out]\n`.length)
})

test.each([0, 1, 5 * mebibyte - 1, 5 * mebibyte])(
  '%d bytes above the beginning are whole',
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
  log.write('first\n')
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
