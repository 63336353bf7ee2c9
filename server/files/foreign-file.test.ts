/** Files that a test wrote cannot block the server, lead elsewhere, or fill its memory. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/test-server.ts'
import { readForeignFile } from './foreign-file.ts'

test('a regular file is read, and of a long one only its end', () => {
  const path = join(temporaryFolder(), 'targets')
  writeFileSync(path, 'web\napi\n')
  expect(readForeignFile(path, 100)).toEqual({ bytes: Buffer.from('web\napi\n'), size: 8 })
  expect(readForeignFile(path, 4)).toEqual({ bytes: Buffer.from('api\n'), size: 8 })
})

test('a link is not followed', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'secret'), 's3cret')
  symlinkSync(join(folder, 'secret'), join(folder, 'targets'))
  expect(() => readForeignFile(join(folder, 'targets'), 100)).toThrow('ELOOP')
})

test('a FIFO without a writer does not block', () => {
  const path = join(temporaryFolder(), 'targets')
  execFileSync('mkfifo', [path])
  expect(() => readForeignFile(path, 100)).toThrow('is not a regular file')
})

test('a folder is no file', () => {
  const path = join(temporaryFolder(), 'targets')
  mkdirSync(path)
  expect(() => readForeignFile(path, 100)).toThrow('is not a regular file')
})
