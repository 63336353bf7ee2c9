/** What the model knows, in plain lists, and what it does. All else is worked out when it is needed. */

import type * as engine from '../../engine/index.ts'

type List<Item> = readonly Item[]
type State = engine.PullRequestState

/** Something that the engine is expected to do. */
export type Effect = Readonly<
  | { is: 'submission'; number: number; to: State }
  | ({ is: 'move'; number: number; evidence: Evidence | undefined; leftWith: number | null } & Move)
  | { is: 'start' | 'save'; run: Run }
  | { is: 'cancel'; run: Run; cause: engine.Reason }
  | { is: 'request'; merging: List<PullRequest> }
  | { is: 'commit'; number: number | null }
  | { is: 'forget'; number: number }
  | { is: 'hold'; run: Run; until: number }
  | { is: 'queue'; from: engine.Queue['state']; to: engine.Queue['state'] }
>
type Move = {
  from: State
  to: State
  reason: engine.Reason | undefined
  despite: List<string> // E-272.
}

/** E-21: why a pull request is FAILED; empty if no run spoke. */
export type Evidence = { failure?: Result | undefined; passed?: Result | undefined }

/** What can be on the branch: a submission, or a push from outside. */
export type Content = { readonly number: number | null }

/** One submission. A later one of the same number is another object, and so other content (E-13). */
export type PullRequest = {
  readonly number: number
  readonly sha: string | undefined
  readonly submission: number // Its place in the order of all submissions.
  turn: number // Its place among those of its priority (E-262).
  readonly dependsOn: List<number>
  state: State
  priority: number
  noBatch: boolean
  readonly submittedAt: number
  since: number // When it came to its state.
  flakeReturns: number // How often a bisection without a culprit has sent it back.
  leavingFor: engine.PullRequest['leavingFor']
  leftWith: number | null // E-264.
}

/** E-32, E-87: noBatch, urgent, or sent back by a flake more than 3 times. */
export const isAlone = ({ noBatch, priority, flakeReturns }: PullRequest): boolean =>
  noBatch || priority === 0 || flakeReturns > 3

export type Run = {
  readonly id: number // E-210.
  readonly of: Bisection | null // Null for the main run of a group, and of the branch by itself.
  readonly isOfTip?: boolean // E-229: it tests the branch by itself.
  readonly tip: number // The number of commits on the branch below it.
  readonly base: List<PullRequest>
  readonly tested: List<PullRequest>
  readonly contents: List<Content> // What counts of the branch, the base and the tested ones.
  deadline: number
  readonly attempt: number
  readonly isScreening: boolean // Without the predecessors of its group (E-189).
  isContradicted: boolean // Its failure was a flake (E-82).
  despite: List<string> // It passed although these failed: all are in quarantine (E-271).
}

export type Result = {
  readonly run: Run
  readonly contents: List<Content>
  readonly reason: engine.RunFailureReason | null // Null if it passed.
  readonly tests: List<string>
  readonly isConfirmed: boolean // In a bisection: no other run of the same is to confirm it.
  readonly failures: number // In a bisection: in how many runs of the same tests failed (E-203).
}

export type Phase = {
  readonly is: 'waiting' | 'testing' | 'passed' | 'failed' | 'conflicting'
  readonly run?: Run // Under way, with the verdict, or to be repeated. A direct merge has none.
  readonly notBefore?: number // Waiting: when the run may be repeated.
  merging?: List<PullRequest> | undefined // Passed: the host was asked to merge these, and has not answered.
  isPushedTo?: boolean // Passed: somebody pushed since the host was asked.
  begun?: boolean // Passed: a member has merged.
  readonly failure?: Result
  heldUntil?: number // Failed: until when successors without a run are awaited.
  readonly isAside?: boolean // Failed: those behind go on without it (E-187).
  readonly with?: PullRequest // Conflicting: the predecessor with which it conflicts.
}

export type Group = {
  members: List<PullRequest>
  targets: engine.ImpactedTargets
  phase: Phase
  tiedTo: Set<PullRequest> // In its run, and shared a target with it at some time (E-96).
  readonly isUrgent: boolean
  provenBy?: Bisection | null
  readonly origin?: Group // The batch that its members have left.
  isScreened?: boolean // A screening run of its members has passed (E-190).
  isOvertaken?: boolean // A commit that its run would have to hold came since its start (E-193).
}

/** Those that conflict as text; none if it waits for what it depends on. E-266 */
export const pairOf = ({ members, phase }: Group): readonly PullRequest[] =>
  phase.with ? [phase.with, ...members] : []

export const hasBegun = ({ phase }: Group) => phase.begun === true || phase.merging !== undefined

