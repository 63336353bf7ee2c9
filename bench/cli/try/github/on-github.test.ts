/** `try --github` on the fake: what it must prove, and what it leaves behind. */

import { PassThrough } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { describe, expect, test, type TestContext } from 'vitest'
import { matrix } from '../../../../engine/testing/matrix.ts'
import { FakeForge } from '../../../../server/forge/testing/fake-forge.ts'
import { github, personalToken } from '../../../../server/github/testing/fake-github.ts'
import { ToyCi } from '../../../../server/forge/testing/toy-ci.ts'
import { exitCodes } from '../../../../server/terminal/command.ts'
import { CliFolder } from '../../testing/cli-folder.ts'
import { tryOnGitHub } from '../../try-on-github.ts'

const fast = {
  pace: { isThrottled: false, retryAfterMs: 1 },
  intervals: { gapMs: 0, againMs: 1 },
}

type Method = 'merge_commit' | 'squash' | 'rebase'

async function tried({ onTestFinished }: TestContext, mergeMethod: Method, isSound = true) {
  const home = new CliFolder()
  const fake = new FakeForge(github, { folder: home.path })
  onTestFinished(() => {
    fake.close()
    home.remove()
  })
  const { repository } = fake.state
  await repository.make()
  await fake.listen()
  const ci = new ToyCi(fake, ['ci'], true)
  ci.isBlind = !isSound
  const before = await repository.git(['rev-parse', 'main'])
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const text = textOf(stdout)
  const { signal } = new AbortController()
  const env = { MERGEYARD_GITHUB_TOKEN: personalToken, MERGEYARD_GITHUB_API: fake.api }
  const code = await tryOnGitHub(
    { repo: 'acme/shop', mergeMethod, isKept: false },
    { stdout, stderr, signal, env },
    { forge: fast, linesOf: () => '' },
  )
  stdout.end()
  const out = await text
  expect(await repository.git(['rev-parse', 'main'])).toBe(before)
  expect(repository.refs().filter((ref) => ref.startsWith('refs/heads/'))).toEqual([
    'refs/heads/main',
  ])
  expect(fake.faults).toEqual([])
  expect(out).not.toContain(personalToken)
  return { code, out }
}

// They wait for the queue most of the time, so they wait together.
describe.concurrent('try --github', () => {
  for (const mergeMethod of ['merge_commit', 'squash', 'rebase'] as const) {
    const tags = mergeMethod === 'squash' ? [] : ['matrix']
    test(
      `with ${mergeMethod} two merge, two fail, and main is left alone`,
      { tags },
      async (context) => {
        const { code, out } = await tried(context, mergeMethod)
        expect(out).toContain('MERGED in the queue, merged on GitHub')
        expect(out).not.toContain('FAULT')
        expect(code).toBe(exitCodes.success)
      },
    )
  }

  test('given CI that passes everything, the fault is told', matrix, async (context) => {
    const { code, out } = await tried(context, 'merge_commit', false)
    expect(out).toMatch(/FAULT\s+#3 broken/)
    expect(code).toBe(exitCodes.failure)
  })
})
