/** `try --github` on the fake: what it must prove, and what it leaves behind. */

import { describe, expect, test, type TestContext, vi } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import { FakeCodeHost } from '../../../server/code-host/testing/fake-code-host.ts'
import { github, personalToken } from '../../../server/github/testing/fake-github.ts'
import { ToyCi } from '../../../server/code-host/testing/toy-ci.ts'
import { exitCodes } from '../../../server/terminal/command.ts'
import { captured } from '../../../server/terminal/testing/captured.ts'
import { CliFolder } from '../testing/cli-folder.ts'
import { tryOnGitHub } from '../try-on-github.ts'
import { git } from '../../../server/git/git.ts'

const fast = {
  pace: { isThrottled: false, retryAfterMs: 1 },
  intervals: { gapMs: 0, againMs: 1 },
}

type Method = 'merge_commit' | 'squash' | 'rebase'

async function tried({ onTestFinished }: TestContext, mergeMethod: Method, isSound = true) {
  const home = new CliFolder(onTestFinished)
  const fake = new FakeCodeHost(github, { folder: home.path })
  onTestFinished(() => fake.close())
  const { repository } = fake.state
  await repository.make()
  await fake.listen()
  const ci = new ToyCi(fake, ['ci'], true)
  ci.isBlind = !isSound
  const before = await repository.git(['rev-parse', 'main'])
  const env = { MERGEYARD_GITHUB_TOKEN: personalToken, MERGEYARD_GITHUB_API: fake.api }
  const asked = { repo: 'acme/shop', mergeMethod, isKept: false }
  const ports = { codeHost: fast, linesOf: () => '' }
  const { code, out } = await captured((context) => tryOnGitHub(asked, context, ports), { env })
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
    test(`by ${mergeMethod} two merge, two fail, main is left alone`, { tags }, async (context) => {
      const { code, out } = await tried(context, mergeMethod)
      expect(out).toContain('MERGED in the queue, merged on GitHub')
      expect(out).not.toContain('FAULT')
      expect(code).toBe(exitCodes.success)
    })
  }

  test('given CI that passes everything, the fault is told', matrix, async (context) => {
    const { code, out } = await tried(context, 'merge_commit', false)
    expect(out).toMatch(/FAULT\s+#3 broken/)
    expect(code).toBe(exitCodes.failure)
  })
})

// `mergeyard try` with a stack of three: what real git holds afterwards.

const home = new CliFolder()

/** Number 4 changes a line of 3, the top of the stack, and 5 fails below 6. */
const pullRequests = [
  { number: 1 },
  { number: 2, dependsOn: [1] },
  { number: 3, dependsOn: [2] },
  { number: 4, conflictsWith: [3] },
  { number: 5, breaks: true },
  { number: 6, dependsOn: [5] },
]
const expected = { merged: [1, 2, 3], failed: [4, 5] }

test('given that it goes otherwise than the scenario expects, each difference is told', async () => {
  const pulls = [{ number: 1 }, { number: 2, breaks: true }]
  const two = { pullRequests: pulls, expect: { merged: [2], failed: { min: 2 } } }
  const { code, out } = await home.run(`try ${home.scenario('two', two)}`)
  expect(code).toBe(1)
  expect(out).toContain('NOT AS EXPECTED  merged: expected [2], got [1]\n')
  expect(out).toContain('NOT AS EXPECTED  failed: expected {"min":2}, got 1\n')
})

test.each([
  ['try --merge-method squash', 'expected --github as well, got --merge-method squash'],
  ['try two.json --github acme/scratch', 'only one of them, got --github and two.json'],
])('%s is refused', (line, words) => home.refuses(line, words))

// A-306, E-260
for (const mergeMethod of ['squash', 'rebase', 'merge_commit']) {
  test(
    `a stack of three lands by ${mergeMethod} in its order, each commit once, and one on top of a failure stays out`,
    { tags: mergeMethod === 'squash' ? [] : ['matrix'] },
    async () => {
      const queue = { concurrency: 3, batch: true, batchingMinSize: 2, mergeMethod }
      const stack = home.scenario('stack', { queue, pullRequests, expect: expected })
      // For a folder with a blank the command is one to copy as well.
      vi.stubEnv('TMPDIR', home.path)
      const out = await home.printed(`try ${stack} --keep`).finally(() => vi.unstubAllEnvs())
      // Nobody is tested again before the first time, and who cannot be built has a name.
      expect(out).not.toMatch(/again +#1/)
      expect(out).toMatch(/conflict +#4 +git cannot build it on top of #3/)
      const [, repository = ''] = /--git-dir "(.+)" log/.exec(out) ?? []
      const read = (...args: readonly string[]) => git(['--git-dir', repository, ...args])
      const subjects = (await read('log', '--first-parent', '--format=%s', 'main'))
        .trim()
        .split('\n')
      const landed = subjects.map((subject) => /^Change (\d)/.exec(subject)?.[1] ?? '')
      expect(landed).toEqual(['3', '2', '1', ''])
      const commits = (await read('rev-list', '--count', 'main')).trim()
      expect(commits).toBe(mergeMethod === 'merge_commit' ? '7' : '4')
      const tree = await read('ls-tree', '-r', '--name-only', 'main')
      expect(tree.match(/pulls\/\d/g)).toEqual([1, 2, 3].map((number) => `pulls/${number}`))
    },
  )
}
