import { describe, expect, test } from 'vitest'
import { commitAt, twoParents } from '../testing/recorded-logs.ts'
import { landedOf } from '../landed.ts'
import { classify } from './classify.ts'
import { caveatsOf, habitsInWords } from './habits.ts'
import type { Commit } from './rule.ts'

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

  test('of a history without any are the places in it', () => {
    const commits = [1, 2].map((minute) => commitAt(minute, { body: `Change-Id: I${minute}` }))
    expect(numbersIn(commits)).toEqual([
      [1, 'Change-Id I1'],
      [2, 'Change-Id I2'],
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

  test('releases are left out and counted, bots stay', () => {
    expect(readWith({})).toEqual({ titles: [1, 3], releases: 2, botsLeftOut: 0 })
  })

  test('releases are kept with --with-releases, bots left out with --without-bots', () => {
    expect(readWith({ withReleases: true, withoutBots: true })).toEqual({
      titles: [1, 'Bumped v1.2.3', 4],
      releases: 0,
      botsLeftOut: 1,
    })
  })

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
