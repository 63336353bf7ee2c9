/** A request to a code host that failed, for people: without headers, bodies and credentials. */

import { ownerOf } from '../faults/owners.ts'

export class ForgeFailed extends Error {
  override readonly name = 'ForgeFailed'
  /** 0: there was no answer. */
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** True if a request about one pull request failed by something that concerns no other: it is said there. */
export function concernsOne(fault: unknown): fault is ForgeFailed {
  if (!(fault instanceof ForgeFailed)) return false
  const { status, message: words } = fault
  return ownerOf({ attempt: 'request', status, words }) === 'pull request'
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
