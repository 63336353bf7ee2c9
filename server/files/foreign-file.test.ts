/** Files that a test wrote cannot block the server, lead elsewhere, or fill its memory. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { isRegularFile, readForeignFile, watchFile } from './foreign-file.ts'

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

test('what lies below a file is no file', () => {
  const path = join(temporaryFolder(), 'targets')
  writeFileSync(path, 'web\n')
  expect(isRegularFile(path)).toBe(true)
  expect(isRegularFile(join(path, 'more'))).toBe(false)
})

test('a watched file whose folder becomes a file is a fault, and is read again when it is back', async () => {
  const folder = join(temporaryFolder(), 'etc')
  const path = join(folder, 'tokens')
  mkdirSync(folder)
  writeFileSync(path, 'one')
  const [changes, faults]: string[][] = [[], []]
  const watch = watchFile({
    path,
    read: () => readFileSync(path, 'utf8'),
    onChange: (text) => void changes?.push(text),
    onFault: (error) => void faults?.push(String(error)),
  })
  onTestFinished(watch.end)
  expect(watch.first).toBe('one')

  rmSync(folder, { recursive: true })
  writeFileSync(folder, 'no folder')
  await expect.poll(() => faults, { timeout: 10_000 }).toEqual([expect.stringContaining('ENOTDIR')])

  rmSync(folder)
  mkdirSync(folder)
  writeFileSync(path, 'two')
  await expect.poll(() => changes, { timeout: 10_000 }).toEqual(['two'])
})
