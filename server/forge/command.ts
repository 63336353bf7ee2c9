/** What people ask for in comments and by labels. */

import { priorityValue } from '../views/priority.ts'

export type CommentCommand =
  | { readonly is: 'submit'; readonly priority?: number; readonly noBatch?: boolean }
  | { readonly is: 'cancel' }
  | { readonly is: 'restart' }

const priorities = ['urgent', 'high', 'medium', 'low'] as const

/**
 * The command in a comment; null if it holds none. Only the first line counts, and only if it is exactly a
 * command: nobody commands by a quote, by code, or by talking about a command.
 */
export function commandIn(body: string): CommentCommand | null {
  const [line = ''] = body.split(/\r?\n/, 1)
  const [verb, ...options] = line.trimEnd().split(/ +/)
  if (verb === '/merge') return submission(options)
  if (options.length > 0) return null
  if (verb === '/cancel') return { is: 'cancel' }
  return verb === '/retry' ? { is: 'restart' } : null
}

function submission(options: readonly string[]): CommentCommand | null {
  const named = options.flatMap((option) => priorities.find((name) => name === option) ?? [])
  const isAlone = options.includes('alone')
  const isKnown = options.every((option) => option === 'alone' || named.some((n) => n === option))
  if (!isKnown) return null
  const last = named.at(-1)
  return {
    is: 'submit',
    ...(last === undefined ? {} : { priority: priorityValue(last) }),
    ...(isAlone ? { noBatch: true } : {}),
  }
}
