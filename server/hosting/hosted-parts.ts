/** What the steps of a reconciler share: one queue, and its repository. */

import type { Logger } from 'pino'
import type {
  Actor,
  PullSnapshot,
  EngineCommand,
  Millis,
  PausedFor,
  PullRequestNumber,
  RecordedCommand,
  TestRun,
} from '../../engine/index.ts'
import type { MergeMethod } from '../git/snapshot.ts'
import type { Oid } from '../git/git.ts'
import type { Mirror } from '../git/mirror.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { ManagerOutcome } from '../queues/queue-registry.ts'
import type { Backoff, Alone } from './backoff.ts'
import type { CodeHost } from './code-host.ts'
import type { BranchNotes, PullRefs, Observation } from './observation.ts'
import { isToBeginAnew } from './test-limit.ts'
import type { Impacted } from '../targets/impacted.ts'

type RefusedRef = {
  readonly number: PullRequestNumber
  readonly head: Oid
  /** The tip on which it is not tried again; null: it is tried again at each poll. */
  readonly tip: Oid | null
  readonly words: string
}

export type HostedParts = {
  readonly queue: ManagedQueue
  /** Settles when what was sent is seen in the queue; undefined if it is. Rejects if it may be lost. */
  readonly settled: () => Promise<void> | undefined
  /** Settles when what is seen in the queue is durable; undefined if it is. */
  readonly durable: () => Promise<void> | undefined
  /** Sends a command to the queue; its outcome is seen there. */
  readonly send: (command: RecordedCommand) => void
  /** The same for a command whose outcome must be known; `by`: who asked for it. */
  readonly ask: (command: RecordedCommand, by?: Actor | null) => Promise<ManagerOutcome>
  /** Sends an answer to what the queue asked for: at once, or when a test chooses. */
  readonly hold: (command: EngineCommand, send: () => void) => void
  readonly now: () => Millis
  /** Does one thing after the other: two polls at once would report a push twice. */
  readonly alone: Alone
  readonly mirror: Mirror
  /** Its host, if that has pull requests of its own. */
  readonly codeHost: CodeHost | null
  readonly refs: PullRefs
  /** Finds impacted targets; null if the queue is not asked to. */
  readonly impacted: Impacted | null
  /** The target branches of all queues of the repository. */
  readonly branches: readonly string[]
  readonly logger: Logger
  /** The branches below `queue/` that cannot enter. */
  readonly refusedRefs: Map<string, RefusedRef>
  readonly branchNotes: BranchNotes
  /** Call it when the targets of those who wait are found anew; null: they are found by what this server names. */
  noteTargets: (() => Promise<void>) | null
  /** What was seen last; replaced as a whole. */
  observation: Observation | null
  /** The pull request whose merge was refused last, and nothing has landed since; null: none. */
  refused: PullRequestNumber | null
  /** A merge that the repository refuses as it would any other: it is tried again; null: there is none. */
  denied: Denial | null
}

type Denial = {
  readonly words: string
  readonly backoff: Backoff
  /** When it is tried again. */
  readonly until: Millis
}

/** The commit of the tip of the queue; null before the first poll. */
export function tipOf({ queue }: Pick<HostedParts, 'queue'>): Oid | null {
  return queue.history.tips.get(queue.engine.queue.tip.number) ?? null
}

/** The snapshot of the current or last submission; null if there was none. */
export function snapshotOf(
  { queue }: Pick<HostedParts, 'queue'>,
  number: PullRequestNumber,
): PullSnapshot | null {
  const submission = queue.engine.queue.pullRequests[number]?.submission
  return submission === undefined ? null : (queue.history.snapshots.get(submission) ?? null)
}

/** Nobody else gets the number of a branch, also if it is not submitted before the next start. */
export function keepNumbers(
  parts: Pick<HostedParts, 'queue' | 'refs' | 'branchNotes'>,
  observation: Observation,
): Promise<void> {
  const isInLog = (number: PullRequestNumber): boolean => snapshotOf(parts, number) !== null
  return parts.branchNotes.keepNumbers(parts.refs, observation, isInLog)
}

