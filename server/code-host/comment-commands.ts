/** The commands of people in comments: which comments are new, and what they ask for. */

import type { PullRequestNumber } from '../../engine/index.ts'
import { priorities, priorityValue } from '../views/pull-request.ts'
import type { CodeHostApi, Moment, Person } from './api.ts'

export type CommentCommand =
  | { readonly is: 'submit'; readonly priority?: number; readonly noBatch?: boolean }
  | { readonly is: 'cancel' }
  | { readonly is: 'restart' }

/** What begins as a command and is none; `words` say what is understood. */
type NotUnderstood = { readonly is: 'unknown'; readonly words: string }

/**
 * The command in a comment; null if it does not begin with one. Only the first line counts, and only if it is exactly
 * a command: nobody commands by a quote, by code, or by talking about a command. `/merge` is never advised: GitLab has
 * one of its own, which merges at once, past the queue.
 */
export function commandIn(body: string): CommentCommand | NotUnderstood | null {
  const [line = ''] = body.split(/\r?\n/, 1)
  const [verb, ...options] = line.trimEnd().toLowerCase().split(/ +/)
  if (verb === '/enqueue' || verb === '/merge') return submission(options) ?? notUnderstood(options)
  if (verb !== '/cancel' && verb !== '/retry') return null
  if (options.length > 0) return notUnderstood(options)
  return { is: verb === '/cancel' ? 'cancel' : 'restart' }
}

function notUnderstood(options: readonly string[]): NotUnderstood {
  const known = [...Object.keys(priorities), 'alone']
  const words = `${JSON.stringify(options.join(' ').slice(0, longestEcho))} is not understood: /enqueue, with ${known.join(', ')} or nothing behind it, /cancel and /retry are`
  return { is: 'unknown', words }
}

const longestEcho = 60

function submission(options: readonly string[]): CommentCommand | null {
  const named = options.filter((option) => Object.hasOwn(priorities, option))
  const isAlone = options.includes('alone')
  const isKnown = options.every((option) => option === 'alone' || named.includes(option))
  if (!isKnown) return null
  const last = named.at(-1)
  return {
    is: 'submit',
    ...(last === undefined ? {} : { priority: priorityValue(last) }),
    ...(isAlone ? { noBatch: true } : {}),
  }
}

export type Asked = {
  readonly comment: number
  readonly number: PullRequestNumber
  readonly by: Person
  readonly when: Moment
  readonly command: CommentCommand | NotUnderstood
}

/** Which comments were read. */
export type Read = {
  /** Comments that were updated before are known. Null: none was read yet. */
  readonly commentsSince: string | null
  /** The ids of comments grow; later edits of known comments are no commands. */
  readonly lastComment: number
}

/**
 * The commands since the last call, oldest first, and what is read now. Comments of bots never command, and an edit of a
 * known comment neither. What was said before the first call of all began to listen is over; `from`: an instant of the host.
 */
export async function newCommands(
  api: CodeHostApi,
  { commentsSince: since, lastComment: known }: Read,
  from: number,
): Promise<Read & { readonly asked: readonly Asked[] }> {
  if (since === null) {
    const commentsSince = secondOf(from)
    const earlier = await api.comments(secondOf(from - earlierMs))
    // Those of this second were said before too.
    const over = earlier.filter(({ createdAt }) => createdAt <= commentsSince)
    const lastComment = Math.max(0, ...over.map(({ id }) => id))
    return newCommands(api, { commentsSince, lastComment }, from)
  }
  const asked: Asked[] = []
  let [latest, last] = [since, known]
  for (const { id, number, by, isByBot, body, ...comment } of await api.comments(since)) {
    if (comment.updatedAt > latest) latest = comment.updatedAt
    if (id <= known || comment.createdAt < since) continue
    last = Math.max(last, id)
    const command = isByBot ? null : commandIn(body)
    if (command) asked.push({ comment: id, number, by, when: comment.when, command })
  }
  asked.sort((a, b) => a.comment - b.comment)
  return { commentsSince: latest, lastComment: last, asked }
}

const earlierMs = 60_000

/** The instants of hosts, without milliseconds. */
export function secondOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`
}
