/** Who sends a request: a token without its secret. */

import type { Scope } from '../contract/scopes.ts'
import type { Repository } from '../identity/queue-ref.ts'
import { covers } from './repo-pattern.ts'

export type Caller = {
  readonly id: string
  readonly name: string
  readonly scope: Scope
  /** Null: all repositories. */
  readonly repos: readonly RegExp[] | null
  /** In milliseconds since 1970; null: never. */
  readonly expiresAt: number | null
}

/** False for a repository of which the caller may not even learn that it exists. */
export function sees({ repos }: Caller, repository: Repository): boolean {
  return covers(repos, repository)
}

export function isExpired({ expiresAt }: Caller, now: number): boolean {
  return expiresAt !== null && expiresAt <= now
}
