/** What a timeline says about when a pull request was submitted, and when it was taken out again. */

import { commandIn } from './comment-commands.ts'
import { isQueueLabel } from './queue-labels.ts'
import type { Pull, TimelineItem, User } from './records.ts'

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
  let lastMs = Date.parse(pull.created_at)
  const found = timeline.flatMap((item): Signal[] => {
    const told = item.created_at ?? item.submitted_at ?? item.committer?.date
    const toldMs = told === undefined ? lastMs : Date.parse(told)
    // A commit may have been made long before it was pushed.
    const atMs = item.event === 'committed' ? Math.max(lastMs, toldMs) : toldMs
    lastMs = Math.max(lastMs, atMs)
    const signal = signalOf(item, atMs, queueLabel)
    return signal ? [signal] : []
  })
  const { merged_at: mergedAt, closed_at: closedAt } = pull
  const end: Signal[] = []
  if (mergedAt !== null) end.push({ is: 'merged', atMs: Date.parse(mergedAt) })
  else if (closedAt !== null) end.push({ is: 'closed', atMs: Date.parse(closedAt) })
  // The queue removes what it has merged in the same second, so the merge comes first.
  return [...end, ...found].toSorted((a, b) => a.atMs - b.atMs)
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
