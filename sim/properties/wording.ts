/** Wording for the stories of violations. */

import type { Millis } from '../../engine/index.ts'
import { toMinutes } from '../scenario/time.ts'

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
  return `minute ${Math.round(toMinutes(at) * 1000) / 1000}`
}

/** `7`, `7 and 8`, `7, 8 and 9`; a list of more than `most` is cut: `7, 8 and 12 more`. */
export function listed(items: readonly (number | string)[], most = 10): string {
  const rest = items.length > most ? items.length - most + 1 : 0
  const named = rest > 0 ? [...items.slice(0, most - 1), `${rest} more`] : items
  const last = named.at(-1)
  if (last === undefined) return 'none'
  return named.length === 1 ? `${last}` : `${named.slice(0, -1).join(', ')} and ${last}`
}
