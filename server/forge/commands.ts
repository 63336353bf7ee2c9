/** Reads new comments of the repository, and finds the commands in them. */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { ForgeApi, Person } from './api.ts'
import { commandIn, type CommentCommand } from './command.ts'
import type { KeptMemory } from './memory.ts'

export type Asked = {
  readonly comment: number
  readonly number: PullRequestNumber
  readonly by: Person
  readonly command: CommentCommand
}

/**
 * The commands since the last call, oldest first. Comments of bots never command, and an edit of a known
 * comment neither. The first call of all reads nothing: what was said before is over.
 */
export async function newCommands(api: ForgeApi, file: KeptMemory, now: number): Promise<Asked[]> {
  const { commentsSince: since, lastComment: known } = file.memory
  if (since === null) {
    const at = now + api.clockAheadMs
    // Those of this second were said before too.
    const earlier = await api.comments(secondOf(at - earlierMs))
    const lastComment = Math.max(0, ...earlier.map(({ id }) => id))
    file.change({ commentsSince: secondOf(at), lastComment })
    return []
  }
  const asked: Asked[] = []
  let [latest, last] = [since, known]
  for (const { id, number, by, isByBot, body, createdAt, updatedAt } of await api.comments(since)) {
    if (updatedAt > latest) latest = updatedAt
    if (id <= known || createdAt < since) continue
    last = Math.max(last, id)
    const command = isByBot ? null : commandIn(body)
    if (command) asked.push({ comment: id, number, by, command })
  }
  file.change({ commentsSince: latest, lastComment: last })
  return asked.sort((a, b) => a.comment - b.comment)
}

const earlierMs = 60_000

/** The instants of hosts, without milliseconds. */
export function secondOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`
}
