/** What a timeline says about when a pull request was submitted, and when it was taken out again. */

import type { Pull, TimelineItem, User } from './records.ts'

// Labels that submit a pull request.

/** What queues and bots use by default; case, spaces, dashes and underscores do not matter. */
const usual = new Set(['automerge', 'mergequeue', 'queue', 'readytomerge', 'mergewhengreen'])

/** `wanted` is the label of the team, if it has another. */
function isQueueLabel(name: string | undefined, wanted: string | null): boolean {
  if (name === undefined) return false
  return (
    name === wanted || (wanted === null && usual.has(name.toLowerCase().replaceAll(/[\s_:-]/g, '')))
  )
}

/** What tells that a pull request was submitted; the more exact one comes first. */
export const submissionKinds = [
  'merge queue',
  'comment',
  'label',
  'first test in the queue',
  'auto-merge',
  'approval',
  'landing',
] as const

export type SubmissionKind = (typeof submissionKinds)[number]

export type Signal =
  | { readonly is: 'begin'; readonly atMs: number; readonly kind: SubmissionKind }
  | {
      readonly is: 'end'
      readonly atMs: number
      readonly kind: SubmissionKind
      readonly isByPerson: boolean
    }
  | { readonly is: 'push'; readonly atMs: number; readonly sha: string | null }
  | { readonly is: 'merged' | 'closed'; readonly atMs: number }

/** Returns the signals in order of time. `queueLabel`: a label that submits, beside the usual ones. */
export function signalsOf(
  pull: Pull,
  timeline: readonly TimelineItem[],
  queueLabel: string | null,
): Signal[] {
  const { merged_at: mergedAt, closed_at: closedAt } = pull
  const endedAt = mergedAt ?? closedAt
  const endMs = endedAt === null ? Infinity : Date.parse(endedAt)
  const times = timesOf(timeline, Date.parse(pull.created_at), endMs)
  const found = timeline.flatMap((item, index): Signal[] => {
    const signal = signalOf(item, times[index] ?? endMs, queueLabel)
    return signal ? [signal] : []
  })
  const is = mergedAt === null ? 'closed' : 'merged'
  const end: Signal[] = endedAt === null ? [] : [{ is, atMs: endMs }]
  // The queue removes what it has merged in the same second, so the merge comes first.
  return [...end, ...found].toSorted((a, b) => a.atMs - b.atMs)
}

/**
 * When each item happened. The clock of a commit is that of its author, and it may have been made long
 * before it was pushed: it counts between the events around it.
 */
function timesOf(timeline: readonly TimelineItem[], beginMs: number, endMs: number): number[] {
  const told = timeline.map(({ created_at: created, submitted_at: submitted }) => {
    const at = created ?? submitted
    return at === undefined ? null : Date.parse(at)
  })
  let lastMs = beginMs
  return timeline.map(({ committer }, index) => {
    const known = told[index]
    const nextMs = told.slice(index).find((each) => each !== null) ?? Math.max(lastMs, endMs)
    const dateMs = committer === undefined ? lastMs : Date.parse(committer.date)
    const atMs = known ?? Math.min(Math.max(lastMs, dateMs), Math.max(lastMs, nextMs))
    lastMs = Math.max(lastMs, atMs)
    return atMs
  })
}

/** Events that submit, or take out, whatever else they say. */
const simple: Readonly<Record<string, readonly [is: 'begin' | 'end', kind: SubmissionKind]>> = {
  added_to_merge_queue: ['begin', 'merge queue'],
  removed_from_merge_queue: ['end', 'merge queue'],
  auto_merge_enabled: ['begin', 'auto-merge'],
  // One request, named after the method of the merge.
  auto_squash_enabled: ['begin', 'auto-merge'],
  auto_rebase_enabled: ['begin', 'auto-merge'],
  auto_merge_disabled: ['end', 'auto-merge'],
}

function signalOf(item: TimelineItem, atMs: number, queueLabel: string | null): Signal | null {
  const { event = '', sha = null, commit_id: commit = null } = item
  const seen = { item, atMs }
  const [is, kind] = simple[event] ?? []
  if (is && kind) return request(is, kind, seen)
  if (event === 'committed') return { is: 'push', atMs, sha }
  if (event === 'head_ref_force_pushed') return { is: 'push', atMs, sha: commit }
  return requests[event]?.(seen, queueLabel) ?? null
}

/** Events that are a request, or none, by what else they say. */
const requests: Readonly<Record<string, (seen: Seen, queueLabel: string | null) => Signal | null>> =
  {
    reviewed: (seen) =>
      seen.item.state?.toLowerCase() === 'approved' ? request('begin', 'approval', seen) : null,
    labeled: (seen, label) =>
      isQueueLabel(seen.item.label?.name, label) ? request('begin', 'label', seen) : null,
    unlabeled: (seen, label) =>
      isQueueLabel(seen.item.label?.name, label) ? request('end', 'label', seen) : null,
    commented: (seen) => commandOf(seen),
  }

function commandOf(seen: Seen): Signal | null {
  const command = commandIn(seen.item.body ?? '')
  if (command === null) return null
  return request(command === 'submit' ? 'begin' : 'end', 'comment', seen)
}

type Seen = { readonly item: TimelineItem; readonly atMs: number }

function request(is: 'begin' | 'end', kind: SubmissionKind, { item, atMs }: Seen): Signal {
  if (is === 'begin') return { is, atMs, kind }
  return { is, atMs, kind, isByPerson: isPerson(item.actor ?? item.user ?? null) }
}

function isPerson(user: User): boolean {
  return user !== null && user.type !== 'Bot' && !user.login.endsWith('[bot]')
}

// Comments that submit a pull request to a merge queue, or take it out.

const submits = [
  // bors-ng; bors and homu of Rust
  /^bors:? (?:r\+|r=\S+|merge\b|retry\b)/,
  /^@(?:\w+-)?(?:bors|homu)(?:-servo)?:? .*\b(?:r\+|r=\S+|retry)(?:\s|$)/,
  /^@mergify(?:io)? (?:queue|requeue)\b/i,
  /^\/trunk merge\b/,
  /^\/(?:aviator merge|av merge)\b/,
  // Mergeyard
  /^\/merge(?: (?:urgent|high|low|alone))*$/,
]

const cancels = [
  /^bors:? (?:r-|merge-|cancel\b)/,
  /^@(?:\w+-)?(?:bors|homu)(?:-servo)?:? .*\b(?:r-|cancel)(?:\s|$)/,
  /^@mergify(?:io)? (?:unqueue|dequeue)\b/i,
  /^\/trunk cancel\b/,
  /^\/cancel$/,
]

/** What the comment commands; a quoted command is none. */
function commandIn(body: string): 'submit' | 'cancel' | null {
  for (const line of body.split('\n')) {
    const text = line.trimEnd()
    if (cancels.some((each) => each.test(text))) return 'cancel'
    if (submits.some((each) => each.test(text))) return 'submit'
  }
  return null
}

// How often a pull request was submitted, and how each time ended.

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

  /** The merge queue takes out by itself what was pushed to; elsewhere the request stays, for other commits. */
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
