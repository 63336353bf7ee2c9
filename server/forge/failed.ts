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

/** True for a request that the host answered with one of these. */
export function hasStatus(...statuses: readonly number[]): (fault: unknown) => boolean {
  return (fault) => fault instanceof ForgeFailed && statuses.includes(fault.status)
}

/** True if the host allows no more requests for a while. */
export const isLimited = hasStatus(429)

/** True if the host says that there is no such thing, or that it is not to be seen. */
export const isMissing = hasStatus(404, 410)

/** True if the credentials do not allow it. */
export const isForbidden = hasStatus(401, 403)

/** True if one of both. */
export const isHidden = hasStatus(401, 403, 404, 410)

/** For `catch`: what stands for a request that failed so. Others are thrown on. */
export function orElse<Value>(
  is: (fault: unknown) => boolean,
  value: Value,
): (fault: unknown) => Value {
  return (fault) => {
    if (is(fault)) return value
    throw fault
  }
}
