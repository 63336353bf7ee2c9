/** What the reader can change of a scenario: one field for each slider. */

import { configurationWith, targetBatchSize } from '../../../../engine/index.ts'
import { scenarioDefaults } from '../../../../sim/scenario/scenario.ts'
import type { Arrivals, Length, Scenario } from '../../../../sim/scenario/scenario.ts'
import { meanPerHour } from '../../../../sim/world/traffic.ts'

// How often pull requests are submitted, as one number; the pattern in time is kept.

/** Pull requests an hour, in the mean; null if the scenario lists each of them. */
function arrivalsPerHour({ traffic }: Scenario): number | null {
  if (!traffic) return null
  return rounded(meanPerHour(traffic.arrivals ?? scenarioDefaults.arrivals))
}

/** The same pattern with another mean. */
function withArrivals(scenario: Scenario, perHour: number): Scenario {
  const arrivals = scenario.traffic?.arrivals ?? scenarioDefaults.arrivals
  return {
    ...scenario,
    traffic: { ...scenario.traffic, arrivals: scaled(arrivals, perHour) },
  }
}

function scaled(arrivals: Arrivals, to: number): Arrivals {
  if ('everyMinutes' in arrivals) return { everyMinutes: rounded(60 / to) }
  if ('bursts' in arrivals) {
    const { size } = arrivals.bursts
    return { bursts: { size, everyMinutes: rounded((60 * size) / to) } }
  }
  if (typeof arrivals.perHour === 'number') return { ...arrivals, perHour: to }
  const factor = to / meanPerHour(arrivals)
  return { ...arrivals, perHour: arrivals.perHour.map((each) => rounded(each * factor)) }
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}

export type Field = {
  readonly label: string
  /** Behind the number. */
  readonly unit: string
  /** What it means, in one sentence. */
  readonly about: string
  readonly kind: 'number' | 'percent' | 'switch'
  /** What anybody can set, and the most that a slider shows; it shows more if today's setting is more. */
  readonly range: readonly [least: number, usual: number, most: number]
  readonly step: number
  /** The value in a scenario; null if the scenario does not have it. */
  readonly read: (scenario: Scenario) => number | null
  readonly write: (scenario: Scenario, value: number) => Scenario
}

type Queue = NonNullable<Scenario['queue']>

const withQueue = (scenario: Scenario, queue: Queue): Scenario => ({
  ...scenario,
  queue: { ...scenario.queue, ...queue },
})

const setting = (name: 'concurrency' | 'batchingMaxWaitTimeMinutes' | 'pendingFailureDepth') => ({
  read: ({ queue }: Scenario) => configurationWith(queue)[name],
  write: (scenario: Scenario, value: number) => withQueue(scenario, { [name]: value }),
})

const number = { kind: 'number', unit: '', step: 1 } as const
const onOff = { kind: 'switch', unit: '', range: [0, 1, 1], step: 1 } as const
const percent = { kind: 'percent', unit: '%', step: 1 } as const

