/** What is measured, and what is assumed. */

import { expect, test } from 'vitest'
import { usualConcurrency } from '../assumptions.ts'
import { importSummary } from '../../cli/import.ts'
import { approved, event, GitHubStory, queued, removed } from '../testing/github-story.ts'
import { shopStory } from '../testing/shop-story.ts'

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
    'waits for a runner: none of their own: they are a part of the measured lengths',
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
