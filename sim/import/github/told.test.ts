/** What is measured, and what is assumed. */

import { expect, test } from 'vitest'
import { usualConcurrency } from '../sources.ts'
import { importSummary } from '../../cli/import.ts'
import {
  approved,
  event,
  GitHubStory,
  queued,
  removed,
  shaOf,
  shopStory,
} from '../testing/github-story.ts'
import type { TimelineItem, User } from './records.ts'

const measuredIn = (story: GitHubStory): string[] =>
  (story.imported().measured ?? []).map(
    ({ what, value, samples }) => `${what}: ${value} | ${samples}`,
  )

const assumedIn = (story: GitHubStory): string[] =>
  (story.imported().assumed ?? []).map(({ what, value }) => `${what}: ${value}`)

// S-207, S-255
test('given a history of a merge queue, each figure has its samples', () => {
  expect(measuredIn(shopStory)).toEqual([
    'submitted: 6 when they entered the merge queue, 1 when they were approved | 7 submissions',
    'concurrency: 4 runs at a time: the setting of the merge queue | 1 rule',
    'run length: half below 13 min, 95 % below 17 min | 7 runs',
    'breaking: 1, 17 % | 6 submissions',
    'flakes: 1 run failed and passed on the same commits, of 1 pull request | 6 submissions',
    'tested again: half within 4 min, 95 % within 4 min | 1 flake',
    'lost runs: 0 % timed out or did not start | 7 runs',
    'cancelled runs: 0, 0 % | 7 runs',
    'taken out: 1 cancelled, 0 closed, 0 pushed to, 0 submitted again as they were | 7 submissions',
    'until merged: half below 18 min, 95 % below 39 min | 4 merges',
    'targets: 4: the top-level folders that pull requests change | 7 pull requests',
    'weekdays: Mon 100 %, Tue 0 %, Wed 0 %, Thu 0 %, Fri 0 %, Sat 0 %, Sun 0 % | 7 pull requests',
  ])
})

// S-207, S-255
test('given the same history, only what it does not tell is assumed', () => {
  expect(assumedIn(shopStory)).toEqual([
    'submitted: 1 when they were approved and had their last commits, as nobody queued',
    'breaking: 1 without a run are healthy',
    'run length: where none was measured: lognormal with the measured median and 95th percentile',
    'flakes: only runs that were repeated on the same commits; what nobody repeated is a failure',
    'text conflicts: none: GitHub does not tell why its queue removed a pull request',
    'priorities: none: the timeline does not tell who jumped the queue',
    'targets: none for 3 pull requests',
    'releases: 1 left out',
    'bots: 1 of the pull requests, which stay',
    'other branches: 1 left out: they are not for main',
    'not submitted: 1 left out: closed without a submission',
    'direct pushes: left out',
    'failing runs: as long as passing ones, for too few of both have a length',
    'clashes: none, for nothing tells what passed alone and broke the branch',
    'age of the base: not known; it matters only with clashes',
    'waits for a runner: none of their own: they are a part of the lengths of runs',
  ])
})

// S-255
test('given pull requests only, all is assumed that can be', () => {
  const story = new GitHubStory().pull(7, { merged: 1 }).pull(9, { merged: 2 })
  expect(measuredIn(story)).toEqual([
    'submitted: 2 when they landed | 2 submissions',
    'taken out: 0 cancelled, 0 closed, 0 pushed to, 0 submitted again as they were | 2 submissions',
    'weekdays: Mon 100 %, Tue 0 %, Wed 0 %, Thu 0 %, Fri 0 %, Sat 0 %, Sun 0 % | 2 pull requests',
  ])
  expect(assumedIn(story).slice(0, 4)).toEqual([
    `concurrency: ${usualConcurrency} runs at a time`,
    'submitted: 2 when they landed, as nothing else is told',
    'breaking: 2 without a run are healthy',
    'run length: 10 min each',
  ])
})

// S-255
test('given no rule, the most runs at a time are a lower bound', () => {
  const story = new GitHubStory()
  for (const number of [1, 2, 3]) {
    story.pull(number, { merged: 30 + number }, queued(number), removed(30 + number))
    story.group(number, number === 3 ? 20 : number)
  }
  expect(story.imported().queue).toEqual({ concurrency: 2 })
  expect(measuredIn(story)[1]).toBe(
    'concurrency: 2 runs at a time: the most that were seen | 3 runs',
  )
  expect(assumedIn(story)[0]).toBe(
    'concurrency: 2 runs at a time: the most that were seen, so a lower bound',
  )
})

// S-255
test('given one that merged red, and one that left without a failure, they are counted', () => {
  const story = new GitHubStory()
    .pull(7, { merged: 20 }, approved(1))
    .head(7, 2, { conclusion: 'failure' })
    .pull(9, { closed: 90 }, event('labeled', 30, 'automerge'), event('unlabeled', 50, 'automerge'))
    .head(9, 31)
  expect(assumedIn(story)).toEqual(
    expect.arrayContaining([
      'breaking: 1 merged although their last run failed, and are healthy',
      'breaking: 1 left the queue without a failed run, and are healthy',
    ]),
  )
})

// S-202, S-255
test('options keep releases, leave out bots, and take another branch or the last pull requests', () => {
  const numbers = (options: Parameters<GitHubStory['history']>[0]): number[] =>
    (shopStory.imported(options).pullRequests ?? []).map(({ number }) => number)
  expect(numbers({})).toEqual([7, 8, 9, 11, 10, 12, 1008])
  expect(numbers({ withReleases: true })).toEqual([7, 8, 9, 11, 10, 12, 1008, 13])
  expect(numbers({ withoutBots: true })).toEqual([7, 8, 9, 11, 10, 1008])
  expect(numbers({ branch: 'docs' })).toEqual([15])
  expect(numbers({ last: 2 })).toEqual([8, 10, 1008])
})