/** In the order in which they are shown and applied. */
const table = {
  traffic: {
    ...number,
    label: 'Traffic',
    unit: 'an hour',
    about: 'Pull requests submitted.',
    range: [0.1, 60, 2000],
    step: 0.1,
    read: arrivalsPerHour,
    write: withArrivals,
  },
  median: {
    ...number,
    label: 'A test run',
    unit: 'min',
    about: 'Half of the runs are shorter.',
    range: [1, 60, 1000],
    read: (scenario) => lengthOf(scenario).median,
    write: (scenario, median) => {
      const { p95 } = lengthOf(scenario)
      return withLength(scenario, { median, p95: Math.max(median, p95) })
    },
  },
  p95: {
    ...number,
    label: 'A slow run',
    unit: 'min',
    about: 'One run in twenty is longer.',
    range: [1, 120, 2000],
    read: (scenario) => lengthOf(scenario).p95,
    write: (scenario, p95) => {
      const { median } = lengthOf(scenario)
      return withLength(scenario, { median: Math.min(median, p95), p95 })
    },
  },
  breaks: {
    ...percent,
    label: 'Breaks',
    about: 'Pull requests that break the tests.',
    range: [0, 30, 100],
    read: ({ traffic }) => (traffic ? rateOf(traffic.breakRate) : null),
    write: (scenario, value) => {
      const { breakRate = 0 } = scenario.traffic ?? {}
      const rate = value / 100
      // A high rate cannot be reached unless failures follow failures often enough.
      const sticky = typeof breakRate === 'number' ? 0 : Math.max(breakRate.sticky, 2 - 1 / rate)
      const written = typeof breakRate === 'number' ? rate : { rate, sticky }
      return { ...scenario, traffic: { ...scenario.traffic, breakRate: written } }
    },
  },
  clashes: {
    ...percent,
    label: 'Clashes',
    about: 'Pairs in flight that break only together.',
    range: [0, 5, 100],
    step: 0.1,
    read: ({ traffic }) => (traffic ? rateOf(traffic.clashRate) : null),
    write: (scenario, value) => {
      const { clashRate = 0 } = scenario.traffic ?? {}
      const rate = value / 100
      const across = typeof clashRate === 'number' ? 0 : Math.min(clashRate.across, rate)
      const written = typeof clashRate === 'number' ? rate : { rate, across }
      return { ...scenario, traffic: { ...scenario.traffic, clashRate: written } }
    },
  },
  flakes: {
    ...percent,
    label: 'Flakes',
    about: 'Test runs that fail for no reason.',
    range: [0, 40, 100],
    read: ({ suiteFlakes }) => inPercent(suiteFlakes?.perRun ?? 0),
    write: (scenario, value) => ({
      ...scenario,
      suiteFlakes: { ...scenario.suiteFlakes, perRun: value / 100 },
    }),
  },
  slots: {
    ...number,
    label: 'Slots',
    unit: 'runs',
    about: 'Test runs at once, without bisections.',
    range: [1, 30, 500],
    ...setting('concurrency'),
  },
  batch: {
    ...number,
    label: 'Batch',
    unit: 'together',
    about: 'Tested together; 1 is no batches.',
    range: [1, 16, 100],
    read: ({ queue }) => {
      const configuration = configurationWith(queue)
      return configuration.batch ? targetBatchSize(configuration) : 1
    },
    write: (scenario, size) =>
      withQueue(scenario, size === 1 ? { batch: false } : { batch: true, batchingMinSize: size }),
  },
  wait: {
    ...number,
    label: 'Wait',
    unit: 'min',
    about: 'Longest wait for a batch to fill.',
    range: [0, 30, 1000],
    ...setting('batchingMaxWaitTimeMinutes'),
  },
  depth: {
    ...number,
    label: 'Depth',
    unit: 'runs',
    about: 'Runs behind a failure it waits for.',
    range: [0, 6, 50],
    ...setting('pendingFailureDepth'),
  },
  optimistic: {
    ...onOff,
    label: 'Optimistic',
    about: 'A passing run clears all it contains.',
    read: ({ queue }) => Number(configurationWith(queue).canOptimisticallyMerge),
    write: (scenario, value) => withQueue(scenario, { canOptimisticallyMerge: value === 1 }),
  },
  adaptive: {
    ...onOff,
    label: 'Adaptive',
    about: 'What tests have shown decides what a failure means.',
    read: ({ queue }) => Number(configurationWith(queue).policy === 'adaptive'),
    write: (scenario, value) =>
      withQueue(scenario, { policy: value === 1 ? 'adaptive' : 'documented' }),
  },
  seed: {
    ...number,
    label: 'Seed',
    about: 'Another seed is another draw.',
    range: [1, 40, 1_000_000],
    read: ({ seed = 1 }) => seed,
    write: (scenario, seed) => ({ ...scenario, seed }),
  },
} satisfies Readonly<Record<string, Field>>

export type FieldName = keyof typeof table

export const fields: Readonly<Record<FieldName, Field>> = table

function inPercent(rate: number): number {
  return Math.round(rate * 1e4) / 100
}

const rateOf = (rate: number | { readonly rate: number } = 0): number =>
  inPercent(typeof rate === 'number' ? rate : rate.rate)

// The length of a test run as its median and its 95th percentile.

type MedianAndP95 = { readonly median: number; readonly p95: number }

function lengthOf({ suite }: Scenario): MedianAndP95 {
  const { median, p95 } = shapeOf(suite?.minutes ?? scenarioDefaults.suiteMinutes)
  return { median: toTenths(median), p95: toTenths(p95) }
}

function withLength(scenario: Scenario, minutes: MedianAndP95): Scenario {
  return { ...scenario, suite: { ...scenario.suite, minutes } }
}

function shapeOf(length: Length): MedianAndP95 {
  if (typeof length === 'number') return { median: length, p95: length }
  if ('median' in length) return length
  if ('uniform' in length) {
    const [from, to] = length.uniform
    return { median: (from + to) / 2, p95: from + 0.95 * (to - from) }
  }
  return { median: length.exponential * Math.LN2, p95: length.exponential * Math.log(20) }
}

function toTenths(minutes: number): number {
  return Math.round(minutes * 10) / 10
}
