/**
 * The policy of a queue: what it decides where two readings of a good queue differ.
 *
 * `documented` is the interface document to the letter. `adaptive` decides by what the tests of this
 * queue have shown so far: how many pull requests break them, and how many runs flake. No other file of
 * the engine knows that there are two. Each question is a pure function of the queue:
 *
 *     batchSize     how many pull requests may be tested together now
 *     fillMinutes   how long a batch waits for further members
 *     onFailure     whether a failed group stays below those behind, or steps aside
 *     standsOn      whether a group is tested on top of its predecessors, alone, or not yet
 *     isScreenedBy  whether a bisection spares what it has proven a test alone
 *     testsApart    whether the members of a failed batch are tested one by one
 *     testsTip      whether the tip is tested before somebody fails for it
 *     looksTwice    whether the failed run of a batch is made once more
 *     isConvinced   whether failed tests are believed
 *
 * A change of the policy counts at the next question, also for what has begun.
 */

import { bisectionSlots, targetBatchSize } from './configuration.ts'
import { everyPredecessor, groupsInPhase, hasPredecessor, holdsGroup } from './predecessors.ts'
import { missingOf } from './stack.ts'
import type {
  BisectionId,
  BisectionView,
  GroupView,
  PullRequestNumber,
  PullRequestView,
  QueueView,
  TestRun,
} from './state.ts'

type Settings = Pick<QueueView, 'configuration'>

const isAdaptive = ({ configuration }: Settings): boolean => configuration.policy === 'adaptive'

// ---- how many pull requests may be tested together now -----------------------------------------

/**
 * The smallest size at which a batch is full. A batch of two saves a run if it passes. Where many pull requests fail,
 * larger ones fail more often, but fewer failures reach the line: a bisection has slots and a tip of its own.
 */
const smallestBatch = { fewFail: 2, manyFail: 4 } as const

/** Many pull requests fail if it is more than this share. */
const manyFailures = 0.2

/**
 * Returns the size at which a batch is full: the target size. If adaptive, it is what every main slot
 * gets of those that wait, as long as at most half a failure is expected in it, but four if many fail. Rules: E-30,
 * E-225, E-245.
 */
export function batchSize(queue: QueueView): number {
  const { configuration, order } = queue
  const target = targetBatchSize(configuration)
  if (!isAdaptive(queue)) return target
  const rate = failureRate(queue)
  const ofEachSlot = Math.floor((order.pending - order.alone) / configuration.concurrency)
  const worthwhile = Math.floor(1 / (2 * rate))
  const least = rate > manyFailures ? smallestBatch.manyFail : smallestBatch.fewFail
  return Math.min(target, Math.max(least, Math.min(ofEachSlot, worthwhile)))
}

/**
 * Returns how long a batch waits until it is full: the maximum wait. If adaptive, it does not wait while at most one
 * pull request is in the line: in an idle queue hardly anybody comes to fill it. Rules: E-31, E-285.
 */
export function fillMinutes(queue: QueueView): number {
  return isAdaptive(queue) && isIdle(queue) ? 0 : queue.configuration.batchingMaxWaitTimeMinutes
}

function isIdle({ line, groups }: QueueView): boolean {
  const [first, second] = line
  return first === undefined || (second === undefined && groups[first]?.members.length === 1)
}

// ---- what a failure does -----------------------------------------------------------------------

/** While at most this share of runs flakes, a failure is not held. */
const fewFlakes = 0.1

/**
 * Returns the pending failure depth in force: the verdicts on top of it that a failure waits for. If
 * adaptive, it waits for none while few runs flake. Rules: E-56, E-226.
 */
export function holdDepth(queue: QueueView): number {
  const isHeld = !isAdaptive(queue) || flakeRate(queue) > fewFlakes
  return isHeld ? queue.configuration.pendingFailureDepth : 0
}

/**
 * Returns what a group does whose run has failed: it stays below those behind, or they leave it out at
 * once. If adaptive, it steps aside unless it is to be held. One that failed alone always does, because
 * nothing may be tested on top of it. Rules: E-187, E-192.
 */
export function onFailure(queue: QueueView, run: TestRun): 'stay' | 'step aside' {
  if (run.screening) return 'step aside'
  return isAdaptive(queue) && holdDepth(queue) === 0 ? 'step aside' : 'stay'
}

// ---- what a group is tested on -----------------------------------------------------------------

/** A group is tested on top of its predecessors if at least this chance is left that all pass. */
const leastChance = 0.3

/** The chance that a group that passed alone passes on top of others that did. */
const chanceOfScreened = 0.97

