/**
 * Stories of the contract on a real Gitea or Forgejo, which the environment names (testing/real-gitea.ts).
 * Without it they are left out.
 */

import { describe, expect, test } from 'vitest'
import { placeOf, RealGitea, type Files, type Opening } from './testing/real-gitea.ts'

const place = placeOf(process.env)
const begin = (set = {}): Promise<RealGitea> => {
  if (!place) throw new Error('the environment names no Gitea')
  return RealGitea.begin(place, set)
}

/** How many pull requests the story of all of them has under each merge method. */
const pullRequests = Number(process.env['MERGEYARD_GITEA_PULLS'] ?? 12)

const hostile: readonly (Opening & { readonly files?: Files })[] = [
  { title: '@everyone "$(reboot)" `id`; rm -rf / #1 closes #2', body: 'Fixes #1\n\nCloses #2' },
  { title: '‮ev‭il \u001B[31mred 🚀 ünïcode', body: '<img src=x onerror=alert(1)>' },
  { branch: 'a;b&c|d$(e)`f`', title: '--upload-pack=touch' },
  { title: 'x'.repeat(250), body: 'y'.repeat(60_000) },
  { title: 'Revert "Merge pull request #1"', body: 'This reverts commit 0000000.' },
  { title: 'trailers', body: 'Why.\n\nMergeyard-Pull-Request: 1\nCo-authored-by: x <x@y.z>' },
  { title: 'odd names', files: { 'a b/ünï "q" \t.txt': '1', '-rf': '1', 'x\ny.txt': '1' } },
  { title: '', body: '' },
]

/** Main may be pushed to, and a pull request needs one approval. */
const withOneApproval = { branch_name: 'main', enable_push: true, required_approvals: 1 }

