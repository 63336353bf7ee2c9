/**
 * Situations that other features bring about in one of ten thousand scenarios, or never: what counts up slowly, what is
 * larger than usual, and what several people do within one minute. A scenario with the feature `rare situations` has
 * one of them; all its other features act on it as well.
 */

import type { PullRequestEntry, ScenarioEvent, Scenario } from '../scenario/scenario.ts'
import { instant, type ScenarioDraft, typicalMinutes, type Dice } from './scenario-draft.ts'

// Tests of the swarm that people may put in quarantine, and when they do so later.

/** The tests of the suite that flake by themselves. One is called like what every object has. */
export const flakyTestNames = ['checkout > pays twice', 'constructor'] as const

/** The flake of scenarios in which only one test flakes. */
export const loneFlake = 'clock > strikes twelve'

/** With a test that a second try fails as well, and one that a push may break. */
export const quarantinable = [...flakyTestNames, loneFlake, 'both', 'builds'] as const

/** People put tests in quarantine, for a while or for good, and release them. */
export function quarantineEvents(draft: ScenarioDraft, busyUntil: number): ScenarioEvent[] {
  const { dice, has } = draft
  if (!has('quarantine changes')) return []
  const span = { from: 0, to: busyUntil + 60 }
  return Array.from({ length: dice.between('quarantine events', 1, 4) }, (_, nth) => {
    const test = dice.pick(`quarantine event ${nth} of`, quarantinable)
    const at = instant(draft, `quarantine event ${nth} at`, span)
    if (dice.chance(`quarantine event ${nth} releases`, 0.35)) return { at, do: 'release', test }
    const isLimited = dice.chance(`quarantine event ${nth} ends`, 0.5)
    const until = at + dice.between(`quarantine event ${nth} for`, 1, 60)
    return { at, do: 'quarantine', test, ...(isLimited ? { until } : {}) }
  })
}

/** What one breaks is in quarantine from its submission on, until its batch has failed and some of it has passed. */
export function quarantineThatRunsOut(
  { dice, has }: ScenarioDraft,
  entries: readonly PullRequestEntry[],
): ScenarioEvent[] {
  if (!has('quarantine runs out')) return []
  return entries.flatMap(({ number, at = 0, breaksTest: test }): ScenarioEvent[] => {
    if (test === undefined) return []
    const minutes = dice.between(`runs out ${number} after`, 2 * typicalMinutes, 4 * typicalMinutes)
    return [{ at, do: 'quarantine', test, until: at + minutes }]
  })
}

type Entries = readonly PullRequestEntry[]

type Situation = {
  /** The fewest and the most pull requests. */
  readonly sizes: readonly [number, number]
  readonly pullRequests?: (entries: Entries, dice: Dice) => Entries
  readonly events?: (entries: Entries, dice: Dice) => readonly ScenarioEvent[]
  /** What it sets instead of what was drawn. */
  readonly rest: (scenario: Scenario, dice: Dice) => Partial<Scenario>
}

/** What arrives then, wants nothing and breaks nothing. */
const healthy = ({ number, targets }: PullRequestEntry, at: number): PullRequestEntry => ({
  number,
  at,
  ...(targets === undefined ? {} : { targets: ['core'] }),
})

const inBatchesOf = (size: number, minutes: number): Scenario['queue'] => ({
  batch: true,
  batchingMinSize: size,
  batchingMaxWaitTimeMinutes: minutes,
})

const unlucky = 3

/** The same batch flakes again and again, and what it then proves is not on the tip any more. */
const unluckyBatch: Situation = {
  sizes: [14, 20],
  pullRequests: (entries) =>
    entries.map((entry, index) => {
      if (index >= unlucky) return healthy(entry, 5 * (index - 1))
      const flakyRuns = [1, 3, 5, 7, 9, 11].map((run) => ({ run, tests: [loneFlake] }))
      return { ...healthy(entry, 0), flakyRuns }
    }),
  rest: ({ queue, quarantine = [] }) => ({
    queue: { ...queue, ...inBatchesOf(unlucky, 5), concurrency: 3 },
    // Its end makes it a test that is known to flake.
    quarantine: [
      ...quarantine.filter(({ test }) => test !== loneFlake),
      { test: loneFlake, until: 1 },
    ],
  }),
}

/** Most runs fail, whatever they test. */
const mostRunsFlake: Situation = {
  sizes: [5, 10],
  rest: ({ queue, suiteFlakes }) => ({
    queue: { ...queue, policy: 'adaptive' },
    suiteFlakes: { ...suiteFlakes, perRun: 0.8 },
  }),
}

