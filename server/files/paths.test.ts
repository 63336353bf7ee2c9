import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { pathsBelow } from './paths.ts'

test('the paths below a folder are those of files and folders, and one that is gone has none', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'refs/heads'), { recursive: true })
  writeFileSync(join(folder, 'refs/heads/main'), '')
  expect(pathsBelow(folder).sort()).toEqual(['refs', 'refs/heads', 'refs/heads/main'])
  expect(pathsBelow(join(folder, 'refs/gone'))).toEqual([])
})