export type Bisection = {
  readonly rank: number // The first that began has rank 1.
  readonly size: number
  readonly others: number | undefined // In a failed run that speaks against its only member (E-306).
  targets: engine.ImpactedTargets // Of its batch, and uploaded since (E-153).
  tip: number // The number of commits on the pinned tip.
  branch: List<Content> // Those of them that count in compositions.
  isTipMoved: boolean
  open: List<PullRequest>
  proven: List<PullRequest>
  readonly proofs: Map<PullRequest, Run>
  inLine: List<PullRequest> // Proven, in the line, and not merged.
  findings: List<Result> // The definitive or latest one of each composition.
  retries: List<{ readonly run: Run; readonly notBefore: number; readonly attempt: number }>
  spent: number
  hasLost: boolean // A member was convicted, or has left by itself.
}

/** What a test of the branch by itself has shown. */
type Tested = {
  readonly run: number
  readonly tip: number // The number of its commits.
  readonly soundFrom: number // If it passed: of the first tip that has, with only tested commits since.
  readonly hasFailed: boolean
  despite: List<string> // It passed, and so did what has merged since, although these failed (E-278).
  readonly times: number // How often it failed, without a pass between.
  readonly notBefore: number // When it may be tested again.
}

export class Model {
  settings: engine.Configuration
  state: engine.Queue['state']
  codeHost: engine.Queue['codeHost'] // Answers each request, or lands whole groups (E-10, E-219).
  nextMode: engine.Configuration['mode'] | null = null
  at = 0
  branch: List<Content> = []
  readonly landedWith = new Map<Content, engine.ImpactedTargets>() // The targets of each commit.
  pullRequests = new Map<number, PullRequest>() // The latest submission of each number.
  submissions = 0
  targets = new Map<number, engine.ImpactedTargets>()
  green: List<number> = [] // On the current tip, in the order of the reports.
  objected = new Set<number>()
  readonly reported = new Set<number>() // Of which the code host has reported anything.
  landed = new Set<number | null>() // Numbers of which a submission has merged (E-261); null for a push.
  conflicts: List<number>[] = [] // Pairs with a text conflict, as reported.
  line: List<Group> = []
  bisections: List<Bisection> = []
  bisectionsBegun = 0
  runsBegun = 0
  runs: List<Run> = [] // All under way, also those of bisections that have ended.
  verdicts: List<Result> = [] // The last 100.
  flakyTests = new Set<string>()
  quarantine = new Map<string, number>() // The tests in it, each with the instant at which that ends.
  tested: Tested | null = null // E-230: the last tip that was tested by itself.
  tipRetry: Bisection['retries'][number] | null = null // E-234: a lost run of it.
  pushedAt = 0 // E-230: the last commit that no run has passed.
  readonly judged: ('good' | 'bad')[] = [] // E-159: merged after a run, or failed by one.
  effects: Effect[] = []

  constructor(
    settings: engine.Configuration,
    state: engine.Queue['state'],
    codeHost: engine.Queue['codeHost'],
  ) {
    this.settings = settings
    this.state = state
    this.codeHost = codeHost
  }

  /** E-75. */
  get failureRate(): number {
    return (1 + this.judged.filter((each) => each === 'bad').length) / (10 + this.judged.length)
  }
}

/** E-13: the same content in the same order. */
export const isSame = (some: List<Content>, others: List<Content>): boolean =>
  some.length === others.length && some.every((each, at) => each === others[at])

export const without = <Item>(all: List<Item>, ...some: List<Item>): Item[] =>
  all.filter((each) => !some.includes(each))

type Why = [reason?: engine.Reason, evidence?: Evidence, passed?: Run]

/** Moves pull requests that are not in that state already. */
export function move(model: Model, all: List<PullRequest>, to: State, ...why: Why): void {
  const [reason, evidence, { despite = [] } = {}] = why
  for (const one of all.filter(({ state }) => state !== to)) {
    const { number, state: from, leftWith } = one
    model.effects.push({ is: 'move', number, from, to, reason, evidence, leftWith, despite })
    one.state = to
    one.since = model.at
  }
}

type Plan = Pick<Run, 'of' | 'tip' | 'base' | 'tested' | 'attempt' | 'isOfTip'> &
  Partial<Pick<Run, 'isScreening'>>

/** E-13: a run tests the composition of the branch, the base and the tested ones. */
export function startRun(model: Model, branch: List<Content>, plan: Plan): Run {
  const contents = [...branch, ...plan.base, ...plan.tested]
  const deadline = model.at + model.settings.testingTimeoutMinutes * 60_000
  const plain = { isScreening: false, isContradicted: false, despite: [] }
  const run: Run = { ...plain, ...plan, contents, deadline, id: ++model.runsBegun }
  model.effects.push({ is: 'start', run })
  model.runs = [...model.runs, run]
  return run
}

/** E-2: cancels a run under way. */
export function cancelRun(model: Model, run: Run, cause: engine.Reason): void {
  model.runs = without(model.runs, run)
  model.effects.push({ is: 'cancel', run, cause })
}