/** A queue that has seen few failures bisects a wide batch in one slot. */
const wideBatch: Situation = {
  sizes: [56, 60],
  pullRequests: (entries, dice) => {
    const culprit = dice.between('culprit of the wide batch', 20, 55)
    return entries.map((entry, index) => ({
      ...healthy(entry, index < 20 ? 0 : 7),
      ...(index === culprit ? { breaks: true } : {}),
    }))
  },
  rest: ({ queue }) => ({
    queue: {
      ...queue,
      ...inBatchesOf(36, 5),
      mode: 'single',
      policy: 'documented',
      concurrency: 1,
      bisectionConcurrency: 1,
    },
  }),
}

/** A busy line starts again with each push, while the first batch is bisected on a tip that lies behind by then. */
const pushesInABisection: Situation = {
  sizes: [18, 20],
  pullRequests: (entries) =>
    entries.map((entry, index) => ({
      ...healthy(entry, 0),
      ...(index === 5 ? { breaks: true } : {}),
    })),
  events: (_entries, dice) => {
    const count = dice.between('pushes in a bisection', 4, 5)
    const every = dice.between('minutes between pushes', 7, 9)
    const pushes = Array.from({ length: count }, (_, nth): ScenarioEvent => {
      return { at: typicalMinutes + 1 + nth * every, do: 'pushToBranch' }
    })
    return [{ at: 5, do: 'updateQueue', set: { policy: 'adaptive' } }, ...pushes]
  },
  rest: ({ queue }) => ({
    suite: { minutes: typicalMinutes },
    queue: {
      ...queue,
      ...inBatchesOf(6, 2),
      mode: 'single',
      policy: 'documented',
      concurrency: 4,
      bisectionConcurrency: 1,
    },
  }),
}

/** People cancel, submit again and merge by hand what the code host is merging, and what waits below a stack. */
const manyHands: Situation = {
  sizes: [8, 16],
  pullRequests: (entries) =>
    entries.map((entry, index) => {
      if (index < 3) return healthy(entry, 0)
      const later = { ...entry, at: 1 + (entry.at ?? 0) }
      const below = entries[index - 1]
      return index % 3 === 1 && below ? { ...later, dependsOn: [below.number] } : later
    }),
  events: (entries, dice) =>
    entries.flatMap(({ number, at = 0 }, index): ScenarioEvent[] => {
      const within = (what: string, from: number, to: number): number =>
        at + dice.between(`${what} ${number}`, from, to)
      const later = within('cancel or merge', 11, 15)
      if (index === 0) return [{ at: later, do: 'manualMerge', number }]
      if (index < 3) {
        const again = { at: later - 0.5, do: 'submit', number } as const
        const comesAgain = dice.chance(`changes the mind ${number}`, 0.5)
        return [{ at: later - 1, do: 'cancel', number }, ...(comesAgain ? [again] : [])]
      }
      if (index % 3 !== 0) return []
      const until = within('merge in spite of an objection', 1, 4 * typicalMinutes)
      return [
        { at, do: 'setMergeable', number, mergeable: false },
        { at: until, do: 'manualMerge', number },
      ]
    }),
  rest: ({ queue, faults }) => ({
    queue: { ...queue, ...inBatchesOf(3, 5), policy: 'documented' },
    suite: { minutes: typicalMinutes },
    codeHost: { landsGroups: true },
    faults: { ...faults, mergeMinutes: 6, partialPushRate: 0.4 },
  }),
}

/** Somebody leaves a batch that still fills, and is forgotten while the first of that batch waits for the others. */
const forgottenEarly: Situation = {
  sizes: [5, 14],
  pullRequests: (entries) =>
    entries.map((entry, index) => ({
      ...healthy(entry, index < 4 ? index : 4 + (entry.at ?? 0)),
      ...(index === 3 ? { breaks: true } : {}),
    })),
  events: ([first, second], dice) => {
    // The first leaves at the instant at which the second comes.
    const isFirst = dice.chance('the first is forgotten', 0.4)
    const gone = isFirst ? first : second
    if (!gone) return []
    const { number } = gone
    const forgotten = [1, 2, 3].map((nth): ScenarioEvent => {
      return { at: dice.between(`forgotten ${nth}`, 14, 45), do: 'forget', number }
    })
    return [
      { at: isFirst ? 1 : 1.5, do: 'cancel', number },
      { at: 15, do: 'pushToBranch' },
      ...forgotten,
    ]
  },
  rest: ({ queue }) => ({
    suite: { minutes: typicalMinutes },
    queue: { ...queue, ...inBatchesOf(3, 30), policy: 'documented', bisectionConcurrency: 1 },
  }),
}

/** One that cannot be built on another starts while that one is being merged. */
const mergedMeanwhile: Situation = {
  sizes: [6, 12],
  pullRequests: (entries, dice) =>
    entries.map((entry, index) => {
      const before = entries[index - 1]
      if (!before || !dice.chance(`not on the one before ${index}`, 0.4)) return entry
      return { ...entry, conflictsWith: [before.number] }
    }),
  rest: ({ queue, codeHost, faults }) => ({
    queue: { ...queue, concurrency: 1 },
    codeHost: { ...codeHost, conflictsFoundByBuild: true },
    faults: { ...faults, mergeMinutes: 0.05 },
  }),
}

