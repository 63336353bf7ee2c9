/** Wording for the stories of violations. */

import type { Millis } from '../../engine/index.ts'

const minuteMs = 60_000

/** `pull request 7`, `pull requests 7, 8 and 9`, `no pull request`. */
export function pullRequests(numbers: readonly number[]): string {
  if (numbers.length === 0) return 'no pull request'
  return `${numbers.length === 1 ? 'pull request' : 'pull requests'} ${listed(numbers)}`
}

/** `run 7`, `runs 7 and 8`, `no run`. */
export function runs(ids: readonly number[]): string {
  if (ids.length === 0) return 'no run'
  return `${ids.length === 1 ? 'run' : 'runs'} ${listed(ids)}`
}

/** `minute 12.5`, to a thousandth. */
export function minute(at: Millis): string {
  return `minute ${Math.round((at / minuteMs) * 1000) / 1000}`
}

/** Longer lists are cut. */
const namedAtMost = 10

/** `7`, `7 and 8`, `7, 8 and 9`; of more than 10 the first 10, and how many more. */
export function listed(items: readonly (number | string)[]): string {
  const rest = items.length - namedAtMost
  const named = rest > 0 ? [...items.slice(0, namedAtMost), `${rest} more`] : items
  const last = named.at(-1)
  if (last === undefined) return 'none'
  return named.length === 1 ? `${last}` : `${named.slice(0, -1).join(', ')} and ${last}`
}
