/** The three things that are written on the host about a pull request. */

import type { Logger } from 'pino'
import type { PullRequestNumber } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import type { Mirror } from '../git/mirror.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { ForgeApi } from './api.ts'
import { ForgeFailed } from './failed.ts'
import { contextOf, type News, stateLabels, tagOf } from './news.ts'

export async function writeStatus(
  api: ForgeApi,
  queue: ManagedQueue,
  { head, status, description, url }: News,
): Promise<void> {
  await api.setStatus(head, { context: contextOf(queue), state: status, description, url })
}

type CommentToWrite = {
  readonly number: PullRequestNumber
  readonly news: News | null
  readonly refusal: string | undefined
  /** Why the pull request is closed by the queue; null if it is not. */
  readonly closed: string | null
  /** The comments that were found before, by pull request. */
  readonly known: Map<PullRequestNumber, number>
}

/** Edits the comment of the queue, or writes the first one. False: it says so already. */
export async function writeComment(
  api: ForgeApi,
  queue: ManagedQueue,
  { number, news, refusal, closed, known }: CommentToWrite,
): Promise<boolean> {
  const { targetBranch } = queue.ref
  const tag = tagOf(queue)
  const refused = `**Merge queue for \`${targetBranch}\`**: not done: ${refusal ?? ''}.`
  const parts = [news?.comment ?? tag, refusal === undefined ? [] : refused, closed ?? []]
  const body = parts.flat().join('\n\n')
  const found = known.has(number) ? null : await api.ownComment(number, tag)
  const id = known.get(number) ?? found?.id
  if (id !== undefined) {
    known.set(number, id)
    if (found?.body.trim() === body.trim()) return false
    if (await api.editComment(number, id, body)) return true
  }
  known.set(number, await api.addComment(number, body))
  return true
}

/** Leaves one of the labels of states on a pull request, or none. */
export async function writeLabel(
  api: ForgeApi,
  {
    number,
    label,
    has,
  }: {
    readonly number: PullRequestNumber
    readonly label: string | null
    readonly has: readonly string[]
  },
): Promise<void> {
  const others = new Set<string>(Object.values(stateLabels).filter((name) => name !== label))
  for (const name of has.filter((each) => others.has(each))) await api.removeLabel(number, name)
  if (label !== null && !has.includes(label)) await api.addLabel(number, label)
}

/** A pull request whose change is on the branch already, and which the host still shows as open. */
type Parts = { readonly api: ForgeApi; readonly mirror: Mirror }

/**
 * True if the host will not show it as merged by itself: it does so only when the commits of the pull request
 * are on the branch, and here only their change is.
 */
export async function isLeftOpen(
  { api, mirror }: Parts,
  {
    number,
    head,
    tip,
  }: { readonly number: PullRequestNumber; readonly head: Oid; readonly tip: Oid },
): Promise<boolean> {
  const pull = await api.pull(number)
  if (pull?.state !== 'open' || pull.head !== head) return false
  return !(await mirror.isAncestor(head, tip))
}

/** The reason that stands in the comment before the pull request is closed. */
export const whyClosed =
  'Its change was on the branch already, so the queue made no commit of it. The host shows a pull request as merged only if its own commits are on the branch, so this one is closed.'

/** Tells a host that does not see it by itself that a pull request has merged, and as which commit. */
type MarkingParts = {
  readonly queue: ManagedQueue
  readonly api: ForgeApi
  readonly mirror: Mirror
  readonly logger: Logger
}

type Merged = {
  readonly number: PullRequestNumber
  /** The head that was submitted: later commits have not merged. */
  readonly head: Oid
  readonly tip: Oid
}

const notAllowed = 405

/**
 * Marks a pull request that is still open as merged. The commit is the one that names it, if the queue knows it as its
 * own: the number in another may be somebody else's. A change that was on the branch already has none, and counts as
 * merged with the tip. False: the host does not allow it.
 */
export async function markMerged(
  { api, mirror, logger, queue }: MarkingParts,
  { number, head, tip }: Merged,
): Promise<boolean> {
  const { merging } = api
  if (merging.by !== 'mark') return true
  const pull = await api.pull(number)
  if (pull?.state !== 'open' || pull.head !== head) return true
  const own = new Set(queue.history.tips.values())
  const commit = (await mirror.landingsOf(number, tip)).find((each) => own.has(each)) ?? tip
  try {
    await merging.mark(number, commit)
    return true
  } catch (error) {
    if (!(error instanceof ForgeFailed) || error.status !== notAllowed) throw error
    const words = `${api.forge} does not allow to mark pull requests as merged: allow it in the settings of the repository`
    logger.warn({ err: error, number }, words)
    return false
  }
}
