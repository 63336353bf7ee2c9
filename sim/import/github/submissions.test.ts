import { expect, test } from 'vitest'
import { timed } from './history.ts'
import { approved, commented, event, GitHubStory, pushed, shaOf } from '../testing/github-story.ts'

const story = (): GitHubStory => new GitHubStory()

// S-251
test.each([
  ['auto_merge_enabled', 'auto_merge_disabled'],
  ['auto_squash_enabled', 'auto_merge_disabled'],
  ['auto_rebase_enabled', 'auto_merge_disabled'],
])('given %s, a pull request is submitted then, and taken out by %s', (begin, end) => {
  const stream = story()
    .pull(7, { merged: 30 }, approved(1), event(begin, 5), approved(9))
    .pull(9, { closed: 60 }, event(begin, 10), event(end, 20))
    .head(7, 2, { minutes: 14 })
    .stream()
  expect(stream).toEqual([
    { number: 7, at: 0, testMinutes: 14 },
    { number: 9, at: 5 },
    { do: 'cancel', number: 9, at: 15 },
  ])
})

// S-251
test('given auto-merge, and a failed run that other commits repair, the first commits break', () => {
  const stream = story()
    .pull(
      7,
      { merged: 50 },
      pushed(-5, shaOf('1')),
      event('auto_merge_enabled', 0),
      pushed(30, shaOf(7)),
    )
    .head(7, 1, { sha: shaOf('1'), conclusion: 'failure' })
    .head(7, 31)
    .stream()
  expect(stream).toEqual([
    { number: 7, at: 0, breaks: true, testMinutes: 10 },
    { number: 1007, at: 30, testMinutes: 10, origin: '7, submitted again with other commits' },
  ])
})

// S-251
test('given commits that are replaced before they have a result, only the last are submitted', () => {
  const stream = story()
    .pull(7, { merged: 50 }, event('auto_merge_enabled', 0), pushed(4, shaOf(7)))
    .head(7, 5, { minutes: 12 })
    .stream()
  expect(stream).toEqual([{ number: 7, at: 0, testMinutes: 12 }])
})

// S-251
test.each([
  ['automerge', null],
  ['Ready to merge', null],
  ['merge-queue', null],
  ['ship it', 'ship it'],
])('given the label %j and --queue-label %j, it submits', (label, queueLabel) => {
  const stream = story()
    .pull(7, { merged: 30 }, event('labeled', 2, label), event('unlabeled', 6, label))
    .pull(9, { merged: 40 }, event('labeled', 12, label))
    .stream({ queueLabel })
  expect(stream).toEqual([
    { number: 7, at: 0 },
    { number: 9, at: 10 },
    { do: 'cancel', number: 7, at: 4 },
  ])
})

// S-251
test('given bors, each command submits, and the batch on its branch decides about its members', () => {
  const staging = (start: number, message: string, conclusion: string) => {
    const at = { branch: 'staging', sha: shaOf(`5${start}`), start }
    return [at, { message, conclusion }] as const
  }
  const built = story()
    .pull(7, { merged: 60 }, commented(0, 'bors r+'), commented(30, 'bors retry'))
    .pull(8, { merged: 60 }, commented(1, '@ada look\nbors r+'))
    .pull(
      9,
      { closed: 90 },
      commented(2, '> bors r+'),
      commented(40, 'bors r=ada'),
      commented(50, 'bors r-'),
    )
    .run('push', ...staging(2, 'Merge #7 #8\n\n7: Change 7', 'failure'))
    .run('push', ...staging(32, 'Merge #7 #8', 'success'))
  expect(built.stream()).toEqual([
    { number: 7, at: 0, flakyRuns: [1], testMinutes: 10 },
    { number: 8, at: 1, testMinutes: 10 },
    { number: 9, at: 40 },
    { do: 'cancel', number: 9, at: 50 },
  ])
})

// S-251
test.each([
  ['the last approval', [approved(1), approved(5)], 5],
  ['the last commits after it', [approved(1), pushed(5, shaOf(7)), approved(200)], 5],
] as const)('given only approvals, a pull request is submitted by %s', (_, items, minute) => {
  const scenario = story()
    .pull(5, { merged: 0 })
    .pull(7, { merged: 60 }, ...items)
    .imported()
  expect(scenario.pullRequests).toEqual([
    { number: 5, at: 0 },
    { number: 7, at: minute },
  ])
})

// S-253
test('given no queue, a pull request breaks after whose merge the branch failed for the first time', () => {
  const built = story()
  for (const [index, number] of [1, 2, 3, 4].entries()) {
    built.pull(number, { merged: index * 10 }).head(number, index * 10 - 30)
  }
  const stream = built
    .onMain(1, 0)
    .onMain(2, 10, { conclusion: 'failure' })
    .onMain(3, 20, { conclusion: 'failure' })
    .onMain(4, 30)
    .stream()
  expect(stream.filter((each) => 'breaks' in each)).toEqual([
    { number: 2, at: 10, breaks: true, testMinutes: 10 },
  ])
})

// S-252
test('given only commit statuses, they are the runs: from pending to their result', () => {
  const status = (minute: number, state: string) => ({
    context: 'jenkins',
    state,
    created_at: `2026-03-02T09:${String(minute).padStart(2, '0')}:00Z`,
  })
  const stream = new GitHubStory({
    statuses: new Map([
      [
        shaOf(7),
        [status(30, 'success'), status(12, 'pending'), status(10, 'failure'), status(2, 'pending')],
      ],
    ]),
  })
    .pull(7, { merged: 40 }, event('auto_merge_enabled', 1))
    .stream()
  expect(stream).toEqual([{ number: 7, at: 0, flakyRuns: [1], testMinutes: 18 }])
})

// S-252
test('given check runs, only the required ones count, and those of Actions only without workflow runs', () => {
  const check = (sha: string, name: string, slug: string, conclusion: string) => ({
    name,
    head_sha: sha,
    status: 'completed',
    conclusion,
    app: { slug },
    started_at: '2026-03-02T09:00:00Z',
    completed_at: '2026-03-02T09:20:00Z',
  })
  const checks = [
    check(shaOf(7), 'build', 'buildkite', 'success'),
    check(shaOf(7), 'coverage', 'codecov', 'failure'),
    check(shaOf(7), 'build', 'github-actions', 'failure'),
    check(shaOf(9), 'build', 'github-actions', 'success'),
  ]
  const parameters = { required_status_checks: [{ context: 'build' }] }
  const { contents } = new GitHubStory({
    checks,
    rules: [{ type: 'required_status_checks', parameters }],
  })
    .pull(7, { merged: 40 })
    .head(7, -30)
    .pull(9, { merged: 41 })
    .history()
  expect(contents.map(({ rounds }) => rounds.map(({ outcome }) => outcome))).toEqual([
    ['passed'],
    ['passed'],
  ])
  expect(contents.map(({ rounds: [first] }) => first && timed(first).minutes)).toEqual([50, 20])
})

// S-251
test('given a commit with a wrong clock, it was pushed between the events around it', () => {
  const far = 40_000_000
  const stream = story()
    .pull(
      7,
      { merged: 90 },
      ...[event('auto_merge_enabled', 0), pushed(far, shaOf('1'))],
      ...[approved(20), pushed(-far, shaOf(7)), approved(50)],
    )
    .head(7, 1, { sha: shaOf('1'), conclusion: 'failure' })
    .head(7, 52)
    .stream()
  expect(stream).toEqual([
    { number: 7, at: 0, breaks: true, testMinutes: 10 },
    { number: 1007, at: 20, testMinutes: 10, origin: '7, submitted again with other commits' },
  ])
})
