/** Histories that are told in less usual ways. */

import { describe, expect, test } from 'vitest'
import {
  approved,
  commented,
  event,
  GitHubStory,
  pushed,
  queued,
  removed,
  shaOf,
} from '../testing/github-story.ts'
import type { TimelineItem, User } from './records.ts'

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
      .run('merge_group', {
        branch: `gh-readonly-queue/main/pr-7-${shaOf('ba5e')}`,
        ...{ sha: shaOf('b7'), start: 31 },
      })
      .imported().scenario
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

describe('rounds', () => {
  // S-252
  test('given two workflows that ran again, each counts with its last result', () => {
    const built = story().pull(7, { merged: 90 }, queued(0), removed(90))
    const lint = ['failure', 'success']
    const unit = ['success', 'failure', 'success']
    for (const [index, conclusion] of lint.entries()) {
      built.group(7, 1 + 20 * index, { name: 'lint', id: 1, attempt: index + 1, conclusion })
    }
    for (const [index, conclusion] of unit.entries()) {
      built.group(7, 2 + 20 * index, { name: 'unit', id: 2, attempt: index + 1, conclusion })
    }
    const [content] = built.history().contents
    expect(content?.rounds.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'passed'])
    expect(content).toMatchObject({ flaked: 2, minutes: 10, repeatedAfter: [9, 10] })
  })

  // S-252
  test('given a push and a pull request that start the same workflow, neither repeats the other', () => {
    const at = { branch: 'change-7', sha: shaOf(7) }
    const { contents } = story()
      .pull(7, { merged: 30 })
      .run('pull_request', { ...at, start: 0 }, { conclusion: 'failure' })
      .run('push', { ...at, start: 1 })
      .run('schedule', { ...at, start: 20 })
      .history()
    expect(contents[0]?.rounds.map(({ outcome }) => outcome)).toEqual(['failed'])
  })

  // S-252
  test('given runs without a verdict, they are in no length', () => {
    const { scenario } = story()
      .pull(7, { merged: 200 }, queued(0), removed(200))
      .group(7, 1, { id: 5, conclusion: 'timed_out', minutes: 90 })
      .group(7, 92, { id: 5, conclusion: 'cancelled', minutes: 2, attempt: 2 })
      .group(7, 100, { id: 5, minutes: 12, attempt: 3 })
      .imported()
    expect(scenario.suite).toEqual({ minutes: { median: 12, p95: 12 } })
  })

  // S-255
  test('given a repeated run, its slot is taken until the last attempt ends', () => {
    const { scenario } = story()
      .pull(1, { merged: 90 }, queued(0), removed(90))
      .pull(2, { merged: 91 }, queued(1), removed(91))
      .group(1, 1, { id: 5, conclusion: 'failure' })
      .group(1, 20, { id: 5, attempt: 2 })
      .group(2, 25, { minutes: 1 })
      .imported()
    expect(scenario.queue).toEqual({ concurrency: 2 })
  })
})

describe('the branch', () => {
  const onMain = (conclusions: readonly string[]): number[] => {
    const built = story()
    for (const [index, conclusion] of conclusions.entries()) {
      built.pull(index + 1, { merged: 10 * index }).onMain(index + 1, 10 * index, { conclusion })
    }
    const { pullRequests = [] } = built.imported().scenario
    return pullRequests.flatMap(({ number, breaks }) => (breaks ? number : []))
  }

  // S-253
  test.each([
    [['success', 'failure'], [2]],
    [['failure', 'failure'], []],
    [['success', 'cancelled', 'failure'], [3]],
    [
      ['success', 'timed_out', 'failure', 'success', 'failure'],
      [3, 5],
    ],
  ])('given the results %j after the merges, %j broke it', (conclusions, broken) => {
    expect(onMain(conclusions)).toEqual(broken)
  })

  // S-253
  test('given a queue that tested it, what happened on the branch later is no verdict', () => {
    const stream = story()
      .pull(6, { merged: 0 })
      .onMain(6, 0)
      .pull(7, { merged: 20 }, queued(1), removed(20))
      .group(7, 2)
      .onMain(7, 20, { conclusion: 'failure' })
      .stream()
    expect(stream).toEqual([
      { number: 6, at: 0 },
      { number: 7, at: 1, testMinutes: 10 },
    ])
  })
})

