/** The one command that sets a setting on a running server. */

import type { Assignments } from './axes.ts'

/** Which queue is meant. */
export type QueueAddress = {
  readonly server: string
  readonly repo: { readonly host: string; readonly owner: string; readonly name: string }
  readonly branch: string
}

const prefix = 'queue.'

/**
 * For a POSIX shell; the token comes from the environment and is never written down. Null where
 * nothing of it is a setting of the queue.
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

/** One word to a POSIX shell, whatever stands in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
