/**
 * The types of a scenario file. `scenarios/scenario.schema.json` describes every field in words and
 * decides what is valid.
 */

import type {
  PullRequestState,
  Configuration,
  ImpactedTargets,
  WritableQueueState,
} from '../../engine/index.ts'

export type Scenario = {
  readonly $schema?: string
  readonly name: string
  readonly description?: string
  /** What an import assumed. It has no effect. */
  readonly assumed?: readonly Assumption[]
  /** What an import measured. It has no effect. */
  readonly measured?: readonly Measurement[]
  readonly seed?: number
  readonly queue?: ScenarioQueueSettings
  readonly suite?: Suite
  readonly pullRequests?: readonly PullRequestEntry[]
  /** The length of a day of the history that they record. */
  readonly dayMinutes?: number
  /** The real time of instant 0 of that history, as an ISO date and time in UTC. It has no effect. */
  readonly startsAt?: string
  /** From this instant on, advice is only tried and not searched. It has no effect on a run. */
  readonly keptApartFrom?: number
  readonly traffic?: Traffic
  readonly suiteFlakes?: SuiteFlakes
  /** The tests in quarantine from the beginning. */
  readonly quarantine?: readonly QuarantinedTest[]
  readonly events?: readonly ScenarioEvent[]
  readonly resubmit?: Resubmit
  readonly mend?: Mend
  readonly prices?: Prices
  readonly codeHost?: ScenarioCodeHost
  readonly faults?: Faults
  readonly tieOrder?: 'submission' | 'shuffled'
  readonly expect?: Expect
  /** The property or expectation that must fail. */
  readonly mustFail?: string
}

export type Assumption = {
  readonly what: string
  /** With its unit. */
  readonly value: string
  /** How to replace it by a known value. */
  readonly replace: string
}

export type Measurement = {
  readonly what: string
  /** With its unit. */
  readonly value: string
  /** How many of what it comes from. */
  readonly samples: string
}

type ScenarioQueueSettings = Partial<Configuration> & { readonly state?: WritableQueueState }

/** A length in minutes: a constant, or a distribution to draw from. */
export type Length =
  | number
  | { readonly median: number; readonly p95: number }
  | { readonly uniform: readonly [number, number] }
  | { readonly exponential: number }

/** The unit of a draw: the whole run, or each pull request in it. */
type DrawScope = 'run' | 'pullRequest'

export type Suite = {
  readonly minutes?: Length
  /** Of a run that fails: a number is the ratio to one that passes. */
  readonly minutesFailing?: Length
  readonly startDelay?: StartDelay
  readonly per?: DrawScope | 'composition'
}

/** The wait for a runner. It grows by `perCheck` of itself with each pull request whose checks run. */
type StartDelay = { readonly minutes: Length; readonly perCheck?: number }

export type Priority = 'urgent' | 'high' | 'medium' | 'low' | number

export type PullRequestEntry = {
  readonly number: number
  readonly at?: number
  readonly breaks?: boolean
  /** The test that it breaks, if that is not one of its own. */
  readonly breaksTest?: string
  readonly breaksWith?: readonly number[]
  readonly clashesWith?: readonly number[]
  readonly fixes?: readonly number[]
  readonly conflictsWith?: readonly number[]
  readonly dependsOn?: readonly number[]
  readonly flakeRate?: number
  readonly flakyRuns?: readonly FlakyRun[]
  readonly priority?: Priority
  readonly noBatch?: boolean
  readonly sha?: string
  readonly targets?: ImpactedTargets
  /** A list names them run by run; the last counts for all that follow. */
  readonly testMinutes?: number | readonly number[]
  readonly greenOnTip?: boolean
  /** It repairs what pushes to the branch have broken. */
  readonly mendsBranch?: boolean
  /** What an imported history calls it, if its number is invented. It has no effect. */
  readonly origin?: string
}

/** The fields of a pull request that name others. */
export const relations = [
  'breaksWith',
  'clashesWith',
  'fixes',
  'conflictsWith',
  'dependsOn',
] as const
export type Relation = (typeof relations)[number]

/** The relations of a pull request to those for which `newNumber` has one; the others are left out. */
export function relationsWithin(
  entry: PullRequestEntry,
  newNumber: (number: number) => number | null | undefined,
): Partial<PullRequestEntry> {
  const kept = relations.flatMap((key) => {
    const numbers = (entry[key] ?? []).flatMap((number) => newNumber(number) ?? [])
    return numbers.length > 0 ? [[key, numbers] as const] : []
  })
  return Object.fromEntries(kept)
}

export function withoutRelations(entry: PullRequestEntry): PullRequestEntry {
  const {
    breaksWith: _1,
    clashesWith: _2,
    fixes: _3,
    conflictsWith: _4,
    dependsOn: _5,
    ...rest
  } = entry
  return rest
}

