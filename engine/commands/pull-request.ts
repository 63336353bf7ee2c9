import type { Step, Decide } from '../evolve/step.ts'
import { isOtherContent } from '../model/content.ts'
import { isBeingMerged, groupWith, hasBegunToMerge, holds } from '../model/predecessors.ts'
import { isTerminal } from '../model/pull-request.ts'
import { cycleThrough, priorityWithDependents, dependentsOf, missingOf } from '../model/stack.ts'
import type { PullRequestView, QueueView, PullRequestNumber, TestRun } from '../model/state.ts'
import type {
  SubmitPullRequest,
  CancelPullRequest,
  RestartTests,
  SetImpactedTargets,
  Rejection,
} from '../protocol/commands.ts'
import { cancel } from '../transitions/depart.ts'
import { isReady, reviewDependents, reviewReadiness } from '../transitions/readiness.ts'
import { matters } from '../bisection/knowledge.ts'
import { restartGroup, followUpload } from '../line/moves.ts'
import { isWider, unionOf, type ImpactedTargets } from '../model/targets.ts'

/** `medium`: the priority value of a submission that sets none. */
export const defaultPriority = 100

/**
 * Submits a pull request. If it is in the queue already, the given options replace the old ones in
 * place, nothing restarts, and a cancel stored during its own merge is withdrawn. With another head
 * commit it leaves, as after a push, and enters as a new submission, and so it does if it depends on others;
 * rejected while the code host merges it. Rules: E-16, E-20, E-227, E-260.
 */
export const submit: Decide<SubmitPullRequest> = (step, command) => {
  const { number, sha, dependsOn = [] } = command
  const through = cycleThrough(step.queue, number, dependsOn)
  if (through) return { code: 'depends on itself', number, through }
  const known = step.queue.pullRequests[number]
  if (known && !isTerminal(known.state)) {
    const isOther = isOtherContent(known, sha)
    if (!isOther && !hasOtherDependencies(known, command)) {
      rewrite(step, known, command)
      return null
    }
    if (isBeingMerged(groupWith(step.queue, number), number)) {
      return { code: 'merge under way', number }
    }
    cancel(step, number, isOther ? 'PR_PUSHED_TO' : 'USER_REQUESTED')
  }
  enter(step, command)
  return null
}

function hasOtherDependencies(
  { dependsOn: before = [] }: PullRequestView,
  { dependsOn = before }: SubmitPullRequest,
): boolean {
  return (
    dependsOn.some((number) => !before.includes(number)) ||
    !before.every((number) => dependsOn.includes(number))
  )
}

function rewrite(
  step: Step,
  known: PullRequestView,
  { number, priority, noBatch }: SubmitPullRequest,
): void {
  const asked = priority ?? known.priority
  const isWaiting = known.home.in === 'order'
  step.emit({
    type: 'pullRequestRewritten',
    number,
    priority: isWaiting ? priorityWithDependents(step.queue, number, asked) : asked,
    priorityAsked: known.priorityAsked || priority !== undefined,
    noBatch: noBatch ?? known.noBatch,
  })
  raiseBelow(step, number)
}

/** True if its batch has a run or a verdict, or is bisected: alone, it would make the others restart. */
export function isTestedWithOthers(queue: QueueView, { number, home }: PullRequestView): boolean {
  if (home.in === 'bisection') {
    return queue.bisections.some(({ id, size }) => id === home.bisection && size > 1)
  }
  const group = groupWith(queue, number)
  return group !== undefined && group.members.length > 1 && group.phase.kind !== 'waiting'
}

function enter(
  step: Step,
  { number, sha, priority, noBatch, dependsOn = [] }: SubmitPullRequest,
): void {
  const { queue } = step
  const each = dependsOn.filter((other, at) => dependsOn.indexOf(other) === at)
  step.emit({
    type: 'pullRequestSubmitted',
    number,
    submission: queue.last.submission + 1,
    ...(sha === undefined ? {} : { sha }),
    state: isReady(queue, number, each) ? 'PENDING' : 'NOT_READY',
    priority: priorityWithDependents(queue, number, priority ?? defaultPriority),
    priorityAsked: priority !== undefined,
    noBatch: noBatch ?? false,
    ...(each.length > 0 ? { dependsOn: each } : {}),
  })
  if (each.length > 0 || dependentsOf(queue, number).length > 0) joinStack(step, number)
}

