import { describe, expect, test } from 'vitest'
import { commitAt, twoParents } from '../testing/recorded-logs.ts'
import { landedOf } from '../landed.ts'
import { isOfBot, isRelease, type Commit, namingRules } from './rules.ts'
import { classify, caveatsOf, habitsInWords } from './classify.ts'

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

const all = { last: 500, withReleases: false, withoutBots: false }
const unchanged = () => ({ size: 0, files: [] })

const numbersIn = (commits: readonly Commit[]) =>
  landedOf(classify(commits, all).landings, unchanged).map(({ number, origin }) => [number, origin])

// S-204
describe('numbers', () => {
  test('are those of the history; what has none is far above them, and named', () => {
    const commits = [
      commitAt(1, { subject: 'One (#15)' }),
      commitAt(2, { subject: 'Update', author: 'renovate[bot]' }),
      commitAt(3, { subject: 'One (#15)' }),
      commitAt(4, { subject: 'Fix', body: 'Change-Id: I1a2b' }),
    ]
    expect(numbersIn(commits)).toEqual([
      [15, null],
      [1_000_001, 'commit 0202020202'],
      [1015, '15, landed again'],
      [1_000_002, 'Change-Id I1a2b'],
    ])
  })
})

// S-203
describe('where fewer than one commit in ten names a pull request', () => {
  const pushed = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((minute) => commitAt(minute, {}))

  test('commits by one committer within 2 s are one, and robots push directly', () => {
    const commits = [
      ...pushed,
      { ...commitAt(9, {}), atMs: 482_000 },
      commitAt(10, { committer: 'person 2' }),
      commitAt(11, { committer: 'Translation Robot' }),
      commitAt(12, { parents: twoParents }),
    ]
    const { landings, directPushes } = classify(commits, all)
    expect(landings.map((each) => each.commits.length)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1])
    expect(directPushes).toBe(1)
    expect(habitsInWords(landings)).toEqual(['10 rebase merges', '1 merge without a number'])
  })

  test('with one in ten, the others are direct pushes', () => {
    const { landings, directPushes } = classify(
      [...pushed, commitAt(9, { subject: 'A (#1)' })],
      all,
    )
    expect(landings.map(({ change }) => change.number)).toEqual([1])
    expect(directPushes).toBe(9)
  })
})

// S-202
describe('releases and bots', () => {
  const commits = [
    commitAt(1, { subject: 'One (#1)' }),
    commitAt(2, { subject: 'Bumped v1.2.3' }),
    commitAt(3, { subject: 'Bump a from 1 to 2 (#3)', author: 'dependabot[bot]' }),
    commitAt(4, { subject: 'chore(main): release 1.2.4 (#4)' }),
  ]
  const readWith = (options: Partial<typeof all>) => {
    const { landings, releases, botsLeftOut } = classify(commits, { ...all, ...options })
    const titles = landings.map(({ change }) => change.number ?? change.title)
    return { titles, releases, botsLeftOut }
  }

  test('only the last pull requests count, and what is left out among them', () => {
    expect(readWith({ last: 1 })).toEqual({ titles: [3], releases: 1, botsLeftOut: 0 })
  })
})

// S-201
test('batches are told: of one commit, of one second, within ten seconds', () => {
  const at = (seconds: number, commit: Partial<Commit>): Commit => ({
    ...commitAt(0, { parents: twoParents, hash: String(seconds), ...commit }),
    atMs: seconds * 1000,
  })
  const tide = (seconds: number): Commit =>
    at(seconds, { subject: `Merge pull request #${seconds} from a/b`, author: 'k8s-ci-robot' })
  const { landings } = classify(
    [
      at(1, { subject: 'Merge #7 #8' }),
      at(2, { subject: 'Merge #9' }),
      at(10, { subject: 'A (#11)' }),
      at(10, { subject: 'B (#12)' }),
      ...[100, 110, 121].map(tide),
    ],
    all,
  )
  expect(habitsInWords(landings)).toEqual([
    '2 bors batches, 1 with two or more',
    '3 merges by Tide, 1 group of two or more',
    "2 merges by GitHub's merge queue, 1 group of two or more",
  ])
  expect(caveatsOf(landings)).toEqual([
    "Merges by GitHub's merge queue within the same second count as one group.",
    'Merges by Tide within 10 s of each other count as one batch.',
  ])
})

// S-208
describe('reverts', () => {
  test('by hash, number and branch are found; a revert of a revert counts as good', () => {
    const { landings } = classify(
      [
        commitAt(1, { subject: 'One (#1)' }),
        commitAt(2, { subject: 'Two (#2)', body: `This reverts commit ${'01'.repeat(20)}.` }),
        commitAt(3, { subject: 'Three (#3)', body: 'Reverts acme/shop#2' }),
        commitAt(4, { subject: 'Four (#4)' }),
        commitAt(5, {
          parents: twoParents,
          subject: 'Merge pull request #5 from me/revert-4-four',
        }),
      ],
      all,
    )
    const landed = landedOf(landings, unchanged)
    expect(landed.map(({ isReverted }) => isReverted)).toEqual([false, false, false, true, false])
    expect(landed.map(({ reverts }) => reverts)).toEqual([[], [1], [2], [], [4]])
  })

  test('in a batch are of the member that says so', () => {
    const body = '2: Undo r=me a=you\n\nReverts #1\n\n3: Add r=me a=you'
    const { landings } = classify(
      [
        commitAt(1, { subject: 'One (#1)' }),
        commitAt(2, { parents: twoParents, subject: 'Merge #2 #3', body }),
      ],
      all,
    )
    expect(landedOf(landings, unchanged).map(({ reverts }) => reverts)).toEqual([[], [1], []])
  })
})

describe('what a commit changed', () => {
  const { landings } = classify([commitAt(1, { parents: twoParents, subject: 'Merge #7 #8' })], all)

  test('is shared by the members of a batch, who all impact its folders', () => {
    const landed = landedOf(landings, () => ({ size: 10, files: ['web/a', 'README.md'] }))
    expect(landed.map(({ size, targets }) => [size, targets])).toEqual([
      [5, ['(top level)', 'web']],
      [5, ['(top level)', 'web']],
    ])
  })

  test('impacts all targets if the folders are very many', () => {
    const files = Array.from({ length: 21 }, (_, index) => `folder-${index}/file`)
    expect(landedOf(landings, () => ({ size: 1, files }))[0]?.targets).toBe('ALL')
  })
})
