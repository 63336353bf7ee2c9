/** A request to GitHub that failed, for people: without headers, bodies and credentials. */

export class GitHubFailed extends Error {
  override readonly name = 'GitHubFailed'
  /** 0: there was no answer. */
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** Shapes of the credentials of GitHub, in any text. */
const secrets =
  /\b(?:gh[a-z]_\w{16,}|github_pat_\w{16,})|\beyJ[\w-]+\.[\w-]+\.[\w-]+|\b(?:token|bearer|basic)\s+[\w+/=.-]{16,}/gi

export function withoutSecrets(text: string): string {
  return text.replaceAll(secrets, '[secret]')
}

/** The failure of a request, from whatever was thrown. */
export function failureOf(what: string, fault: unknown): GitHubFailed {
  if (fault instanceof GitHubFailed) return fault
  const status = statusOf(fault)
  const words = fault instanceof Error ? fault.message : String(fault)
  const answered = status === 0 ? 'GitHub does not answer' : `GitHub answers ${status}`
  return new GitHubFailed(withoutSecrets(`${what}: ${answered}: ${words}`), status)
}

function statusOf(fault: unknown): number {
  if (!(fault instanceof Error) || !('status' in fault)) return 0
  // Octokit gives 500 to a request that got no answer; then it has no response.
  const isAnswered = 'response' in fault && fault.response !== undefined
  return isAnswered ? Number(fault.status) : 0
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

/** True if GitHub allows no more requests for a while. */
export function isLimited(fault: unknown): boolean {
  return fault instanceof GitHubFailed && fault.status === 429
}

/** True if GitHub says that there is no such thing, or that it is not to be seen. */
export function isMissing(fault: unknown): boolean {
  return fault instanceof GitHubFailed && (fault.status === 404 || fault.status === 410)
}

/** True if the credentials do not allow it. */
export function isForbidden(fault: unknown): boolean {
  return fault instanceof GitHubFailed && (fault.status === 403 || fault.status === 401)
}