/** What it depends on becomes as urgent, and both have the targets of what lies below. Rules: E-261, E-263, E-267. */
function joinStack(step: Step, number: PullRequestNumber): void {
  const { queue } = step
  raiseBelow(step, number)
  const own = queue.impactedTargets[number]
  if (own !== undefined) {
    const targets = withTargetsBelow(queue, number, own)
    if (targets !== own) setTargets(step, number, targets)
  }
  widenDependents(step, number)
  reviewDependents(step, number)
}

/**
 * Takes a pull request out of the queue. The rest of its group and every group whose run contained
 * it restart without it. A cancel during its own merge is stored; it takes effect only if the code
 * host refuses the merge.
 */
export const cancelPullRequest: Decide<CancelPullRequest> = (step, { number, reason }) => {
  const pullRequest = step.queue.pullRequests[number]
  if (!pullRequest || isTerminal(pullRequest.state)) return { code: 'not in queue', number }
  if (isBeingMerged(groupWith(step.queue, number), number)) {
    step.emit({ type: 'departureDeferred', number, reason })
  } else {
    cancel(step, number, reason)
  }
  return null
}

/**
 * Runs the tests of the pull request's group again, in place. No other group restarts, because no
 * other composition changes. A hold ends. In a bisection the runs in progress that contain the pull
 * request are repeated, and known results are kept.
 */
export const restartTests: Decide<RestartTests> = (step, { number }) => {
  const pullRequest = step.queue.pullRequests[number]
  if (!pullRequest || isTerminal(pullRequest.state)) return { code: 'not in queue', number }
  const { home } = pullRequest
  if (home.in === 'bisection') return repeatRuns(step, pullRequest, home.bisection)
  const group = groupWith(step.queue, number)
  if (!group || group.phase.kind === 'waiting' || group.phase.kind === 'conflicted') {
    return nothingToRestart(pullRequest)
  }
  if (hasBegunToMerge(group)) return { code: 'merge under way', number }
  restartGroup(step, group, 'TESTS_RESTARTED_BY_API_REQUEST')
  return null
}

/**
 * A request for an open member is always accepted: without a run in progress, the next run of the
 * member is still to come. A member that is proven has nothing to restart. Rule: E-84.
 */
function repeatRuns(step: Step, pullRequest: PullRequestView, id: number): Rejection | null {
  const { number, state } = pullRequest
  const bisection = step.queue.bisections.find((each) => each.id === id)
  if (!bisection?.open.includes(number)) return nothingToRestart(pullRequest)
  step.emit({ type: 'restartRequested', bisection: id, number, state })
  const repeat = (of: TestRun): void => {
    const retry = { of, notBefore: step.at, attempt: 0 }
    step.emit({ type: 'bisectionRetryPlanned', bisection: id, retry })
  }
  for (const { of } of [...bisection.retries]) if (holds(step.queue, of, number)) repeat(of)
  const runs = bisection.underWay
    .flatMap((runId) => step.queue.testRuns[runId] ?? [])
    .filter((run) => holds(step.queue, run, number) && matters(bisection, run))
  for (const run of runs) {
    const cause = 'TESTS_RESTARTED_BY_API_REQUEST'
    step.emit({ type: 'testRunCancelled', testRun: run.id, cause })
    repeat(run)
  }
  return null
}

function nothingToRestart({ number, state }: PullRequestView): Rejection {
  return { code: 'nothing to restart', number, state }
}

/**
 * Stores uploaded targets, also before the submission. They replace an earlier upload. A list that
 * contains the name `ALL` is `ALL`. A group in the line that shares more than before waits for those
 * that were tested without it. Those that depend on it impact them too. Rules: E-94, E-143, E-267.
 */
