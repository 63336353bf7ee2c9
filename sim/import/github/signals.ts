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
  // One wish, named after the method of the merge.
  auto_squash_enabled: ['begin', 'auto-merge'],
  auto_rebase_enabled: ['begin', 'auto-merge'],
  auto_merge_disabled: ['end', 'auto-merge'],
}

function signalOf(item: TimelineItem, atMs: number, queueLabel: string | null): Signal | null {
  const { event = '', sha = null, commit_id: commit = null } = item
  const seen = { item, atMs }
  const [is, kind] = simple[event] ?? []
  if (is && kind) return wish(is, kind, seen)
  if (event === 'committed') return { is: 'push', atMs, sha }
  if (event === 'head_ref_force_pushed') return { is: 'push', atMs, sha: commit }
  return wishes[event]?.(seen, queueLabel) ?? null
}

/** Events that are a wish, or none, by what else they say. */
const wishes: Readonly<Record<string, (seen: Seen, queueLabel: string | null) => Signal | null>> = {
  reviewed: (seen) =>
    seen.item.state?.toLowerCase() === 'approved' ? wish('begin', 'approval', seen) : null,
  labeled: (seen, label) =>
    isQueueLabel(seen.item.label?.name, label) ? wish('begin', 'label', seen) : null,
  unlabeled: (seen, label) =>
    isQueueLabel(seen.item.label?.name, label) ? wish('end', 'label', seen) : null,
  commented: (seen) => commandOf(seen),
}

function commandOf(seen: Seen): Signal | null {
  const command = commandIn(seen.item.body ?? '')
  if (command === null) return null
  return wish(command === 'submit' ? 'begin' : 'end', 'comment', seen)
}

type Seen = { readonly item: TimelineItem; readonly atMs: number }

function wish(is: 'begin' | 'end', kind: SubmissionKind, { item, atMs }: Seen): Signal {
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