/** A stack is bisected from its bottom on, and the code host often refuses what has been proven of it. */
const stackInABisection: Situation = {
  sizes: [5, 12],
  pullRequests: (entries) =>
    entries.map((entry, index) => {
      if (index > 4) return healthy(entry, entry.at ?? 0)
      const below = entries[index - 1]
      const isOnTop = index === 2 || index === 3
      return {
        ...healthy(entry, 0),
        ...(isOnTop && below ? { dependsOn: [below.number] } : {}),
        ...(index === 4 ? { breaks: true } : {}),
      }
    }),
  rest: ({ queue, faults }) => ({
    queue: { ...queue, ...inBatchesOf(5, 5), policy: 'documented', bisectionConcurrency: 1 },
    faults: { ...faults, mergeRefusedRate: 0.6 },
  }),
}

/** Four are bisected. Beside them one merges, and one that may start after that and be in another lane. */
function laneBeside(index: number, dice: Dice): { readonly lane: string; readonly at?: number } {
  if (index < 4) return { lane: 'core', at: 0 }
  if (index === 4) return { lane: 'web', at: 1 }
  if (index > 5) return { lane: 'web' }
  const lane = dice.pick('last lane', ['web', 'docs'])
  return { lane, at: dice.pick('last lane at', [1, 12, 13]) }
}

/** Other lanes merge beside a bisection, which is told later that it has to do with one of them. */
const uploadsInABisection: Situation = {
  sizes: [8, 14],
  pullRequests: (entries, dice) =>
    entries.map((entry, index) => {
      const { lane, at } = laneBeside(index, dice)
      return {
        ...healthy(entry, at ?? 60 + (entry.at ?? 0)),
        targets: [lane],
        ...(index === 3 ? { breaks: true } : {}),
        ...(index < 4 ? {} : { noBatch: true }),
      }
    }),
  events: (entries, dice) =>
    entries.slice(2, 4).map(({ number }): ScenarioEvent => {
      const at = dice.between(`told of the other lane ${number}`, 16, 29)
      return { at, do: 'setImpactedTargets', number, targets: ['core', 'web'] }
    }),
  rest: ({ queue }) => ({
    suite: { minutes: typicalMinutes },
    queue: {
      ...queue,
      ...inBatchesOf(4, 5),
      mode: 'parallel',
      policy: 'documented',
      concurrency: 3,
      bisectionConcurrency: 1,
    },
  }),
}

/** The time that a run may take is set lower, and the server is away while runs go on that never report. */
const timesRenewed: Situation = {
  sizes: [4, 9],
  events: (_entries, dice) => [
    {
      at: dice.between('lower time at', 3, 20),
      do: 'updateQueue',
      set: { testingTimeoutMinutes: dice.pick('lower time', [12, 20]) },
    },
  ],
  rest: ({ queue, faults }, dice) => ({
    queue: { ...queue, testingTimeoutMinutes: 90 },
    faults: {
      ...faults,
      hangRate: 0.4,
      serverOutages: [{ from: dice.between('away from', 10, 30), minutes: 40 }],
    },
  }),
}

/** What is green on the tip leaves a queue that waits, is forgotten, and comes again before the tip has moved. */
const greenNoMore: Situation = {
  sizes: [4, 8],
  pullRequests: (entries) =>
    entries.map((entry, index) =>
      index < 2 ? { ...healthy(entry, 0), greenOnTip: true } : healthy(entry, 4 + index),
    ),
  events: (entries, dice) => [
    ...entries.slice(0, 2).flatMap(({ number }): ScenarioEvent[] => {
      const isForgotten = dice.chance(`forgotten ${number}`, 0.8)
      return [
        { at: 1, do: 'cancel', number },
        ...(isForgotten ? [{ at: 2, do: 'forget', number } as const] : []),
        { at: 3, do: 'submit', number },
      ]
    }),
    { at: 5, do: 'updateQueue', set: { state: 'RUNNING' } },
  ],
  rest: ({ queue }) => ({ queue: { ...queue, directMergeMode: 'always', state: 'PAUSED' } }),
}

/** One that is listed twice is chosen twice as often. */
const situations = [
  unluckyBatch,
  unluckyBatch,
  mostRunsFlake,
  wideBatch,
  pushesInABisection,
  manyHands,
  manyHands,
  forgottenEarly,
  mergedMeanwhile,
  stackInABisection,
  stackInABisection,
  uploadsInABisection,
  timesRenewed,
  greenNoMore,
] as const

export function situationOf({ dice, has }: ScenarioDraft): Situation | null {
  return has('rare situations') ? dice.pick('situation', situations) : null
}
