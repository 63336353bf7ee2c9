/** Who sends a request: a token without its secret. */

import type { Scope } from '../contract/scopes.ts'
import type { Repository } from '../identity/queue-ref.ts'

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

// The repositories that a token may use, as patterns:
//
//     acme/shop             this owner and name, on any host
//     github.com/acme/*     every repository of this owner on this host
//     gitlab.com/acme/**    also those in its nested groups
//
// The parts are separated by slashes. Two parts are owner and name; of three or more the first is the
// host. `*` stands for any text within a part, and `**` as a whole part for one part or more.

/** Returns null if `text` is not a pattern. */
export function readRepoPattern(text: string): RegExp | null {
  const parts = text.split('/')
  if (parts.length < 2 || parts.some((part) => !isPart(part))) return null
  const [host = '', ...path] = parts.length === 2 ? ['*', ...parts] : parts
  // Hosts are compared without regard to letter case, and a repository has its host in lower case.
  return new RegExp(`^${[host.toLowerCase(), ...path].map(partSource).join('/')}$`, 'u')
}

/** True if one of the patterns fits; null stands for all repositories. */
export function covers(
  patterns: readonly RegExp[] | null,
  { host, owner, name }: Repository,
): boolean {
  const text = `${host}/${owner}/${name}`
  return patterns === null || patterns.some((pattern) => pattern.test(text))
}

function isPart(part: string): boolean {
  return part !== '' && !/[\s\p{Cc}]/u.test(part) && (part === '**' || !part.includes('**'))
}

function partSource(part: string): string {
  if (part === '**') return '[^/]+(?:/[^/]+)*'
  const texts = part
    .split('*')
    .map((text) => text.replaceAll(/[.+?^${}()|[\]\\]/gu, String.raw`\$&`))
  return texts.join('[^/]*')
}
