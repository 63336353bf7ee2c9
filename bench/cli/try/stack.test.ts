/** `mergeyard try` with a stack of three: what real git holds afterwards. */

import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { git } from '../../../server/git/git.ts'
import { CliFolder } from '../testing/cli-folder.ts'

const home = new CliFolder()
afterAll(() => home.remove())

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

// A-306, E-260
for (const mergeMethod of ['squash', 'rebase', 'merge_commit']) {
  test(
    `a stack of three lands by ${mergeMethod} in its order, each commit once, and one on top of a failure stays out`,
    { tags: mergeMethod === 'squash' ? [] : ['matrix'] },
    async () => {
      const queue = { concurrency: 3, batch: true, batchingMinSize: 2, mergeMethod }
      home.write(
        'stack.json',
        JSON.stringify({ name: 'stack', queue, pullRequests, expect: expected }),
      )
      const { code, out } = await home.run(['try', 'stack.json', '--keep'])
      expect([code, out]).toEqual([0, expect.stringContaining('kept: git --git-dir ')])
      // Nobody is tested again before the first time, and who cannot be built has a name.
      expect(out).not.toMatch(/again +#1/)
      expect(out).toMatch(/conflict +#4 +git cannot build it on top of #3/)
      const [, repository = ''] = /--git-dir (\S+) log/.exec(out) ?? []
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
      rmSync(repository.replace(/\/shop\.git$/, ''), { recursive: true })
    },
  )
}
