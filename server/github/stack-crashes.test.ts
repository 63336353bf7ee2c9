/** A server that lands a stack by pushes to its branches and to the target branch is killed right after one of them. */

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { openPull } from '../forge/testing/open-pull.ts'
import { ToyCi } from '../forge/testing/toy-ci.ts'
import { untilItEnds } from '../hosting/testing/crash-tests.ts'
import { FakeForge } from '../forge/testing/fake-forge.ts'
import { github, personalToken } from './testing/fake-github.ts'

const program = fileURLToPath(new URL('./testing/github-crash-program.js', import.meta.url))

/** One stack of three, one by itself, one that breaks, and one that is built on that. */
const pulls = [
  ['main', { 'pay.txt': 'once\n' }],
  ['change-1', { 'pay.txt': 'twice\n' }],
  ['change-2', { 'pay.txt': 'never\n' }],
  ['main', { '4.txt': '4\n' }],
  ['main', { 'broken/5': '5\n' }],
  ['change-5', { '6.txt': '6\n' }],
] as const

/** Kills the server once, when the repository has taken so many pushes that land something. */
const killingAfter = (push: number): string => `while read before after ref; do
  case "$ref" in refs/heads/main|refs/heads/change-*) printf x >> pushes;; *) exit 0;; esac
done
[ "$(stat -c %s pushes)" -eq ${push} ] && kill -9 "$(cat pid)"
exit 0`

type Kill = { readonly push: number; readonly mergeMethod: 'squash' | 'rebase' }

async function play({ push, mergeMethod }: Kill): Promise<{ fake: FakeForge; kills: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard-'))
  const fake = new FakeForge(github, { folder })
  onTestFinished(() => {
    fake.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const { repository } = fake.state
  await repository.make()
  await fake.listen()
  const ci = new ToyCi(fake, ['ci'], true)
  const told = join(folder, 'told')
  writeFileSync(told, '')
  const env = { ...process.env, MERGEYARD_GITHUB_TOKEN: personalToken }
  const live = (what: 'look' | 'enter' | 'merge') => {
    const args = [program, what, join(folder, 'data'), fake.url, 'true', told, mergeMethod]
    return untilItEnds(() => {
      const running = promisify(execFile)(process.execPath, args, { env })
      writeFileSync(join(repository.path, 'pid'), String(running.child.pid))
      return running
    })
  }
  await live('look')
  for (const [index, [base, files]] of pulls.entries()) {
    await openPull(fake, index + 1, files, { labels: ['merge-queue'], base })
  }
  await live('enter')
  repository.hook('post-receive', killingAfter(push))
  const { stdout, kills } = await live('merge')
  expect(ci.going).toEqual([])
  expect(JSON.parse(stdout)).toEqual({
    ...{ 1: 'MERGED', 2: 'MERGED', 3: 'MERGED', 4: 'MERGED', 6: 'CANCELLED' },
    5: 'FAILED TEST_RUN_REQUIRED_STATUS_FAILED',
  })
  return { fake, kills }
}

const killed: readonly Kill[] = [
  ...[1, 2, 3, 4, 5, 6].map((push) => ({ push, mergeMethod: 'squash' }) as const),
  { push: 3, mergeMethod: 'rebase' },
]

//
for (const { push, mergeMethod } of killed) {
  test(
    `killed after push ${push} by ${mergeMethod}, each of a stack lands once`,
    { tags: push === 3 && mergeMethod === 'squash' ? [] : ['matrix'] },
    async () => {
      const { fake, kills } = await play({ push, mergeMethod })
      const { repository } = fake.state
      expect(kills).toBe(1)
      // The fourth lands by the button, which keeps its message when it rebases.
      const landed = (await repository.landed()).filter((number) => !['', '4'].includes(number))
      expect(landed).toEqual(['1', '2', '3'])
      expect(await repository.git(['rev-list', '--count', 'main'])).toBe('5')
      expect(await repository.files()).toContain('4.txt')
      expect(await repository.text('pay.txt')).toBe('never')
      for (const number of [1, 2, 3, 4])
        expect(fake.state.pulls.get(number)?.mergedAt).not.toBeNull()
      expect(fake.faults).toEqual([])
    },
  )
}
