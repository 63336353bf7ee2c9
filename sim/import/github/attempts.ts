/** How often a pull request was submitted, and how each time ended. */

import type { Pull } from './records.ts'
import { submissionKinds, type Signal, type SubmissionKind } from './signals.ts'

export type Attempt = {
  readonly kind: SubmissionKind
  readonly atMs: number
  /** Infinity if it has not ended. */
  readonly endedAtMs: number
  readonly end: 'merged' | 'removed' | 'closed' | 'pushed' | 'submitted again' | 'open'
  /** True if a person took it out. */
  readonly isByPerson: boolean
  /** True if it got other commits before it was submitted again. */
  readonly isPushedAfter: boolean
}

/** What the tests of the queue say about a pull request. */
export type QueueFacts = {
  /** When the queue first tested it; null if it did not. */
  readonly firstTestMs: number | null
  /** When its last test in the queue began. */
  readonly lastTestMs: number | null
  /** True if one of its tests failed within this time. */
  readonly hasFailed: (fromMs: number, toMs: number) => boolean
}

/** A queue removes what it has merged; the two may be told a little apart. */
const cleanupMs = 5 * 60_000

/** Returns the attempts in order; none for one that was never submitted. */
export function attemptsOf(pull: Pull, signals: readonly Signal[], queue: QueueFacts): Attempt[] {
  const kind = kindOf(pull, signals, queue)
  if (kind === null) return []
  if (kind === 'merge queue' || kind === 'comment' || kind === 'label' || kind === 'auto-merge') {
    return new Walk(kind, queue).through(signals)
  }
  const endedAtMs = Date.parse(pull.merged_at ?? pull.closed_at ?? pull.created_at)
  const atMs = Math.min(endedAtMs, startOf(kind, signals, queue) ?? endedAtMs)
  const end = pull.merged_at === null ? 'closed' : 'merged'
  return [{ kind, atMs, endedAtMs, end, isByPerson: true, isPushedAfter: false }]
}

/** The most exact kind of signal that it has. An approval of what did not merge is no submission. */
function kindOf(
  { merged_at: mergedAt }: Pull,
  signals: readonly Signal[],
  { firstTestMs }: QueueFacts,
): SubmissionKind | null {
  const has = (kind: SubmissionKind): boolean =>
    signals.some((signal) => signal.is === 'begin' && signal.kind === kind && isOpenAt(signal.atMs))
  const isOpenAt = (atMs: number): boolean => mergedAt === null || atMs <= Date.parse(mergedAt)
  const found = submissionKinds.find((kind) => {
    if (kind === 'first test in the queue') return firstTestMs !== null
    if (kind === 'landing') return mergedAt !== null
    return has(kind) && (kind !== 'approval' || mergedAt !== null)
  })
  return found ?? null
}

/** When it was approved and had its last commits, whichever came later. */
function startOf(
  kind: SubmissionKind,
  signals: readonly Signal[],
  { firstTestMs }: QueueFacts,
): number | null {
  if (kind === 'first test in the queue') return firstTestMs
  const isMerge = signals.findIndex(({ is }) => is === 'merged')
  const before = signals.slice(0, isMerge === -1 ? signals.length : isMerge)
  const approved = before.findLast((each) => each.is === 'begin' && each.kind === kind)
  const pushed = before.findLast(({ is }) => is === 'push')
  return approved ? Math.max(approved.atMs, pushed?.atMs ?? 0) : null
}

/** Goes through the signals of a pull request whose submissions and ends are told. */
class Walk {
  readonly #kind: SubmissionKind
  readonly #queue: QueueFacts
  readonly #attempts: Attempt[] = []
  #openSinceMs: number | null = null
  #isPushed = false

  constructor(kind: SubmissionKind, queue: QueueFacts) {
    this.#kind = kind
    this.#queue = queue
  }

  through(signals: readonly Signal[]): Attempt[] {
    for (const signal of signals) this.#see(signal)
    if (this.#openSinceMs !== null) this.#end('open', Infinity)
    return this.#attempts
  }

  #see(signal: Signal): void {
    const { atMs } = signal
    switch (signal.is) {
      case 'begin':
        if (signal.kind === this.#kind) this.#begin(atMs)
        return
      case 'end':
        if (signal.kind === this.#kind) this.#end('removed', atMs, signal.isByPerson)
        return
      case 'push':
        this.#push(atMs)
        return
      case 'merged':
      case 'closed':
        if (signal.is === 'merged' && this.#openSinceMs === null) this.#merged(atMs)
        this.#end(signal.is, atMs)
    }
  }

  /** A command that is repeated is a new submission if the queue had refused the first. */
  #begin(atMs: number): void {
    const since = this.#openSinceMs
    if (since !== null && !this.#queue.hasFailed(since, atMs)) return
    if (since !== null) this.#end('submitted again', atMs)
    this.#openSinceMs = atMs
    this.#isPushed = false
  }

  /** The merge queue takes out by itself what was pushed to; elsewhere the wish stays, for other commits. */
  #push(atMs: number): void {
    const last = this.#attempts.at(-1)
    if (this.#openSinceMs === null) {
      if (last) this.#attempts[this.#attempts.length - 1] = { ...last, isPushedAfter: true }
      return
    }
    this.#isPushed = true
    if (this.#kind === 'merge queue') return
    this.#end('pushed', atMs)
    this.#openSinceMs = atMs
  }

  /**
   * Merged while it was in no queue: removed as merged, or by hand some time later. GitHub tells of removals
   * that were none; then the queue goes on testing it.
   */
  #merged(atMs: number): void {
    const last = this.#attempts.at(-1)
    if (last?.end !== 'removed' || last.isPushedAfter) return
    const isCleanup = atMs - last.endedAtMs <= cleanupMs
    const isTestedLater = (this.#queue.lastTestMs ?? 0) > last.endedAtMs
    if (!isCleanup && !isTestedLater) return
    this.#attempts[this.#attempts.length - 1] = { ...last, end: 'merged', endedAtMs: atMs }
  }

  #end(end: Attempt['end'], endedAtMs: number, isByPerson = false): void {
    if (this.#openSinceMs === null) return
    const [atMs, isPushedAfter] = [this.#openSinceMs, this.#isPushed]
    this.#attempts.push({ kind: this.#kind, atMs, endedAtMs, end, isByPerson, isPushedAfter })
    this.#openSinceMs = null
    this.#isPushed = false
  }
}
