import { expect, test } from 'vitest'
import { recordedLog } from '../testing/recorded-logs.ts'
import { landedOf } from '../landed.ts'
import { classify, habitsInWords } from './classify.ts'

const all = { last: 500, withReleases: false, withoutBots: false }

/** What the import makes of a recorded log: habits, first and last number, what is left out. */
function readingOf(project: string) {
  const commits = recordedLog(project)
  const { landings, releases, directPushes } = classify(commits, all)
  const landed = landedOf(landings, () => ({ size: 1, files: [] }))
  return {
    commits: commits.length,
    habits: habitsInWords(landings),
    numbers: [landed[0]?.number, landed.at(-1)?.number],
    bots: landings.filter(({ isOfBot }) => isOfBot).length,
    releases,
    directPushes,
    reverted: landed.filter(({ isReverted }) => isReverted).map(({ number }) => number),
  }
}

/** What a log has none of. */
const none = { bots: 0, releases: 0, directPushes: 0, reverted: [] }

const expected: readonly (readonly [
  project: string,
  habit: string,
  Partial<ReturnType<typeof readingOf>>,
])[] = [
  [
    'bors-ng',
    'bors-ng, with batches, Dependabot and a push',
    {
      commits: 41,
      habits: [
        '20 bors batches, 2 with two or more',
        '19 merges with the button',
        '1 squash merge',
      ],
      numbers: [1528, 1669],
      bots: 27,
      directPushes: 1,
    },
  ],
  [
    'cargo',
    "GitHub's merge queue, and a release",
    {
      commits: 60,
      habits: ["59 merges by GitHub's merge queue"],
      numbers: [17286, 17385],
      releases: 1,
    },
  ],
  [
    'fastify',
    'squash merges, releases by hand, pushes',
    {
      commits: 48,
      habits: ['34 squash merges'],
      numbers: [6546, 6875],
      bots: 4,
      releases: 9,
      directPushes: 5,
    },
  ],
  [
    'glib',
    'GitLab',
    { commits: 30, habits: ['28 merge requests'], numbers: [5235, 5271], releases: 2 },
  ],
  [
    'go-sync',
    'Gerrit that cherry-picks',
    { commits: 40, habits: ['39 changes by Gerrit'], numbers: [24907, 436495], directPushes: 1 },
  ],
  [
    'kodiak',
    'squash merges by Kodiak, some reverted',
    {
      commits: 35,
      habits: ['33 squash merges'],
      numbers: [220, 915],
      releases: 2,
      reverted: [225, 229, 232, 908],
    },
  ],
  [
    'mergify-cli',
    'Mergify beside squash merges and Renovate',
    {
      commits: 50,
      habits: [
        '29 squash merges',
        "15 bots' commits without a number",
        '6 merges by Mergify, 3 groups of two or more',
      ],
      numbers: [1704, 1775],
      bots: 15,
    },
  ],
  [
    'miri',
    'homu and rollups, later the merge button',
    {
      commits: 23,
      habits: ['17 merges by homu', '2 rollups, 2 with two or more', '4 merges with the button'],
      numbers: [103996, 3989],
    },
  ],
  [
    'oslo.config',
    'Gerrit with Zuul: no numbers at all',
    {
      commits: 40,
      habits: ['22 merges by Gerrit', '18 fast-forwards by Gerrit'],
      numbers: [1, 40],
      reverted: [7],
    },
  ],
  [
    'release-please',
    'squash merges, every third commit a release',
    { commits: 30, habits: ['21 squash merges'], numbers: [2806, 2863], bots: 1, releases: 9 },
  ],
  [
    'rust-clippy',
    "GitHub's merge queue with the merge method",
    { commits: 12, habits: ["12 merges by GitHub's merge queue"], numbers: [15512, 15531] },
  ],
  [
    'rustup',
    'rebase merges',
    { commits: 50, habits: ['24 rebase merges'], numbers: [1, 24], bots: 2 },
  ],
  [
    'test-infra',
    'Tide, with batches',
    {
      commits: 34,
      habits: ['34 merges by Tide, 3 groups of two or more'],
      numbers: [37579, 37652],
    },
  ],
]

// S-201, S-202, S-203, S-204, S-208
test.each(expected)('the log of %s is read: %s', (project, _habit, reading) => {
  expect(readingOf(project)).toEqual({ ...none, ...reading })
})