/** Sends an answer, at once or when a test chooses. */
export function sendHeld(
  { hold, send }: Pick<HostedParts, 'send' | 'hold'>,
  command: EngineCommand,
): void {
  hold(command, () => send(command))
}

/** A group is on the branch: tells the queue, with the commit of each member. */
export function landed(
  parts: HostedParts,
  numbers: readonly PullRequestNumber[],
  commits: readonly Oid[],
): void {
  const [number = 0] = numbers
  sendHeld(parts, { type: 'finishMerge', number, numbers, refused: null, commits })
}

/**
 * The branch has moved: a merge under way was proven on another commit, so it is tested again. A merge
 * that is over meanwhile needs no answer.
 */
export function targetMoved(
  parts: Pick<HostedParts, 'send' | 'hold'>,
  number: PullRequestNumber,
): void {
  sendHeld(parts, { type: 'finishMerge', number, refused: 'TARGET_BRANCH_MOVED' })
}

/** Stops the queue for a reason that is nobody's failure. */
export function pause(parts: Pick<HostedParts, 'send'>, pausedFor: PausedFor): void {
  parts.send({ type: 'updateQueue', set: { state: 'PAUSED' }, pausedFor })
}

/** Stops the queue because no run can get a verdict. The run is given back: it counts as neither lost nor failed. */
export function pauseForTests(parts: HostedParts, run: TestRun, fault: string): void {
  const { queue, logger } = parts
  const isRunning = queue.engine.queue.state === 'RUNNING'
  const words = `${fault}; the queue goes on by itself when ${queue.ref.targetBranch} or the checks that it requires change`
  logger.error({ queue: queue.name, words }, 'no test run can get a verdict; the queue is paused')
  // One that was draining must not take in others by itself.
  pause(parts, { words, until: isRunning ? 'changed' : 'resumed', of: testedBy(parts) ?? '' })
  beginAnew(parts, run)
}

/**
 * The repository takes the branch of no test run: the queue is PAUSED, and goes on when it takes this
 * one. False: it is not RUNNING, so somebody else must know of it.
 */
export function answerNotPlaced(parts: HostedParts, run: TestRun, refusal: string): boolean {
  const { queue, logger, now } = parts
  const isKnown = queue.history.pausedFor?.until === 'placed'
  if (!isKnown && queue.engine.queue.state !== 'RUNNING') return false
  const words = `cannot push a test branch: ${refusal}: allow mergeyard/** to the account of the queue, which tries again by itself`
  if (!isKnown) {
    logger.error({ queue: queue.name, words }, 'test branches are refused; the queue is paused')
    pause(parts, { words, until: 'placed' })
  }
  if (isToBeginAnew(run, now())) beginAnew(parts, run)
  return true
}

/** A run whose branch was refused at first begins anew: it has waited for no fault of its own. */
export function answerPlaced(parts: HostedParts, run: TestRun, wasRefused: boolean): void {
  const isPaused = parts.queue.history.pausedFor?.until === 'placed'
  if (isPaused) parts.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  if (isPaused || wasRefused) beginAnew(parts, run)
}

/** The run is given back. */
export function beginAnew(
  { send }: Pick<HostedParts, 'send'>,
  { id, tested: [number] }: TestRun,
): void {
  if (number !== undefined) send({ type: 'restartTests', number })
  else send({ type: 'finishTestRun', testRun: id, outcome: 'errored' })
}

/** What the verdicts depend on, beside the pull requests; null: it is not known. */
export function testedBy(parts: HostedParts): string | null {
  const checks = parts.codeHost?.checksAsked() ?? null
  return checks === null ? null : `${tipOf(parts)} ${checks}`
}

/** Somebody has brought the change of a pull request on the branch otherwise, for example as a patch. */
export function onBranch(parts: HostedParts, number: PullRequestNumber, commit: Oid): void {
  sendHeld(parts, { type: 'reportManualMerge', number, commit })
}

/** The merge method of the queue. */
export function methodOf({ queue }: Pick<HostedParts, 'queue'>): MergeMethod {
  return queue.engine.queue.configuration.mergeMethod
}
