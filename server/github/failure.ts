/** What a request to GitHub failed by, from whatever Octokit threw: without headers, bodies and credentials. */

import { ForgeFailed } from '../forge/failed.ts'
import { messageOf } from '../terminal/text.ts'

/** Shapes of the credentials of GitHub, in any text. */
const secrets =
  /\b(?:gh[a-z]_\w{16,}|github_pat_\w{16,})|\beyJ[\w-]+\.[\w-]+\.[\w-]+|\b(?:token|bearer|basic)\s+[\w+/=.-]{16,}/gi

export function withoutSecrets(text: string): string {
  return text.replaceAll(secrets, '[secret]')
}

/** The failure of a request, from whatever was thrown. */
export function failureOf(what: string, fault: unknown): ForgeFailed {
  if (fault instanceof ForgeFailed) return fault
  const status = statusOf(fault) || statusInGraphql(fault)
  const words = messageOf(fault)
  const answered = status === 0 ? 'GitHub does not answer' : `GitHub answers ${status}`
  return new ForgeFailed(withoutSecrets(`${what}: ${answered}: ${words}`), status)
}

function statusOf(fault: unknown): number {
  if (!(fault instanceof Error) || !('status' in fault)) return 0
  // Octokit gives 500 to a request that got no answer; then it has no response.
  const isAnswered = 'response' in fault && fault.response !== undefined
  return isAnswered ? Number(fault.status) : 0
}

const graphqlStatuses: Readonly<Record<string, number>> = {
  NOT_FOUND: 404,
  FORBIDDEN: 403,
  INSUFFICIENT_SCOPES: 403,
  RATE_LIMITED: 429,
}

/** What GraphQL says in words, in the numbers of the other requests; 0: the fault is another one. */
function statusInGraphql(fault: unknown): number {
  const errors = fieldOf(fault, 'errors')
  if (!Array.isArray(errors)) return 0
  const [first]: unknown[] = errors
  return graphqlStatuses[String(fieldOf(first, 'type'))] ?? 422
}

/** The headers of the answer; none if there was no answer. */
export function headersOf(fault: unknown): Readonly<Record<string, unknown>> {
  const response = fieldOf(fault, 'response')
  return { ...recordOf(fieldOf(response, 'headers')) }
}

function fieldOf(value: unknown, name: string): unknown {
  return recordOf(value)[name]
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {}
}
