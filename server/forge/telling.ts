/** The three things that are written on the host about a pull request. */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { ForgeApi } from './api.ts'
import { contextOf, stateLabels, tagOf, type News } from './news.ts'

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
