/** A request to a code host that failed, for people: without headers, bodies and credentials. */

export class ForgeFailed extends Error {
  override readonly name = 'ForgeFailed'
  /** 0: there was no answer. */
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/**
 * Answers that say something about the host, the credentials or the limit, whatever was asked: everybody
 * waits, and all of it is asked again. Every other answer to a request about one pull request, its commit or
 * a person belongs to that pull request: it is said there, and the others go on.
 */
const ofRepository: ReadonlySet<number> = new Set([
  0, // there was no answer
  401, // the token is not accepted
  429, // no more requests for a while
  502, // what stands before the host has no answer
  503,
  504,
])

/** True if a request about one pull request failed by something that concerns no other. */
export function concernsOne(fault: unknown): fault is ForgeFailed {
  return fault instanceof ForgeFailed && !ofRepository.has(fault.status)
}

/** True if the host allows no more requests for a while. */
export function isLimited(fault: unknown): boolean {
  return fault instanceof ForgeFailed && fault.status === 429
}

/** True if the host says that there is no such thing, or that it is not to be seen. */
export function isMissing(fault: unknown): boolean {
  return fault instanceof ForgeFailed && (fault.status === 404 || fault.status === 410)
}

/** True if the credentials do not allow it. */
export function isForbidden(fault: unknown): boolean {
  return fault instanceof ForgeFailed && (fault.status === 403 || fault.status === 401)
}