describe.skipIf(!place)('on a real Gitea (MERGEYARD_GITEA)', () => {
  //
  test('a label submits, CI decides, and the merge is shown as the queue made it', async () => {
    const world = await begin()
    const { number } = await world.open({ 'pay.txt': 'twice\n' })
    await world.label(number)
    await world.queue.untilState('MERGED', number)
    await expect.poll(() => world.pull(number)).toMatchObject({ state: 'closed', merged: true })
    const { commits, files } = await world.main()
    const shown = await world.pull(number)
    expect(commits).toContain(shown.merge_commit_sha)
    expect(files).toContain('pay.txt')
    await expect.poll(() => world.said(number)).toEqual([expect.stringContaining('has merged')])
  })

  test('a failure names the check, takes the label away, and merges nothing', async () => {
    const world = await begin()
    const { number } = await world.open({ 'broken/1': '' })
    await world.label(number)
    await world.queue.untilState('FAILED', number)
    await expect.poll(() => world.said(number)).toEqual([expect.stringContaining('`ci` failed')])
    await expect.poll(async () => (await world.pull(number)).labels ?? []).toEqual([])
    expect((await world.main()).commits).toHaveLength(1)
  })

  //
  test('who may only read commands nothing, who may write does', async () => {
    const world = await begin()
    const { number } = await world.open({ 'pay.txt': 'twice\n' })
    await expect(world.label(number, 'reader')).rejects.toThrow(/403|404/)
    await world.comment(number, 'reader', '/merge')
    await world.comment(number, 'writer', 'a word')
    expect(world.queue.states()).toEqual({})
    await world.comment(number, 'writer', '/merge')
    await world.queue.untilState('MERGED', number)
  })

  test('a push after the label takes it out, and the label goes', async () => {
    const world = await begin()
    await world.ask('owner', 'POST', '/branch_protections', withOneApproval)
    const { number, branch } = await world.open({ 'pay.txt': 'twice\n' })
    await world.label(number)
    await world.queue.untilState('NOT_READY', number)
    await world.push(branch, { 'more.txt': 'more\n' })
    await world.queue.untilState('CANCELLED', number)
    expect(world.queue.reasonOf(number)).toBe('PR_PUSHED_TO')
    await expect.poll(async () => (await world.pull(number)).labels ?? []).toEqual([])
  })

  test('an approval of a reader is none, one of somebody who may write lets it in', async () => {
    const world = await begin()
    await world.ask('owner', 'POST', '/branch_protections', withOneApproval)
    const { number } = await world.open({ 'pay.txt': 'twice\n' })
    await world.label(number)
    await world.queue.untilState('NOT_READY', number)
    const review = { event: 'APPROVED', body: 'good' }
    await world.ask('reader', 'POST', `/pulls/${number}/reviews`, review)
    await expect.poll(() => world.said(number)).toEqual([expect.stringContaining('approval')])
    expect(world.queue.states()).toEqual({ [number]: 'NOT_READY' })
    await world.ask('owner', 'POST', `/pulls/${number}/reviews`, review)
    await world.queue.untilState('MERGED', number)
  })

  //
  test.each(['merge_commit', 'squash', 'rebase'] as const)(
    'by %s a stack of bases and a line Depends-On land from below, and each gets its base',
    async (mergeMethod) => {
      const world = await begin({ mergeMethod, state: 'PAUSED' })
      const first = await world.open({ 'pay.txt': 'once\n' })
      const second = await world.open({ 'pay.txt': 'twice\n' }, { base: first.branch })
      const third = await world.open({ 'pay.txt': 'never\n' }, { base: second.branch })
      const body = `Depends-On: #${third.number}`
      const fourth = await world.open({ 'more.txt': 'more\n' }, { body })
      const stack = [first, second, third, fourth].map(({ number }) => number)
      for (const number of stack.toReversed()) await world.label(number)
      await world.queue.untilState('NOT_READY', ...stack)
      const shownIn = world.queue.queue().pullRequests
      expect(stack.map((number) => shownIn[number]?.dependsOn ?? [])).toEqual([
        [],
        ...stack.slice(0, 3).map((number) => [number]),
      ])
      world.queue.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
      await world.queue.untilState('MERGED', ...stack)
      for (const number of stack) {
        await expect.poll(() => world.pull(number)).toMatchObject({ merged: true })
        expect((await world.pull(number)).base.ref).toBe('main')
      }
      const { commits } = await world.main()
      expect(commits).toHaveLength(5)
      const shown = await Promise.all(stack.map((number) => world.pull(number)))
      expect(shown.map(({ merge_commit_sha }) => merge_commit_sha)).toEqual(commits.slice(1))
    },
  )

  //
  test('one that stays gets the target branch as its base when the one below has merged', async () => {
    const world = await begin({ mergeMethod: 'squash', concurrency: 1 })
    const below = await world.open({ 'pay.txt': 'once\n' })
    const above = await world.open({ 'broken/1': '' }, { base: below.branch })
    await world.label(above.number)
    await world.queue.untilState('NOT_READY', above.number)
    await world.label(below.number)
    await world.queue.untilState('MERGED', below.number)
    await world.queue.untilState('FAILED', above.number)
    await expect
      .poll(() => world.pull(above.number))
      .toMatchObject({ state: 'open', base: { ref: 'main' } })
  })

  test.each(['merge_commit', 'squash', 'rebase'] as const)(
    'of many, hostile ones among them, with %s each that is healthy merges once',
    async (mergeMethod) => {
      const set = { mergeMethod, batch: true, batchingMinSize: 4, batchingMaxWaitTimeMinutes: 1 }
      const world = await begin(set)
      const healthy: { readonly number: number; readonly path: string }[] = []
      const broken: number[] = []
      for (let index = 0; index < pullRequests; index++) {
        const { files = {}, title = '', ...odd } = hostile[index % hostile.length] ?? {}
        const isBroken = index % 10 === 9
        const path = isBroken ? `broken/${index}` : `change-${index}.txt`
        const opening = { ...odd, title: title === '' ? `Change ${index}` : title }
        const branch = odd.branch === undefined ? {} : { branch: `${odd.branch}-${index}` }
        const { number } = await world.open(
          { ...files, [path]: `${index}\n` },
          { ...opening, ...branch },
        )
        if (isBroken) broken.push(number)
        else healthy.push({ number, path })
        await world.label(number)
      }
      await world.queue.untilState('MERGED', ...healthy.map(({ number }) => number))
      await world.queue.untilState('FAILED', ...broken)
      const { commits, files } = await world.main()
      expect(files.filter((path) => path.startsWith('change-')).toSorted()).toEqual(
        healthy.map(({ path }) => path).toSorted(),
      )
      for (const { number } of healthy) {
        await expect.poll(() => world.pull(number)).toMatchObject({ merged: true })
        expect(commits).toContain((await world.pull(number)).merge_commit_sha)
      }
      for (const number of broken) {
        expect(await world.pull(number)).toMatchObject({ state: 'open', merged: false })
      }
    },
  )
})

describe.skipIf(!place)('past the queue of a real Gitea', () => {
  //
  test.each(['base', 'line'] as const)(
    'who waits, by its %s, for one that somebody merges with the button goes on without it',
    async (says) => {
      const world = await begin()
      const below = await world.open({ 'pay.txt': 'once\n' })
      const on = says === 'base' ? { base: below.branch } : { body: `Depends-On: #${below.number}` }
      const above = await world.open({ 'more.txt': 'more\n' }, on)
      await world.label(above.number)
      await world.queue.untilState('NOT_READY', above.number)
      await world.ask('owner', 'POST', `/pulls/${below.number}/merge`, { Do: 'merge' })
      await world.queue.untilState('MERGED', above.number)
      expect((await world.main()).files).toEqual(['more.txt', 'pay.txt', 'shop.txt'])
      await expect.poll(() => world.pull(above.number)).toMatchObject({ merged: true })
    },
  )
})
