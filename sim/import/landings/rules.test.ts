import { describe, expect, test } from 'vitest'
import { commitAt, twoParents } from '../testing/recorded-logs.ts'
import { isOfBot, isRelease } from './releases.ts'
import type { Commit } from './rule.ts'
import { namingRules } from './rules.ts'

/** What the first rule that fits finds: its name, and numbers or names. */
function read(commit: Partial<Commit>): readonly unknown[] | null {
  for (const rule of namingRules) {
    const changes = rule.read(commitAt(0, commit))
    if (changes)
      return [rule.names[0], ...changes.map(({ number, name }) => number ?? name ?? null)]
  }
  return null
}

const merge = (commit: Partial<Commit>): Partial<Commit> => ({ parents: twoParents, ...commit })

const rollupBody = `Rollup of 2 pull requests

Successful merges:

 - rust-lang/rust#154451 (Require something (really))
 - #150649 (clippy fix)

Failed merges:

 - #1 (Not this one)`

// S-201
describe('the first rule that fits reads a commit', () => {
  test.each<[string, Partial<Commit>, readonly unknown[] | null]>([
    ['a bors batch', merge({ subject: 'Merge #1640 #1647' }), ['bors batch', 1640, 1647]],
    ['a batch needs a merge', { subject: 'Merge #1640 #1647' }, null],
    [
      'a rollup ends where the failed begin',
      merge({ subject: 'Auto merge of #9 - me:rollup-3, r=you', body: rollupBody }),
      ['rollup', 154451, 150649],
    ],
    ['two at once', merge({ subject: 'Merge of #1, #2' }), ['merge by Mergify', 1, 2]],
    [
      'GitLab, the last line',
      merge({
        subject: "Merge branch 'x' into 'main'",
        body: 'Undo it\n\nSee merge request g/p!4 for more\nSee merge request g/sub/p!5314',
      }),
      ['merge request', 5314],
    ],
    [
      'Gerrit that cherry-picks, though the subject ends in an issue',
      {
        subject: 'Fix it (#3)',
        body: 'Change-Id: I1a\nReviewed-on: https://go-review.example/c/sync/+/747140',
      },
      ['change by Gerrit', 747140],
    ],
    [
      'Gerrit that merges, by the second parent',
      merge({
        subject: 'Merge "Fix it"',
        committer: 'Gerrit Code Review',
        mergedBody: 'Change-Id: I1a2b',
      }),
      ['merge by Gerrit', 'I1a2b'],
    ],
    ['a Change-Id alone', { body: 'Change-Id: I1a' }, ['fast-forward by Gerrit', 'I1a']],
    [
      'a stack on GitHub has both',
      { subject: 'Fix it (#1775)', body: 'Change-Id: I1a' },
      ['squash merge', 1775],
    ],
    [
      'Mergeyard',
      { subject: 'Pay twice (see #3)', body: 'Because.\n\nMergeyard-Pull: 7' },
      ['merge by Mergeyard', 7],
    ],
    ['the last number', { subject: 'Fix it (backport #8) (#9)' }, ['squash merge', 9]],
    ['a number in the middle is none', { subject: 'Revert "Fix it (#6510)"' }, null],
    [
      'a bot without a number',
      { subject: 'Update it', author: 'renovate[bot]' },
      ["bot's commit without a number", null],
    ],
    [
      'a bot that a person committed',
      { subject: 'Update it', author: 'renovate[bot]', committer: 'person 2' },
      null,
    ],
    ['a merge by hand', merge({ subject: "Merge branch 'main'" }), null],
    ['a direct push', { subject: 'By hand' }, null],
  ])('%s', (_what, commit, expected) => {
    expect(read(commit)).toEqual(expected)
  })

  test('the body of a bors batch tells who wrote each member', () => {
    const body =
      '12: Bump a r=me a=dependabot[bot]\n\nBumps a.\n\n7: Fix b r=me a=somebody\n\nReverts #3'
    const commit = commitAt(0, merge({ subject: 'Merge #12 #7', body }))
    expect(namingRules[0]?.read(commit)).toEqual([
      {
        number: 12,
        title: 'Bump a',
        author: 'dependabot[bot]',
        text: '12: Bump a r=me a=dependabot[bot]\n\nBumps a.\n',
      },
      {
        number: 7,
        title: 'Fix b',
        author: 'somebody',
        text: '7: Fix b r=me a=somebody\n\nReverts #3',
      },
    ])
  })
})

// S-202
describe('a release', () => {
  const change = (title: string, branch = '') => ({ number: null, author: null, title, branch })

  test.each([
    'chore(main): release 17.11.1',
    'chore: release main',
    'chore(release): 1.2.3 [skip ci]',
    'Version Packages',
    'Version Packages (next)',
    'Bumped v5.11.3',
    'release 0.18.0',
    'release: 0.23.0',
    'Bump release to 46.rc',
    'chore: bump to 0.99.0; update changelog',
    'v1.2.3',
    '4.9.0',
    'Publish',
  ])('is: %s', (title) => {
    expect(isRelease(change(title))).toBe(true)
  })

  test.each([
    'syncmap: release m.mu during callbacks',
    "fix: release shouldn't fail on a project that references itself",
    'releng: release-1.31 Code Thaw',
    'Bump 1.34 go-compatibility jobs to Go 1.24',
    'Bump a from 1.0 to 2.0',
    'Add release notes for 1.2.3',
    'fix(release): add a token',
    'Publish workspace',
  ])('is not: %s', (title) => {
    expect(isRelease(change(title))).toBe(false)
  })

  test('is told by its branch', () => {
    expect(isRelease(change('', 'acme/release-please--branches--main'))).toBe(true)
    expect(isRelease(change('', 'acme/fix-release'))).toBe(false)
  })
})

// S-202
test.each([
  ['dependabot[bot]', '', true],
  ['Mend Renovate', '', true],
  [null, 'acme/dependabot/npm/x', true],
  [null, 'rust-lang:renovate/x', true],
  // It merges what others wrote.
  ['kodiakhq[bot]', '', false],
  ['somebody', 'acme/fix', false],
])('written by %s on the branch "%s": of a bot is %s', (author, branch, expected) => {
  expect(isOfBot({ number: 1, title: 'x', author, branch })).toBe(expected)
})