/**
 * A flaky run, by its position among the runs that test a pull request; the first is 1. An object
 * also names the tests that fail, and the tests that pass when the runner repeats them.
 */
export type FlakyRun =
  | number
  | {
      readonly run: number
      readonly tests: readonly string[]
      readonly retried?: readonly string[]
    }

export type Traffic = {
  readonly count?: number
  readonly arrivals?: Arrivals
  readonly breakRate?: number | { readonly rate: number; readonly sticky: number }
  readonly conflictRate?: number
  readonly clashRate?: number | { readonly rate: number; readonly across: number }
  readonly baseAge?: Length
  readonly flakyPullRequestRate?: number
  readonly flakeRate?: number
  readonly noBatchRate?: number
  readonly urgentRate?: number
  readonly cancelRate?: number
  readonly pushRate?: number
  readonly greenOnTipRate?: number
  readonly stacks?: Stacks
  readonly targets?: TrafficTargets
}

/** This share depends on the one that arrived directly before, up to `depth` of them on top of each other. */
type Stacks = { readonly share: number; readonly depth?: number }

export type Arrivals =
  | {
      readonly perHour: number | readonly number[]
      /** Weights, from Monday on. */
      readonly perWeekday?: readonly number[]
      readonly doublings?: number
    }
  | { readonly everyMinutes: number }
  | { readonly bursts: { readonly size: number; readonly everyMinutes: number } }

export type TrafficTargets = {
  readonly names: readonly string[]
  readonly perPullRequest?: readonly [number, number]
  /** Targets that many pull requests impact, in addition to their own. */
  readonly hubs?: readonly string[]
  readonly hubRate?: number
  readonly allRate?: number
  /** How well the half of the names that a pull request impacts tells whether it breaks: 0.5 says nothing. */
  readonly riskAuc?: number
}

export type SuiteFlakes = {
  readonly perRun?: number
  readonly per?: DrawScope
  readonly tests?: readonly FlakyTest[]
}

export type FlakyTest = {
  readonly name: string
  readonly rate: number
  readonly retryPassRate?: number
  /** The share of the generated pull requests that break, and that no test before it catches, which it catches. */
  readonly catches?: number
}

export type QuarantinedTest = { readonly test: string; readonly until?: number }

/** What a push from outside does to the tests of the branch. */
export type Push = {
  /** The tests that fail from now on, until a push or a pull request mends the branch. */
  readonly breaks?: readonly string[]
  /** Nothing that is on the branch breaks it any more. */
  readonly mends?: boolean
}

type OfPullRequest = { readonly at?: number; readonly number: number }

export type ScenarioEvent =
  | ({
      readonly do: 'submit'
      readonly priority?: Priority
      readonly noBatch?: boolean
      readonly sha?: string
      readonly dependsOn?: readonly number[]
    } & OfPullRequest)
  | ({
      readonly do: 'cancel' | 'push' | 'close' | 'convertToDraft' | 'changeBase'
    } & OfPullRequest)
  | ({ readonly do: 'restart' | 'manualMerge' | 'forget' } & OfPullRequest)
  | ({ readonly do: 'setImpactedTargets'; readonly targets: ImpactedTargets } & OfPullRequest)
  | ({ readonly do: 'setMergeable'; readonly mergeable: boolean } & OfPullRequest)
  | ({ readonly at?: number; readonly do: 'pushToBranch' } & Push)
  | { readonly at?: number; readonly do: 'attachHost'; readonly codeHost: 'answers' | 'groups' }
  | ({ readonly at?: number; readonly do: 'quarantine' } & QuarantinedTest)
  | { readonly at?: number; readonly do: 'release'; readonly test: string }
  | { readonly at?: number; readonly do: 'updateQueue'; readonly set: ScenarioQueueSettings }

/** Authors submit a healthy pull request that was evicted again, this long after the eviction. */
export type Resubmit = { readonly afterMinutes: number }

/** Somebody mends the branch, this long after it has broken. */
type Mend = { readonly afterMinutes: number }

/** What CI and waiting cost, in any currency. */
export type Prices = { readonly ciMinute?: number; readonly waitingHour?: number }

/** The maximum length of the name of a scenario. */
export const longestName = 80

/** Returns how what comes again is numbered: as it is at first (time 0), then with a digit in front: 7, 1007, 2007. */
export function numberingOf(numbers: readonly number[]): (number: number, time: number) => number {
  const largest = numbers.reduce((most, number) => Math.max(most, number), 0)
  const step = 10 ** Math.max(3, String(largest).length)
  return (number, time) => number + time * step
}

/** The number of the first generated pull request. The others follow in order of arrival. */
export const firstGeneratedNumber = 1001

/** Returns how many pull requests the traffic generates. */
export function generatedCount({ traffic }: Scenario): number {
  return traffic ? (traffic.count ?? scenarioDefaults.trafficCount) : 0
}