/** What a waiting group is to be tested on: `nothing` if it waits for other groups. */
export type Ground = 'predecessors' | 'the branch alone' | 'nothing'

/**
 * Decides what a group that waits is tested on as soon as a slot is free. If adaptive, a group whose
 * predecessors will probably not all pass is tested alone first: a run on top of them is probably lost,
 * and groups that passed alone will probably pass together. Rules: E-189, E-190.
 */
export function standsOn(queue: QueueView, group: GroupView): Ground {
  if (!isAdaptive(queue) || !hasPredecessor(queue, group) || isLikely(queue, group))
    return 'predecessors'
  return group.screened || isOnTopOfStack(queue, group) ? 'nothing' : 'the branch alone'
}

/** Without what it depends on it cannot be tested. Rule: E-265. */
function isOnTopOfStack(queue: QueueView, { members }: GroupView): boolean {
  return members.some((number) =>
    missingOf(queue, number).some((below) => !members.includes(below)),
  )
}

/** True if the predecessors of the group will probably all pass. */
const isLikely = (queue: QueueView, group: GroupView): boolean =>
  chanceAhead(queue, group, leastChance) >= leastChance

/**
 * The chance that the predecessors of the group all pass. A run that has failed on top of some of them may have
 * failed because of them: with each one they are less probable to pass, by the rule of Bayes. Below `least` it is only
 * known to be too low: in a long line that is so after a few. Rule: E-305.
 */
function chanceAhead(queue: QueueView, group: GroupView, least = 0): number {
  const open: GroupView[] = []
  let chance = 1
  const isEnough = everyPredecessor(queue, group, (each) => {
    const own = chanceOf(queue, each)
    if (own < 1) open.push(each)
    chance *= own
    return chance >= least
  })
  if (!isEnough) return chance
  for (const { phase, members } of groupsInPhase(queue, 'failed')) {
    if (phase.kind !== 'failed' || !phase.aside) continue
    if (!open.some((each) => holdsGroup(queue, phase.run, each))) continue
    const failsByItself = 1 - (1 - flakeRate(queue)) * (1 - failureRate(queue)) ** members.length
    chance = (chance * failsByItself) / (chance * failsByItself + 1 - chance)
  }
  return chance
}

/** One whose failure is held counts as passed, because its successors are to judge it. */
function chanceOf(queue: QueueView, { phase, members, screened }: GroupView): number {
  if (phase.kind === 'passed' || phase.kind === 'failed') return 1
  return screened ? chanceOfScreened : (1 - failureRate(queue)) ** members.length
}

/** A pass counts for a group that waits while at most so many commits have come since. */
const mostCommitsSince = 4

/**
 * True if what a bisection has proven counts as tested alone when it returns to the line: its runs were made
 * without the groups in the line, and the branch has hardly moved since. Rule: E-286.
 */
export function isScreenedBy(queue: QueueView, { tip }: Pick<BisectionView, 'tip'>): boolean {
  return isAdaptive(queue) && queue.tip.number - tip <= mostCommitsSince
}

// ---- how culprits are found ----------------------------------------------------------------------

/** At most so many members of a failed batch are tested one by one, if there are slots for all: runs for more are many. */
const mostApart = 4

/** While at most this share of runs flakes: else the batch that is tested again is often what passes. */
const rareFlakes = 0.05

/**
 * True if the members of a failed batch are tested one by one, at once, each in a bisection of its own: who passes
 * waits for nobody else. Without what it depends on a member cannot be tested. Rule: E-307.
 */
export function testsApart(queue: QueueView, members: readonly PullRequestNumber[]): boolean {
  const most = Math.min(mostApart, bisectionSlots(queue.configuration))
  if (!isAdaptive(queue) || members.length > most || flakeRate(queue) > rareFlakes) return false
  return members.every((number) => missingOf(queue, number).length === 0)
}

// ---- whether a failure is believed -------------------------------------------------------------

/**
 * True if the tip is tested by itself before a pull request fails and no run shows that the tip passes:
 * if the setting says so, or leaves it to the policy and that is adaptive. Rule: E-229.
 */
export function testsTip(queue: Settings): boolean {
  const { tipTestMode } = queue.configuration
  return tipTestMode === 'always' || (tipTestMode === 'policy' && isAdaptive(queue))
}

/**
 * True if the failed run of a batch is made once more in a slot that nobody else wants. The interface document
 * reuses a definitive result in its bisection. Rule: E-141.
 */
export function looksTwice(queue: QueueView): boolean {
  return isAdaptive(queue)
}

/**
 * Nobody is FAILED by tests before the odds are at least this high. The last digits depend on the
 * order of the arithmetic, so odds that are equal up to these count as high enough.
 */
