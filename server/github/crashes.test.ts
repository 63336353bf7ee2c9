/**
 * A server on GitHub is killed after each of its effects: a git command, a request that changes something and
 * whose answer is lost, a durable command. Started again, it comes to the same end. `npm run test:matrix` tries
 * effect 120, `MERGEYARD_EFFECTS=all` every one.
 */

import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type TestContext, onTestFailed, onTestFinished, test } from 'vitest'
import type { RecordedSettings } from '../../engine/index.ts'
import { effectsIn, crashTests, live, mergedInCrash } from '../hosting/testing/crash-tests.ts'
import { crashChanges } from '../hosting/testing/crash-story.ts'
import { FakeCodeHost } from '../code-host/testing/fake-code-host.ts'
import { github, personalToken } from './testing/fake-github.ts'
import { openPull } from '../code-host/testing/code-host-world.ts'
import { ToyCi } from '../code-host/testing/toy-ci.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'

type Ended = {
  readonly states: Readonly<Record<string, string>>
  readonly kills: number
  readonly effects: number
  readonly fake: FakeCodeHost
}

type AtEnd = Pick<TestContext, 'onTestFinished' | 'onTestFailed'>

/** A fake host with a CI, whose server is killed; both end with the test. */
async function shop(context: AtEnd, set: RecordedSettings = {}) {
  // Of the context: these tests run side by side.
  const folder = temporaryFolder(context.onTestFinished)
  const fake = new FakeCodeHost(github, { folder })
  context.onTestFinished(() => fake.close())
  // The server may not have come to its end because of them.
  context.onTestFailed(() => expect(fake.faults).toEqual([]))
  await fake.state.repository.make()
  await fake.listen()
  const life = {
    data: join(folder, 'data'),
    file: join(folder, 'told'),
    env: { ...process.env, MERGEYARD_GITHUB_TOKEN: personalToken },
    story: {
      url: `${fake.url}/acme/shop.git`,
      github: fake.api,
      tests: { kind: 'host', noCiMinutes: 15 } as const,
      set: { mergeMethod: 'merge_commit', requiredStatuses: ['ci'], ...set } as const,
    },
  }
  return { folder, fake, ci: new ToyCi(fake, ['ci'], true), life }
}

/** Plays the story; the server dies after effect `last`, and is started again. */
async function play(last: number, context: TestContext): Promise<Ended> {
  const { folder, fake, ci, life } = await shop(context)
  ci.flakesOnce = 'flaky'
  const { count, path, number } = effectsIn(folder, last)
  const onStart = (pid: number): void => {
    fake.onEffect = () => {
      if (isReported(fake)) writeFileSync(life.file, '')
      spawnSync(count, [String(pid)])
    }
  }
  const counted = { ...life, count, env: { ...life.env, PATH: path }, onStart }
  // A label from before the first poll is no request.
  const polled = await live('poll', counted)
  fake.onEffect = () => undefined
  for (const [index, [, files]] of crashChanges.entries()) {
    await openPull(fake, index + 1, files, { labels: ['merge-queue'] })
  }
  const entered = await live('enter', counted)
  const merged = await live('merge', counted)
  await fake.pushed()
  const states: Ended['states'] = JSON.parse(merged.stdout)
  const kills = polled.kills + entered.kills + merged.kills
  return { states, kills, effects: number(), fake }
}

function saidOn({ state }: FakeCodeHost, number: number): string[] {
  return state.comments.filter((each) => each.number === number).map(({ body }) => body)
}

/** Everybody can read on GitHub how it ended. */
function isReported(fake: FakeCodeHost): boolean {
  return crashChanges.every((_, index) => {
    return saidOn(fake, index + 1).some((body) => /has (merged|failed)/.test(body))
  })
}

/** What is promised: who merged and how it is shown, that each commit passes, and that nothing is left. */
async function judge({ states, fake }: Ended): Promise<void> {
  const { repository, pulls } = fake.state
  const merged = mergedInCrash(states)
  expect((await repository.landed()).sort()).toEqual(merged)
  for (const number of pulls.keys()) {
    const isMerged = merged.includes(String(number))
    const words = isMerged ? 'has merged' : 'has failed'
    expect(saidOn(fake, number)).toEqual([expect.stringContaining(words)])
    expect(pulls.get(number)?.mergedAt !== null).toBe(isMerged)
  }
  for (const commit of (await repository.git(['rev-list', 'main'])).split('\n')) {
    expect((await repository.files(commit)).filter((file) => file.startsWith('broken'))).toEqual([])
  }
  const refs = repository.refs().filter((ref) => ref.startsWith('refs/heads/mergeyard/'))
  expect(refs).toEqual([])
  expect(fake.faults).toEqual([])
}

//
crashTests({ play, judge, most: 200, step: 120 })

// A server that lands a stack by pushes to its branches and to the target branch is killed right after one of them.

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

async function playStack({
  push,
  mergeMethod,
}: Kill): Promise<{ fake: FakeCodeHost; kills: number }> {
  const { fake, ci, life } = await shop({ onTestFinished, onTestFailed }, { mergeMethod })
  const { repository } = fake.state
  writeFileSync(life.file, '')
  const onStart = (pid: number): void => {
    writeFileSync(join(repository.path, 'pid'), String(pid))
  }
  await live('poll', { ...life, onStart })
  for (const [index, [base, files]] of pulls.entries()) {
    await openPull(fake, index + 1, files, { labels: ['merge-queue'], base })
  }
  await live('enter', { ...life, onStart })
  repository.hook('post-receive', killingAfter(push))
  const { stdout, kills } = await live('merge', { ...life, onStart })
  await fake.pushed()
  await expect.poll(() => ci.going).toEqual([])
  expect(JSON.parse(stdout)).toEqual({
    1: 'MERGED',
    2: 'MERGED',
    3: 'MERGED',
    4: 'MERGED',
    6: 'CANCELLED',
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
      const { fake, kills } = await playStack({ push, mergeMethod })
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
