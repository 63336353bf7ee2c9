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
  | { readonly is: 'failed'; readonly failure: Failure; heldUntil: number | null }
  | { readonly is: 'conflicting'; readonly with: number }

export class Group {
  members: number[]
  targets: ImpactedTargets
  readonly isUrgent: boolean
  phase: Phase = { is: 'waiting', retry: null }
  /** What its run contains of groups that shared a target with it since the run began (E-96). */
  tiedTo: Content[] = []
  /** The bisection that has proven its members. */
  provenBy: Bisection | null = null
  /** The batch that its members have left; null for none. */
  origin: Group | null = null

  constructor(members: readonly number[], targets: ImpactedTargets, isUrgent = false) {
    this.members = [...members]
    this.targets = targets
    this.isUrgent = isUrgent
  }
}

export type Finding = {
  readonly contents: readonly Content[]
  readonly passed: boolean
  readonly failure: Failure | null
  readonly run: Run
  readonly isOfBatch: boolean
  readonly isConfirmed: boolean
}

export class Bisection {
  /** The first that began has rank 1. */
  readonly rank: number
  readonly contentOf: ReadonlyMap<number, Content>
  readonly targets: ImpactedTargets
  readonly size: number
  /** The pinned tip: its number of commits, and those that count in compositions. */
  tip: number
  branch: Content[]
  isTipMoved = false
  open: number[]
  proven: number[] = []
  readonly proofs = new Map<number, Run>()
  /** Proven members that are in the line and have not merged. */
  inLine: number[] = []
  findings: Finding[] = []
  underWay: Run[] = []
  /** All its runs so far. */
  readonly started: Run[] = []
  retries: Retry[] = []
  spent = 1
  convicted = 0
  departed = 0

  constructor(model: Model, { members, targets }: Group, contents: readonly Content[]) {
    this.rank = ++model.bisectionsBegun
    this.open = [...members]
    this.size = members.length
    this.targets = targets
    this.contentOf = new Map(members.map((number, at) => [number, contents[at] ?? 0]))
    this.branch = [...model.branch]
    this.tip = model.branch.length
  }
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

export class Model {
  readonly hostAnswers: boolean
  settings: Configuration
  state: QueueState
  nextMode: Configuration['mode'] | null = null
  at = 0
  branch: Content[] = []
  pullRequests = new Map<number, PullRequest>()
  submissions = 0
  targets = new Map<number, ImpactedTargets>()
  /** Reported green on the current tip, in the order of the reports. */
  green: number[] = []
  objected = new Set<number>()
  conflicts = new Map<number, number[]>()
  line: Group[] = []
  bisections: Bisection[] = []
  bisectionsBegun = 0
  mainRuns: Run[] = []
  /** All bisection runs under way, also of bisections that have ended. */
  bisectionRuns: Run[] = []
  verdicts: Verdict[] = []
  flakyTests = new Set<string>()
  judged = 0
  judgedBad = 0
  deeds: Deed[] = []

  constructor(settings: Configuration, state: QueueState, hostAnswers: boolean) {
    this.settings = settings
    this.state = state
    this.hostAnswers = hostAnswers
  }
}
