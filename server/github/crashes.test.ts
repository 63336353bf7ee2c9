/**
 * A server on GitHub is killed after each of its effects: a git command, a request that changes something and
 * whose answer is lost, a durable command. Started again, it comes to the same end. `npm run test:matrix` tries
 * effect 120, `MERGEYARD_EFFECTS=all` every one.
 */

import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, type TestContext } from 'vitest'
import { effectsIn } from '../hosting/testing/crash-effects.ts'
import { crashChanges, crashEnd } from '../hosting/testing/crash-story.ts'
import { crashTests, untilItEnds } from '../hosting/testing/crash-tests.ts'
import { FakeForge } from '../forge/testing/fake-forge.ts'
import { github, personalToken } from './testing/fake-github.ts'
import { openPull } from '../forge/testing/open-pull.ts'
import { ToyCi } from '../forge/testing/toy-ci.ts'

const program = fileURLToPath(new URL('./testing/github-crash-program.js', import.meta.url))

type Ended = {
  readonly states: unknown
  readonly kills: number
  readonly effects: number
  readonly fake: FakeForge
}

/** Plays the story; the server dies after effect `last`, and is started again. */
async function play(last: number, { onTestFinished }: TestContext): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard-'))
  const fake = new FakeForge(github, { folder })
  // Of the context: these tests run side by side.
  onTestFinished(() => {
    fake.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await fake.state.repository.make()
  await fake.listen()
  const ci = new ToyCi(fake, ['ci'], true)
  ci.flakesOnce = 'flaky'
  const effects = effectsIn(folder, last)
  const told = join(folder, 'told')
  const env = { ...process.env, PATH: effects.path, MERGEYARD_GITHUB_TOKEN: personalToken }
  const live = (what: 'look' | 'enter' | 'merge') => {
    const args = [program, what, join(folder, 'data'), fake.url, effects.count, told]
    return untilItEnds(() => {
      const running = promisify(execFile)(process.execPath, args, { env })
      fake.onEffect = () => {
        if (isTold(fake)) writeFileSync(told, '')
        spawnSync(effects.count, [String(running.child.pid)])
      }
      return running
    })
  }
  // A label from before the first look is no request.
  const looked = await live('look')
  fake.onEffect = () => undefined
  for (const [index, [, files]] of crashChanges.entries()) {
    await openPull(fake, index + 1, files, { labels: ['merge-queue'] })
  }
  const entered = await live('enter')
  const merged = await live('merge')
  const states: unknown = JSON.parse(merged.stdout)
  return {
    states,
    kills: looked.kills + entered.kills + merged.kills,
    effects: effects.number(),
    fake,
  }
}

const lastWords = [
  'has merged',
  'has merged',
  'has merged',
  'has merged',
  'has failed',
  'has failed',
]

function saidOn({ state }: FakeForge, number: number): string[] {
  return state.comments.filter((each) => each.number === number).map(({ body }) => body)
}

/** Everybody can read on GitHub how it ended. */
function isTold(fake: FakeForge): boolean {
  return lastWords.every((words, index) => {
    return saidOn(fake, index + 1).some((body) => body.includes(words))
  })
}

/** What is promised: who merged and how it is shown, that each commit passes, and that nothing is left. */
async function judge({ states, fake }: Ended): Promise<void> {
  const { repository, pulls } = fake.state
  expect(states).toEqual(crashEnd)
  expect((await repository.landed()).sort()).toEqual(['1', '2', '3', '4'])
  for (const [index, words] of lastWords.entries()) {
    const comments = saidOn(fake, index + 1)
    expect(comments).toEqual([expect.stringContaining(words)])
    const isMerged = words === 'has merged'
    expect(pulls.get(index + 1)?.mergedAt !== null).toBe(isMerged)
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