describe('whose test it is', () => {
  // S-252
  test('given commits whose hash the timeline lacks, the branch tells whose they are', () => {
    const stream = story()
      .pull(7, { merged: 80 }, event('auto_merge_enabled', 0), event('head_ref_force_pushed', 30))
      .head(7, 1, { sha: shaOf('lost'), conclusion: 'failure' })
      .head(7, 31)
      .stream()
    expect(stream).toMatchObject([
      { number: 7, breaks: true },
      { number: 1007, at: 30 },
    ])
  })

  // S-252
  test('given a branch of two pull requests, only hashes tell', () => {
    const stream = story()
      .pull(
        7,
        { merged: 80, branch: 'patch-1' },
        event('auto_merge_enabled', 0),
        pushed(30, shaOf(7)),
      )
      .pull(8, { merged: 90, branch: 'patch-1' })
      .run(
        'pull_request',
        { branch: 'patch-1', sha: shaOf('x'), start: 1 },
        { conclusion: 'failure' },
      )
      .stream()
    expect(stream).toEqual([
      { number: 7, at: 0 },
      { number: 8, at: 60 },
    ])
  })

  // S-251
  test('given a failure before the command was repeated, the repetition is a second submission', () => {
    const staging = (start: number, sha: string) => ({ branch: 'staging', sha: shaOf(sha), start })
    const failed = { message: 'Merge #7', conclusion: 'failure' }
    const history = story()
      .pull(7, { closed: 90 }, ...[0, 5, 30].map((minute) => commented(minute, 'bors r+')))
      .run('push', staging(10, 's1'), failed)
      .run('push', staging(31, 's2'), failed)
      .history()
    expect(
      history.contents.flatMap(({ attempts }) => attempts.map(({ atMs, end }) => [atMs, end])),
    ).toEqual([
      [Date.UTC(2026, 2, 2, 9), 'submitted again'],
      [Date.UTC(2026, 2, 2, 9, 30), 'closed'],
    ])
  })
})

// S-251
test('given an approval, and a label that submits nothing, the approval submits', () => {
  const { scenario } = story()
    .pull(5, { merged: 0 })
    .pull(
      7,
      { merged: 60 },
      approved(3),
      event('auto_merge_disabled', 4),
      event('labeled', 9, 'bug'),
    )
    .imported()
  expect(scenario.pullRequests?.[1]).toEqual({ number: 7, at: 3 })
})

// S-255
test('the time until merged is that from the first submission of the same commits', () => {
  const { scenario } = story()
    .pull(7, { merged: 90 }, queued(0), removed(10, 'person'), queued(60), removed(90))
    .imported()
  expect(scenario.measured).toContainEqual({
    ...{
      what: 'until merged',
      value: 'half below 1 h 30 min, 95 % below 1 h 30 min',
      samples: '1 merge',
    },
  })
})

// S-254
test('given a removal without a failure, after which it came back, it was cancelled meanwhile', () => {
  const stream = story()
    .pull(7, { merged: 60 }, queued(0), removed(10), queued(30), removed(60))
    .group(7, 31)
    .stream()
  expect(stream).toEqual([
    { number: 7, at: 0, testMinutes: 10 },
    { do: 'cancel', number: 7, at: 10 },
    { do: 'submit', number: 7, at: 30 },
  ])
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
  const branch = `gh-readonly-queue/main/pr-7-${shaOf('ba5e')}`
  const [content] = story()
    .pull(7, { merged: 90 }, queued(0), removed(90))
    .run('merge_group', { branch, sha: shaOf('b1'), start: 1 }, { minutes: 5 })
    .run('merge_group', { branch, sha: shaOf('b2'), start: 10 }, { conclusion: 'failure' })
    .run('merge_group', { branch, sha: shaOf('b3'), start: 15 })
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
  const { scenario } = new GitHubStory({ files: new Map([[7, [{ filename: 'web/a.ts' }]]]) })
    .pull(7, { merged: 40 })
    .imported()
  expect(scenario.pullRequests).toEqual([{ number: 7, at: 0, targets: ['web'] }])
  expect((scenario.assumed ?? []).map(({ what }) => what)).not.toContain('targets')
})