export const setImpactedTargets: Decide<SetImpactedTargets> = (step, { number, targets }) => {
  const isAll = targets === 'ALL' || targets.includes('ALL')
  const named = isAll ? 'ALL' : withoutDuplicates(targets)
  setTargets(step, number, withTargetsBelow(step.queue, number, named))
  reviewReadiness(step, number)
  widenDependents(step, number)
  return null
}

// Removal of duplicates from a list of names.
//
// A list of targets may be as long as a request, and a set of all names takes as much memory as
// their text. So a cheap hash sorts the names into classes, and each class is checked separately.

/** The approximate number of names in a set at once, if the hash spreads them evenly. */
const namesPerClass = 1 << 14

/** A class is one byte; the highest value marks a duplicate. */
const repeated = 255

/** Returns each name once, at its first position; the list itself if it has no duplicates. */
export function withoutDuplicates(names: readonly string[]): readonly string[] {
  const classes = Math.min(repeated, Math.ceil(names.length / namesPerClass))
  const classOf = new Uint8Array(names.length)
  if (classes > 1) for (const [at, name] of names.entries()) classOf[at] = hashOf(name) % classes
  let repetitions = 0
  for (let each = 0; each < classes; each++) repetitions += markRepeated(names, classOf, each)
  return repetitions === 0 ? names : names.filter((_, at) => classOf[at] !== repeated)
}

/** Marks the duplicates within one class and returns their number. */
function markRepeated(names: readonly string[], classOf: Uint8Array, each: number): number {
  const seen = new Set<string>()
  let count = 0
  for (let at = classOf.indexOf(each); at !== -1; at = classOf.indexOf(each, at + 1)) {
    count++
    const name = names[at] ?? ''
    if (seen.has(name)) classOf[at] = repeated
    else seen.add(name)
  }
  return count - seen.size
}

/** The hash need not be secure: names that all fall into one class only make one set larger. */
function hashOf(name: string): number {
  let hash = 0
  for (let at = 0; at < name.length; at++) hash = (hash * 31 + name.charCodeAt(at)) >>> 0
  return hash
}

// A stack in the queue: what lies below is as urgent as what lies on top, and what lies on top impacts the
// targets of what lies below.
//
// Rules: E-263, E-267.

/** Raises those that wait below a pull request to its priority, if theirs is lower. Rule: E-263. */
function raiseBelow(step: Step, number: PullRequestNumber): void {
  const { queue } = step
  const open = [number]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const priority = queue.pullRequests[next]?.priority ?? Infinity
    for (const other of missingOf(queue, next)) {
      const below = queue.pullRequests[other]
      if (below?.home.in !== 'order' || below.priority <= priority) continue
      const { priorityAsked, noBatch } = below
      step.emit({ type: 'pullRequestRewritten', number: other, priority, priorityAsked, noBatch })
      open.push(other)
    }
  }
}

/** These targets and those of what the pull request depends on. Rule: E-267. */
function withTargetsBelow(
  queue: QueueView,
  number: PullRequestNumber,
  targets: ImpactedTargets,
): ImpactedTargets {
  return missingOf(queue, number).reduce<ImpactedTargets>((union, below) => {
    const others = queue.impactedTargets[below] ?? []
    return isWider(others, union) ? unionOf(union, others) : union
  }, targets)
}

/** After an upload or a submission: gives the targets to those that depend on the pull request. Rule: E-267. */
function widenDependents(step: Step, number: PullRequestNumber): void {
  const { queue } = step
  const open = [...dependentsOf(queue, number)]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const own = queue.impactedTargets[next]
    if (own === undefined) continue
    const targets = withTargetsBelow(queue, next, own)
    if (targets === own) continue
    setTargets(step, next, targets)
    open.push(...dependentsOf(queue, next))
  }
}

/** Stores targets; a group in the line that impacts more than before follows. Rule: E-143. */
function setTargets(step: Step, number: PullRequestNumber, targets: ImpactedTargets): void {
  const group = groupWith(step.queue, number)
  const before = group?.targets ?? 'ALL'
  step.emit({ type: 'impactedTargetsSet', number, targets })
  if (group) followUpload(step, group, before)
}
