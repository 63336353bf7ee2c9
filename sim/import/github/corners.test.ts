/** Histories that are told in less usual ways. */

import { expect, test } from 'vitest'
import { GitHubStory, queued, removed, shaOf } from '../testing/github-story.ts'
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
