/** What the model knows: plain lists, and everything else is worked out from them when needed. */

import type {
  CancelReason,
  Configuration,
  ImpactedTargets,
  PullRequestState,
  QueueState,
  RunFailureReason,
} from '../../../engine/index.ts'

/** One content of the branch: the number of a submission, or below 0 for a push from outside. */
export type Content = number

export type PullRequest = {
  readonly number: number
  readonly content: Content
  state: PullRequestState
  priority: number
  noBatch: boolean
  pendingSince: number
  /** An earlier submission has merged. */
  readonly mergedBefore: boolean
  /** How often a bisection without a culprit has sent it back. */
  flakeReturns: number
  leavingFor: CancelReason | null
}

export type Run = {
  /** The number that the engine gave to it; 0 until the engine has said so. */
  id: number
  readonly of: 'main' | 'bisection'
  /** The number of commits on the branch below it. */
  readonly tip: number
  readonly base: readonly number[]
  readonly tested: readonly number[]
  /** The whole branch, the base and the tested ones. */
  readonly contents: readonly Content[]
  readonly startedAt: number
  readonly deadline: number
  readonly attempt: number
}

export type Retry = { readonly run: Run; readonly notBefore: number; readonly attempt: number }

export type Failure = {
  readonly run: Run
  readonly reason: RunFailureReason
  readonly tests: readonly string[]
}

export type Phase =
  | { readonly is: 'waiting'; readonly retry: Retry | null }
  | { readonly is: 'testing'; readonly run: Run }
  /** `run` is null for a direct merge. `merging`: the host has been asked and has not answered. */
  | { readonly is: 'passed'; readonly run: Run | null; merging: number | null; begun: boolean }
  | {
      readonly is: 'failed'
      readonly failure: Failure
      held: Hold | null
    }
  | { readonly is: 'conflicting'; readonly with: number }

/** The hold of a failure. `noted`: the runs that it waits for, by the old text of E-56. */
export type Hold = { readonly until: number; readonly noted: readonly Run[] }

export type Group = {
  members: number[]
  phase: Phase
  /** What its run contains of groups that shared a target with it since the run began (E-96). */
  tiedTo: Content[]
  readonly isUrgent: boolean
  /** The bisection that has proven its members. */
  provenBy: Bisection | null
  targets: ImpactedTargets
  /** The batch that its members have left; null for none. */
  origin: Group | null
}

export type Finding = {
  readonly contents: readonly Content[]
  readonly passed: boolean
  readonly failure: Failure | null
  readonly run: Run
  readonly isOfBatch: boolean
  readonly isConfirmed: boolean
}

export type Bisection = {
  /** The first that began has rank 1. */
  readonly rank: number
  readonly contentOf: ReadonlyMap<number, Content>
  readonly size: number
  readonly targets: ImpactedTargets
  /** The pinned tip: its number of commits, and those that count in compositions. */
  tip: number
  branch: Content[]
  isTipMoved: boolean
  /** Proven members that are in the line and have not merged. */
  inLine: number[]
  proven: number[]
  readonly proofs: Map<number, Run>
  open: number[]
  findings: Finding[]
  underWay: Run[]
  /** All its runs so far. */
  readonly started: Run[]
  retries: Retry[]
  spent: number
  convicted: number
  departed: number
}

export type Verdict = {
  readonly run: Run
  readonly passed: boolean
  readonly tests: readonly string[]
  isContradicted: boolean
}

/** What the model expects the engine to do, as a line of text. */
export type Deed = {
  /** Deeds of one subject have an order among themselves. */
  readonly subject: string
  readonly text: string
  readonly rules: string
  readonly numbers: readonly number[]
  /** The run, if it is the start of one. */
  readonly run: Run | null
}

export type Model = {
  at: number
  settings: Configuration
  state: QueueState
  nextMode: Configuration['mode'] | null
  readonly hostAnswers: boolean
  branch: Content[]
  pullRequests: Map<number, PullRequest>
  submissions: number
  targets: Map<number, ImpactedTargets>
  /** Reported green on the current tip, in the order of the reports. */
  green: number[]
  objected: Set<number>
  conflicts: Map<number, number[]>
  line: Group[]
  bisections: Bisection[]
  bisectionsBegun: number
  mainRuns: Run[]
  /** All bisection runs under way, also of bisections that have ended. */
  bisectionRuns: Run[]
  verdicts: Verdict[]
  flakyTests: Set<string>
  judged: number
  judgedBad: number
  deeds: Deed[]
}

export function newModel(settings: Configuration, state: QueueState, hostAnswers: boolean): Model {
  return {
    at: 0,
    settings,
    state,
    nextMode: null,
    hostAnswers,
    branch: [],
    pullRequests: new Map(),
    submissions: 0,
    targets: new Map(),
    green: [],
    objected: new Set(),
    conflicts: new Map(),
    line: [],
    bisections: [],
    bisectionsBegun: 0,
    mainRuns: [],
    bisectionRuns: [],
    verdicts: [],
    flakyTests: new Set(),
    judged: 0,
    judgedBad: 0,
    deeds: [],
  }
}