// S-255
test('the summary has three blocks, each aligned', () => {
  const lines = importSummary(shopStory.imported(), 'shop.imported.json').split('\n')
  const blocks = ['measured', 'assumed'].map((name) => lines.indexOf(name))
  expect(lines[0]).toBe('shop   7 pull requests')
  const [measured = 0, assumed = 0] = blocks
  const columnOf = (line: string | undefined, text: string): number => (line ?? '').indexOf(text)
  expect(columnOf(lines[measured + 1], '6 when')).toBe(columnOf(lines[measured + 2], '4 runs'))
  expect(columnOf(lines[measured + 1], '7 submissions')).toBe(
    columnOf(lines[measured + 2], '1 rule'),
  )
  expect(lines[assumed + 2]).toMatch(/^ +replace by: --queue-label <name>, or at in pullRequests$/)
})

// S-255
test('a history with a pull request each month has a pace', () => {
  const pullRequests = [0, 1, 2, 3].map((month) => ({ number: month + 1, at: month * 43_200 }))
  const slow = { ...shopStory.imported(), pullRequests }
  expect(importSummary(slow, 'slow.json')).toContain('4, 0.04 a day from')
})

// Histories that are told in less usual ways.

const story = (): GitHubStory => new GitHubStory()

// S-251
test('given no repository, the branch is that of most pull requests', () => {
  const { branch, leftOut } = new GitHubStory({ repository: null })
    .pull(1, { merged: 1, base: 'docs' })
    .pull(2, { merged: 2, base: 'trunk' })
    .pull(3, { merged: 3, base: 'trunk' })
    .history()
  expect({ branch, otherBranch: leftOut.otherBranch }).toEqual({ branch: 'trunk', otherBranch: 1 })
})

// S-254
test.each([
  ['a person', { login: 'ada' }, 'cancel'],
  ['a person with a type', { login: 'ada', type: 'User' }, 'cancel'],
  ['a bot by its type', { login: 'merger', type: 'Bot' }, null],
  ['a bot by its name', { login: 'merger[bot]' }, null],
  ['somebody who is gone', null, null],
] as const)(
  'given a failure, and %s who removes, the pull request flaked or was cancelled',
  (_, actor, verb) => {
    const by = (user: User): TimelineItem => ({ ...removed(12), actor: user })
    const found = story()
      .pull(7, { merged: 60 }, queued(0), by(actor), queued(30), removed(60))
      .group(7, 1, { conclusion: 'failure' })
      .group(7, 31, { sha: shaOf('b7') })
      .imported()
    expect(found.pullRequests).toEqual([{ number: 7, at: 0, flakyRuns: [1], testMinutes: 10 }])
    expect(found.events?.[0]?.do ?? null).toBe(verb)
  },
)

// S-202
test('given a pull request by a bot that only its type tells, it is left out with --without-bots', () => {
  const { leftOut, contents } = story()
    .pull(1, { merged: 1, user: { login: 'helper', type: 'Bot' } })
    .pull(2, { merged: 2, user: { login: 'renovate[bot]' } })
    .pull(3, { merged: 3, user: null })
    .history({ withoutBots: true })
  expect(leftOut.bots).toBe(2)
  expect(contents.map(({ pull }) => pull.number)).toEqual([3])
})

// S-254
test('given a removal shortly before the merge, the last submission merged', () => {
  const [content] = story()
    .pull(7, { merged: 60 }, queued(0), removed(5, 'person'), queued(30), removed(59))
    .history().contents
  expect(content?.outcome).toBe('merged')
  expect(content?.attempts.map(({ end }) => end)).toEqual(['removed', 'merged'])
})

// S-253
test('given tests at the same time, only what began after a failure repeats it', () => {
  const [content] = story()
    .pull(7, { merged: 90 }, queued(0), removed(90))
    .group(7, 1, { sha: shaOf('b1'), minutes: 5 })
    .group(7, 10, { sha: shaOf('b2'), conclusion: 'failure' })
    .group(7, 15, { sha: shaOf('b3') })
    .history().contents
  expect(content).toMatchObject({ flaked: 1, repeatedAfter: [] })
})

// S-252
test('given a check that never started, or has not ended, it says nothing', () => {
  const check = { name: 'build', head_sha: shaOf(7), status: 'completed', conclusion: 'failure' }
  const [begin, end] = ['2026-03-02T09:00:00Z', '2026-03-02T09:20:00Z']
  const { contents } = new GitHubStory({
    checks: [
      { ...check, app: null, started_at: null, completed_at: end },
      { ...check, app: null, started_at: begin, completed_at: null },
    ],
  })
    .pull(7, { merged: 40 })
    .history()
  expect(contents[0]?.rounds).toEqual([])
})

// S-255
test('given the files of every pull request, no targets are assumed', () => {
  const scenario = new GitHubStory({ files: new Map([[7, [{ filename: 'web/a.ts' }]]]) })
    .pull(7, { merged: 40 })
    .imported()
  expect(scenario.pullRequests).toEqual([{ number: 7, at: 0, targets: ['web'] }])
  expect((scenario.assumed ?? []).map(({ what }) => what)).not.toContain('targets')
})
