/** The curl command that applies a setting to a running server. */

import type { Assignments } from './axes.ts'

/** The server and the queue on it. */
export type QueueAddress = {
  readonly server: string
  readonly repo: { readonly host: string; readonly owner: string; readonly name: string }
  readonly branch: string
  /** True if the command did not name the branch. */
  readonly isUsualBranch?: boolean
}

const prefix = 'queue.'

/**
 * Returns the command for a POSIX shell. The shell reads the token from the environment, so the
 * command does not contain it. Returns null if no assignment is a setting of the queue.
 */
export function curlLine(assignments: Assignments, address: QueueAddress): string | null {
  const set = Object.entries(assignments).flatMap(([path, value]) =>
    path.startsWith(prefix) ? [[path.slice(prefix.length), value] as const] : [],
  )
  if (set.length === 0) return null
  const { server, repo, branch } = address
  const body = { repo, targetBranch: branch, ...Object.fromEntries(set) }
  return [
    'curl -fsS -X POST',
    quoted(`${server.replace(/\/+$/, '')}/v1/updateQueue`),
    '-H "x-api-token: $MERGEYARD_TOKEN"',
    "-H 'content-type: application/json'",
    `-d ${quoted(JSON.stringify(body))}`,
  ].join(' ')
}

/** Quotes a text as one word for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