const leastOdds = 10 - 1e-9

/** After so many failed runs of its prefix a member is convicted whatever the odds are. */
const mostFailures = 5

/** What a run before a bisection of one member says against that member; null for nothing. Rules: E-306, E-307. */
export const chargeBefore = (others: number | undefined): Charge['withOthers'] =>
  others === undefined ? null : { others, failures: 1, isBefore: true }

/** What speaks against a pull request. */
export type Charge = {
  /** How often the tests failed with it as the last pull request. */
  readonly failures: number
  /** The shortest composition that failed and holds others behind it, or a run before; null for none. */
  readonly withOthers: {
    readonly others: number
    readonly failures: number
    readonly isBefore?: true
  } | null
}

/**
 * True if failed tests are enough to convict a pull request. If adaptive, it must be at least 10 times
 * as probable that it breaks them as that all of its failures are flakes. Rules: E-200 to E-205.
 */
export function isConvinced(queue: QueueView, charge: Charge): boolean {
  if (!isAdaptive(queue) || charge.failures >= mostFailures) return true
  return oddsOf(queue, charge) >= leastOdds
}

/**
 * Where one is tested by itself nobody tests the same again, so most flakes are not seen: one failure is a flake with
 * at least this chance.
 */
const leastFlakes = 0.075

/** The odds before any run, divided by the chance that all of this fails also without its fault. */
function oddsOf(queue: QueueView, { failures, withOthers }: Charge): number {
  const rate = failureRate(queue)
  const flakes = flakeRate(queue)
  const isOneByOne = withOthers === null || withOthers.isBefore === true
  const once = isOneByOne ? Math.max(flakes, leastFlakes) : flakes
  let chance = failures === 1 ? once : flakes ** failures
  if (withOthers) {
    const passes = (1 - rate) ** withOthers.others
    const flaked = withOthers.failures === 1 ? once : flakes ** withOthers.failures
    chance *= 1 - (1 - flaked) * passes
  }
  return rate / (1 - rate) / chance
}

/** A queue without a verdict counts as one in which one run in this number is a flake. */
const runsPerFlake = 10

/**
 * The estimated share of flakes among the runs that should pass, from the last verdicts of the queue;
 * 0.1 before any. A failure that nothing has contradicted is not counted at all, because it may be the
 * fault of a pull request. Rule: E-204.
 */
function flakeRate({ verdicts }: QueueView): number {
  let flakes = 0
  let passes = 0
  for (const { outcome, contradicted } of verdicts) {
    if (outcome === 'passed') passes++
    else if (contradicted) flakes++
  }
  return (1 + flakes) / (runsPerFlake + flakes + passes)
}

// ---- the numbers that decide, for people ---------------------------------------------------------

/** What decides now about one pull request; chances and shares are from 0 to 1. */
export type Deciding = {
  readonly batchSize: number
  readonly failureRate: number
  readonly flakeRate: number
  /** That those ahead all pass; null outside of the line. */
  readonly chanceAhead: number | null
  /** Those against it in a bisection of its own; null for everything else. */
  readonly odds: number | null
}

/** From where on it decides otherwise. */
export const thresholds = { leastChance, fewFlakes, leastOdds: Math.round(leastOdds) } as const

/** Returns the numbers behind the decisions of the adaptive policy about a pull request; null without it. */
export function deciding(
  queue: QueueView,
  { home }: Pick<PullRequestView, 'home'>,
): Deciding | null {
  if (!isAdaptive(queue)) return null
  const group = home.in === 'group' ? queue.groups[home.group] : undefined
  return {
    batchSize: batchSize(queue),
    failureRate: failureRate(queue),
    flakeRate: flakeRate(queue),
    chanceAhead: group ? chanceAhead(queue, group) : null,
    odds: home.in === 'bisection' ? oddsInItsOwn(queue, home.bisection) : null,
  }
}

/** The odds in a bisection of one member, from its failed runs; null for any other. */
function oddsInItsOwn(queue: QueueView, id: BisectionId): number | null {
  const bisection = queue.bisections.find((each) => each.id === id)
  if (bisection?.size !== 1) return null
  const [failures] = Object.values(bisection.verdicts).map((verdict) => verdict.failures)
  if (failures === undefined) return null
  return oddsOf(queue, { failures, withOthers: chargeBefore(bisection.others) })
}

/**
 * The estimated share of pull requests that break the tests, from those that the tests of this queue
 * have judged; 0.1 before any was. Rules: E-75, E-159.
 */
export function failureRate({ judged }: QueueView): number {
  return (1 + judged.failed) / (10 + judged.count)
}
