/**
 * A scenario as its file says it. `scenarios/scenario.schema.json` describes the same, field by
 * field and in words; the schema decides what is valid.
 */

import type {
  Configuration,
  ImpactedTargets,
  PullRequestState,
  WritableQueueState,
} from '../../engine/index.ts'

export type Scenario = {
  readonly $schema?: string
  readonly name: string
  readonly description?: string
  readonly seed?: number
  readonly queue?: QueueSettings
  readonly suite?: Suite
  readonly pullRequests?: readonly PullRequestEntry[]
  readonly traffic?: Traffic
  readonly suiteFlakes?: SuiteFlakes
  readonly events?: readonly ScenarioEvent[]
  readonly faults?: Faults
  readonly tieOrder?: 'submission' | 'shuffled'
  readonly expect?: Expect
  /** The property or expectation that must not hold. */
  readonly mustFail?: string
}

type QueueSettings = Partial<Configuration> & { readonly state?: WritableQueueState }

/** How long something takes, in minutes: always the same, or drawn. */
export type Length =
  | number
  | { readonly median: number; readonly p95: number }
  | { readonly uniform: readonly [number, number] }
  | { readonly exponential: number }

/** What a draw is made for: a run as a whole, or each pull request in it. */
type Per = 'run' | 'pullRequest'

export type Suite = { readonly minutes?: Length; readonly per?: Per }

export type Priority = 'urgent' | 'high' | 'medium' | 'low' | number

export type PullRequestEntry = {
  readonly number: number
  readonly at?: number
  readonly breaks?: boolean
  readonly breaksWith?: readonly number[]
  readonly fixes?: readonly number[]
  readonly conflictsWith?: readonly number[]
  readonly flakeRate?: number
  readonly flakyRuns?: readonly FlakyRun[]
  readonly priority?: Priority
  readonly noBatch?: boolean
  readonly targets?: ImpactedTargets
  readonly testMinutes?: number
  readonly greenOnTip?: boolean
}

/**
 * Which of the runs that test a pull request flakes: 1 is the first. With the tests to blame, if
 * known, and those that passed when they were tried again.
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
  readonly flakyPullRequestRate?: number
  readonly flakeRate?: number
  readonly noBatchRate?: number
  readonly urgentRate?: number
  readonly cancelRate?: number
  readonly pushRate?: number
  readonly greenOnTipRate?: number
  readonly targets?: TrafficTargets
}

export type Arrivals =
  | { readonly perHour: number | readonly number[] }
  | { readonly everyMinutes: number }
  | { readonly bursts: { readonly size: number; readonly everyMinutes: number } }

export type TrafficTargets = {
  readonly names: readonly string[]
  readonly perPullRequest?: readonly [number, number]
  /** Targets that many touch, beside their own. */
  readonly hubs?: readonly string[]
  readonly hubRate?: number
  readonly allRate?: number
}

export type SuiteFlakes = {
  readonly perRun?: number
  readonly per?: Per
  readonly tests?: readonly FlakyTest[]
}

export type FlakyTest = {
  readonly name: string
  readonly rate: number
  readonly retryPassRate?: number
}

type OfPullRequest = { readonly at?: number; readonly number: number }

export type ScenarioEvent =
  | ({
      readonly do: 'submit'
      readonly priority?: Priority
      readonly noBatch?: boolean
    } & OfPullRequest)
  | ({
      readonly do:
        'cancel' | 'push' | 'close' | 'convertToDraft' | 'changeBase' | 'restart' | 'manualMerge'
    } & OfPullRequest)
  | ({ readonly do: 'setImpactedTargets'; readonly targets: ImpactedTargets } & OfPullRequest)
  | ({ readonly do: 'setMergeable'; readonly mergeable: boolean } & OfPullRequest)
  | { readonly at?: number; readonly do: 'pushToBranch' }
  | { readonly at?: number; readonly do: 'updateQueue'; readonly set: QueueSettings }

export type Faults = {
  readonly lostRunRate?: number
  readonly duplicateResultRate?: number
  readonly contradictoryResultRate?: number
  readonly lateResultMinutes?: number
  readonly hangRate?: number
  readonly mergeRefusedRate?: number
  readonly mergeConflictRate?: number
  readonly mergePushedRate?: number
  readonly mergeMinutes?: number
  readonly outages?: readonly { readonly from: number; readonly minutes: number }[]
  readonly crashRate?: number
}

/** A number that must be exact, or within bounds. */
export type Bound = number | { readonly min?: number; readonly max?: number }

export const boundedFigures = [
  'testRuns',
  'bisectionRuns',
  'cancelledRuns',
  'runsSaved',
  'restarts',
  'testMinutes',
  'healthyEvicted',
  'badMerged',
  'laneClashes',
  'brokenMainMinutes',
  'unprovenMerges',
  'peakMainRuns',
  'peakBisectionRuns',
  'runsPerMerge',
  'meanTimeInQueueMinutes',
  'p50TimeInQueueMinutes',
  'p95TimeInQueueMinutes',
  'p99TimeInQueueMinutes',
  'maxTimeInQueueMinutes',
  'meanWaitMinutes',
  'p95WaitMinutes',
  'maxWaitMinutes',
  'endedAtMinutes',
] as const

export type BoundedFigure = (typeof boundedFigures)[number]

export type Expect = {
  readonly merged?: readonly number[] | Bound
  readonly failed?: readonly number[] | Bound
  readonly cancelled?: readonly number[] | Bound
  readonly mergeOrder?: readonly number[]
  readonly maxTestRuns?: number
  readonly states?: readonly ExpectedState[]
} & { readonly [Figure in BoundedFigure]?: Bound }

type ExpectedState = {
  readonly at: number
  readonly number: number
  readonly is: PullRequestState
}

/** Generated pull requests are numbered from here on, in the order in which they come. */
export const firstGeneratedNumber = 1001

/** How many pull requests the traffic brings. */
export function generatedCount({ traffic }: Scenario): number {
  return traffic ? (traffic.count ?? scenarioDefaults.trafficCount) : 0
}

/** Whether an expectation lists pull requests, rather than saying how many. */
export function isList(expected: unknown): expected is readonly number[] {
  return Array.isArray(expected)
}

/** What is meant where a scenario says nothing. The schema states the same values. */
export const scenarioDefaults = {
  seed: 1,
  suiteMinutes: 10,
  trafficCount: 100,
  arrivals: { perHour: 30 },
  /** How often the runs of a generated pull request that is flaky fail for no reason. */
  trafficFlakeRate: 0.3,
  targetsPerPullRequest: [1, 1],
} as const
