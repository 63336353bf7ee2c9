/** `submit` pushes a branch that only this folder has, or says why it does not. */

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { git } from '../../../server/git/git.ts'
import { main, makeBare, refIn, write } from '../../../server/git/testing/commits.ts'
import { CliFolder } from '../testing/cli-folder.ts'
import { startServe } from '../testing/program.ts'

const home = new CliFolder()
const data = join(home.path, 'data')

/** A bare repository, and a clone of it with a branch `mine` that it does not have. */
async function cloneOf(name: string) {
  const bare = join(home.path, `${name}.git`)
  makeBare(bare)
  await write(bare, { ref: main, files: { [`${name}.txt`]: 'open\n' } })
  const clone = join(home.path, name)
  await git(['clone', '--quiet', bare, clone])
  const mine = { ref: 'refs/heads/mine', from: main, title: 'Mine' }
  await write(join(clone, '.git'), { ...mine, files: { 'mine.txt': 'mine\n' } })
  return { bare, clone }
}

test('a branch is pushed from a clone of the repository, and a hook that stops that is heard', async () => {
  const { bare, clone } = await cloneOf('shop')
  const { clone: other } = await cloneOf('bank')
  const server = await startServe(['--repo', bare, '--test', 'true', '--data', data])
  onTestFinished(async () => void (await server.end()))
  const submit = (folder: string) =>
    home.run(`submit mine --data '${data}'`, { env: { INIT_CWD: folder } })

  const foreign = await submit(other)
  expect([foreign.code, foreign.err]).toEqual([
    2,
    `submit: mine of this folder has no commit in common with main of ${bare}, so it is not pushed there\n`,
  ])
  const hook = join(clone, '.git/hooks/pre-push')
  writeFileSync(hook, '#!/bin/sh\necho "no lint, no push" >&2\nexit 1\n', { mode: 0o755 })
  expect((await submit(clone)).err).toContain(
    `mine of this folder cannot be pushed to ${bare}: no lint, no push`,
  )
  expect(refIn(bare, 'refs/heads/mine')).toBeNull()
  rmSync(hook)
  expect((await submit(clone)).out).toMatch(/^#1 {2}Mine: /)
})
