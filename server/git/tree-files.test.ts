/** Files of commits, read from a real repository. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { GitFailed } from './git.ts'
import { main, makeBare, write } from './testing/commits.ts'
import { filesOf, mergeBase, textsOf } from './objects.ts'

const absent = 'f'.repeat(40)

test('what git cannot read is an error, and no empty answer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard-tree-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const repository = join(folder, 'a.git')
  makeBare(repository)
  const [first = '', second = '', other = ''] = await write(
    repository,
    { ref: main, files: { 'a.txt': 'one\n', 'b.txt': '' } },
    { ref: 'refs/heads/topic', from: main, files: { 'a.txt': 'two\n' } },
    { ref: 'refs/heads/other', files: { 'c.txt': 'three\n' } },
  )

  const blobs = [...(await filesOf(repository, second)).values()]
  expect(await textsOf(repository, blobs)).toEqual(['two\n', ''])
  await expect(textsOf(repository, [absent])).rejects.toThrow(GitFailed)

  expect(await mergeBase(repository, first, second)).toBe(first)
  expect(await mergeBase(repository, first, other)).toBeNull()
  await expect(mergeBase(repository, first, absent)).rejects.toThrow(GitFailed)
})
