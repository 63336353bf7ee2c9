/** Which runs count for whom, and what the branch tells. */

import { describe, expect, test } from 'vitest'
import {
  commented,
  event,
  GitHubStory,
  pushed,
  queued,
  removed,
  shaOf,
} from '../testing/github-story.ts'

const story = (): GitHubStory => new GitHubStory()

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
    expect(content).toMatchObject({ flaked: 2, repeatedAfter: [9, 10] })
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
    const scenario = story()
      .pull(7, { merged: 200 }, queued(0), removed(200))
      .group(7, 1, { id: 5, conclusion: 'timed_out', minutes: 90 })
      .group(7, 92, { id: 5, conclusion: 'cancelled', minutes: 2, attempt: 2 })
      .group(7, 100, { id: 5, minutes: 12, attempt: 3 })
      .imported()
    expect(scenario.suite).toEqual({ minutes: { median: 12, p95: 12 } })
  })

  // S-255
  test('given a repeated run, its slot is taken until the last attempt ends', () => {
    const scenario = story()
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
    const { pullRequests = [] } = built.imported()
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

  // S-276
  describe('given the own runs of 40 pull requests, of which two landed since the run of each', () => {
    const built = story()
    for (let number = 1; number <= 40; number++) {
      // Nobody lands between the run of 30 and its merge.
      const start = 10 * number - (number === 30 ? 5 : 25)
      const conclusion = number === 20 || number === 30 ? 'failure' : 'success'
      built.pull(number, { merged: 10 * number }).head(number, start)
      built.onMain(number, 10 * number, { conclusion })
    }
    const scenario = built.imported()

    test('one that broke the branch clashed, and the rate is measured', () => {
      // 1 is the first, and 21 and 31 come after a failure. 2 landed after one, 30 after none.
      expect(scenario.traffic).toEqual({
        count: 0,
        clashRate: 0.01408,
        baseAge: { median: 25, p95: 25 },
      })
      expect(scenario.measured).toContainEqual({
        what: 'clashes',
        value:
          '2.7 % broke the branch although their own run had passed, 0.01408 for each that landed in between',
        samples: '37 merges, 71 pairs',
      })
      expect(scenario.assumed?.map(({ what }) => what)).not.toContain('clashes')
    })

    test('only what broke the branch with nobody in between breaks alone', () => {
      const breaking = scenario.pullRequests?.filter(({ breaks }) => breaks)
      expect(breaking?.map(({ number }) => number)).toEqual([30])
    })
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