/** The defaults of missing fields. The schema states the same values. */
export const scenarioDefaults = {
  seed: 1,
  suiteMinutes: 10,
  trafficCount: 100,
  arrivals: { perHour: 30 },
  /** The flake rate of a generated pull request that is flaky. */
  trafficFlakeRate: 0.3,
  stackDepth: 3,
  targetsPerPullRequest: [1, 1],
  dayMinutes: 1440,
} as const

// How the test runner and the code host of a scenario work, and their faults.

/** How the code host works, apart from its faults. */
type ScenarioCodeHost = {
  readonly landsGroups?: boolean
  readonly conflictsFoundByBuild?: boolean
}

/** In minutes. */
export type Outage = { readonly from: number; readonly minutes: number }

export type Faults = {
  readonly lostRunRate?: number
  readonly duplicateResultRate?: number
  readonly contradictoryResultRate?: number
  readonly lateResultMinutes?: number
  readonly hangRate?: number
  readonly mergeRefusedRate?: number
  readonly mergeConflictRate?: number
  readonly mergePushedRate?: number
  readonly branchMovedRate?: number
  readonly partialPushRate?: number
  readonly mergeMinutes?: number
  readonly outages?: readonly Outage[]
  readonly serverOutages?: readonly Outage[]
  readonly crashRate?: number
  readonly lostCommandRate?: number
}

// What a scenario expects of its run.

/** An exact number, or bounds. */
export type Bound = number | { readonly min?: number; readonly max?: number }

/** Where the result of a run has each figure that can be expected. What a path holds is added up. */
export const boundedFigures = [
  ['testRuns', 'totals.testRuns'],
  ['bisectionRuns', 'totals.bisectionRuns'],
  ['cancelledRuns', 'totals.cancelledRuns'],
  ['runsSaved', 'totals.runsSaved'],
  ['restarts', 'totals.restarts'],
  ['testMinutes', 'totals.testMinutes'],
  ['healthyEvicted', 'totals.healthyEvicted'],
  ['clashed', 'totals.clashed'],
  ['badMerged', 'totals.badMerged'],
  ['mergedByQuarantine', 'totals.quarantine.merges'],
  ['breaksInQuarantine', 'totals.quarantine.breaks'],
  ['laneClashes', 'totals.laneClashes'],
  ['brokenMainMinutes', 'totals.brokenMainMinutes'],
  ['cameAgain', 'totals.cameAgain'],
  ['unprovenMerges', 'totals.unprovenMerges'],
  ['peakMainRuns', 'totals.peakMainRuns'],
  ['peakBisectionRuns', 'totals.peakBisectionRuns'],
  ['runsPerMerge', 'runsPerMerge'],
  ['meanTimeInQueueMinutes', 'timeInQueueMinutes.mean'],
  ['p50TimeInQueueMinutes', 'timeInQueueMinutes.p50'],
  ['p95TimeInQueueMinutes', 'timeInQueueMinutes.p95'],
  ['p99TimeInQueueMinutes', 'timeInQueueMinutes.p99'],
  ['maxTimeInQueueMinutes', 'timeInQueueMinutes.max'],
  ['p50TimeToLandMinutes', 'timeToLandMinutes.p50'],
  ['p95TimeToLandMinutes', 'timeToLandMinutes.p95'],
  ['p99TimeToLandMinutes', 'timeToLandMinutes.p99'],
  ['maxTimeToLandMinutes', 'timeToLandMinutes.max'],
  ['meanWaitMinutes', 'waitMinutes.mean'],
  ['p95WaitMinutes', 'waitMinutes.p95'],
  ['maxWaitMinutes', 'waitMinutes.max'],
  ['endedAtMinutes', 'endedAtMinutes'],
] as const

export type BoundedFigure = (typeof boundedFigures)[number][0]

export type Expect = {
  readonly merged?: readonly number[] | Bound
  readonly failed?: readonly number[] | Bound
  readonly cancelled?: readonly number[] | Bound
  readonly mergeOrder?: readonly number[]
  readonly maxTestRuns?: number
  readonly states?: readonly ExpectedState[]
  /** All events of a type, in order. */
  readonly events?: Readonly<Record<string, readonly Happening[]>>
  /** All refused commands, in order: their fields, and those of the refusal. */
  readonly refused?: readonly Happening[]
} & { readonly [Figure in BoundedFigure]?: Bound }

/** Some fields of what happens, with their values. */
export type Happening = Readonly<Record<string, unknown>>

type ExpectedState = {
  readonly at: number
  readonly number: number
  readonly is: PullRequestState
}

/** Returns whether an expectation lists pull requests, instead of giving a count or bounds. */
export function isList(expected: unknown): expected is readonly number[] {
  return Array.isArray(expected)
}
