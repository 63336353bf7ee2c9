/** What the model knows: plain lists. Everything else is worked out from them when it is needed. */

import type {
  CancelReason,
  Configuration,
  ImpactedTargets,
  PullRequestState,
  Queue,
  QueueState,
  RunFailureReason,
} from '../../engine/index.ts'

/** Something that the engine does, or is expected to do. */
export type Deed = {
  /** Deeds of one subject have an order among themselves. */
  readonly subject: string
  /** What kind of deed it is, or the new state of the pull request. */
  readonly topic: string
  readonly text: string
  readonly numbers: readonly number[]
  /** The run, if it is the start of one. */
  readonly run?: { id: number }
}

/** What can be on the branch: a submission, or a push from outside. */
export type Content = { readonly number: number | null }

/** One submission. A later one of the same number is another object, and so other content (E-13). */
export type PullRequest = {
  readonly number: number
  /** Its place in the order of all submissions. */
  readonly submission: number
  state: PullRequestState
  priority: number
  noBatch: boolean
  pendingSince: number
  /** How often a bisection without a culprit has sent it back. */
  flakeReturns: number
  leavingFor: CancelReason | null
}

/** E-32, E-87: noBatch, urgent, or sent back by a flake more than 3 times. */
export const isAlone = ({ noBatch, priority, flakeReturns }: PullRequest): boolean =>
  noBatch || priority === 0 || flakeReturns > 3

export type Run = {
  /** The number that the engine gave to it; 0 until the engine has said so. */
  id: number
  /** Null for the main run of a group. */
  readonly of: Bisection | null
  /** The number of commits on the branch below it. */
  readonly tip: number
  readonly base: readonly PullRequest[]
  readonly tested: readonly PullRequest[]
  /** Its composition: what counts of the branch, the base and the tested ones. */
  readonly contents: readonly Content[]
  readonly deadline: number
  readonly attempt: number
  /** Its failure was a flake (E-82). */
  isContradicted: boolean
}

export type Result = {
  readonly run: Run
  readonly contents: readonly Content[]
  /** Null if it passed. */
  readonly reason: RunFailureReason | null
  readonly tests: readonly string[]
  /** In a bisection: no other run of its composition is to confirm it. */
  readonly isConfirmed: boolean
  /** In a bisection: how often the tests failed on its composition. */
  readonly failures: number
}

export type Phase = {
  readonly is: 'waiting' | 'testing' | 'passed' | 'failed' | 'conflicting'
  /** Under way, with the verdict, or to be repeated. Without one it waits, or merges directly. */
  readonly run?: Run
  /** Waiting: when the run may be repeated. */
  readonly notBefore?: number
  /** Passed: the host has been asked to merge these, and has not answered. */
  merging?: readonly PullRequest[]
  /** Passed: a member has merged. */
  begun?: boolean
  readonly failure?: Result
  /** Failed: until when successors without a run are awaited. */
  heldUntil?: number
  /** Conflicting: the predecessor with which it conflicts. */
  readonly with?: PullRequest
}

/** The host has been asked to merge some of its members. */
export const isMerging = ({ merging = [] }: Phase): boolean => merging.length > 0

export class Group {
  members: readonly PullRequest[]
  targets: ImpactedTargets
  readonly isUrgent: boolean
  phase: Phase = { is: 'waiting' }
  /** What its run contains of groups that shared a target with it since the run began (E-96). */
  tiedTo = new Set<PullRequest>()
  /** The bisection that has proven its members. */
  provenBy: Bisection | null = null
  /** A bisection has proven its members, and none has been split off since. */
  hasSurvived = false
  /** The batch that its members have left; null for none. */
  origin: Group | null = null

  constructor(members: readonly PullRequest[], targets: ImpactedTargets, isUrgent = false) {
    this.members = members
    this.targets = targets
    this.isUrgent = isUrgent
  }
}

export const hasBegun = ({ phase }: Group): boolean => phase.begun === true || isMerging(phase)

export class Bisection {
  /** The first that began has rank 1. */
  readonly rank: number
  readonly size: number
  readonly targets: ImpactedTargets
  /** The pinned tip: its number of commits, and those that count in compositions. */
  tip: number
  branch: readonly Content[]
  isTipMoved = false
  open: readonly PullRequest[]
  proven: readonly PullRequest[] = []
  readonly proofs = new Map<PullRequest, Run>()
  /** Proven members that are in the line and have not merged. */
  inLine: readonly PullRequest[] = []
  /** The definitive or latest result of each composition. */
  findings: readonly Result[]
  retries: readonly { readonly run: Run; readonly notBefore: number; readonly attempt: number }[] =
    []
  spent = 1
  /** A member has been convicted or has left by itself. */
  hasLost = false

  constructor(model: Model, { members, targets }: Group, failure: Result) {
    this.rank = ++model.bisectionsBegun
    this.size = members.length
    this.targets = targets
    this.tip = model.branch.length
    this.branch = model.branch
    this.open = members
    // E-74. Groups that share no target may have merged since; they do not count (E-152).
    this.findings = [{ ...failure, contents: [...model.branch, ...members] }]
  }
}

export class Model {
  settings: Configuration
  state: QueueState
  /** Whether the code host answers each request to merge, or lands whole groups (E-10, E-219). */
  codeHost: Queue['codeHost']
  nextMode: Configuration['mode'] | null = null
  at = 0
  branch: readonly Content[] = []
  /** The latest submission of each number. */
  pullRequests = new Map<number, PullRequest>()
  submissions = 0
  targets = new Map<number, ImpactedTargets>()
  /** Reported green on the current tip, in the order of the reports. */
  green: readonly number[] = []
  objected = new Set<number>()
  /** Pairs with a text conflict, as reported. */
  conflicts: (readonly [number, number])[] = []
  line: readonly Group[] = []
  bisections: readonly Bisection[] = []
  bisectionsBegun = 0
  /** All that are under way, also those of bisections that have ended. */
  runs: readonly Run[] = []
  /** The last 100. */
  verdicts: readonly Result[] = []
  flakyTests = new Set<string>()
  /** E-75, E-159: those that merged after a run, and those that a run has failed. */
  readonly judged: ('good' | 'bad')[] = []
  deeds: Deed[] = []

  constructor(settings: Configuration, state: QueueState, codeHost: Queue['codeHost']) {
    this.settings = settings
    this.state = state
    this.codeHost = codeHost
  }

  get failureRate(): number {
    return (1 + this.judged.filter((each) => each === 'bad').length) / (10 + this.judged.length)
  }
}

/** E-13: the same content in the same order. */
export const isSame = (some: readonly Content[], others: readonly Content[]): boolean =>
  some.length === others.length && some.every((each, at) => each === others[at])

export const without = <Item>(all: readonly Item[], ...some: readonly Item[]): Item[] =>
  all.filter((each) => !some.includes(each))
