/** The options that limit a token to a part: some repositories, and some time. */

import { readRepoPattern } from '../../../server/auth/repo-pattern.ts'
import type { TokenLimits } from '../../../server/auth/tokens.ts'
import type { OptionTable, ParsedOptions } from '../../../terminal/options.ts'

export const limitTable = {
  repo: {
    kind: 'value',
    value: 'patterns',
    help: 'only these repositories, separated by commas: acme/shop, acme/*, gitlab.com/acme/** (default: all)',
  },
  expires: {
    kind: 'value',
    value: 'time',
    help: 'stop working then: 30d, 12h, a date like 2027-01-31, or a time like 2027-01-31T12:00Z (default: never)',
  },
} as const satisfies OptionTable

type Limits = Pick<ParsedOptions<typeof limitTable>, 'text' | 'fault'>

/** Throws `BadInput` for an option that is not valid. */
export function limitsOf(parsed: Limits, now: Date): TokenLimits {
  const repos = reposOf(parsed)
  const expiresAt = expiryOf(parsed, now)
  return {
    ...(repos === null ? {} : { repos }),
    ...(expiresAt === null ? {} : { expiresAt }),
  }
}

function reposOf(parsed: Limits): string[] | null {
  const repos = parsed.text('repo')?.split(',') ?? null
  if (repos === null || repos.every((repo) => readRepoPattern(repo) !== null)) return repos
  throw parsed.fault('repo', 'patterns like acme/shop, acme/* or gitlab.com/acme/**')
}

const hourMs = 60 * 60_000
const unitMs = { h: hourMs, d: 24 * hourMs } as const

function expiryOf(parsed: Limits, now: Date): string | null {
  const text = parsed.text('expires')
  if (text === null) return null
  const time = timeIn(text, now.getTime())
  if (time !== null && time > now.getTime()) return new Date(time).toISOString()
  throw parsed.fault('expires', 'a time to come: 30d, 12h, 2027-01-31 or 2027-01-31T12:00Z')
}

/** A date begins at midnight UTC. Null if the text is not a time. */
function timeIn(text: string, now: number): number | null {
  const { count, unit } = /^(?<count>[1-9]\d{0,4})(?<unit>[dh])$/.exec(text)?.groups ?? {}
  if (count !== undefined) return now + Number(count) * unitMs[unit === 'h' ? 'h' : 'd']
  const isTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/
  const time = isTime.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? null : time
}
