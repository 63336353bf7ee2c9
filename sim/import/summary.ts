/** The summary of an import, from which a user can judge whether it is right. */

import { columns, count, duration, several, share } from '../terminal/text.ts'
import type { Imported } from './imported.ts'
import { percentile } from './lengths.ts'

export function importSummary({ scenario, assumptions, facts }: Imported, file: string): string {
  const all = scenario.pullRequests ?? []
  const days = Math.max(1, (facts.lastAtMs - facts.firstAtMs) / 86_400_000)
  const breaking = all.filter(({ breaks }) => breaks).length
  const flaking = all.filter(({ flakyRuns }) => flakyRuns !== undefined).length
  const targets = new Set(
    all.flatMap((each) => (typeof each.targets === 'object' ? each.targets : [])),
  )
  const lengths =
    facts.minutes.length > 0 ? facts.minutes : all.flatMap((each) => each.testMinutes ?? [])
  const rows = [
    [
      '  pull requests',
      `${count(all.length)}, ${(all.length / days).toFixed(1)} a day from ${dayOf(facts.firstAtMs)} to ${dayOf(facts.lastAtMs)}`,
    ],
    ['  busiest hours', busiestOf(facts.byHour)],
    ['  breaking', `${count(breaking)}, ${share(breaking, all.length)}`],
    ['  flaked', count(flaking)],
    [
      '  runs take',
      lengths.length === 0
        ? 'unknown'
        : `half below ${duration(percentile(lengths, 50))}, 95 % below ${duration(percentile(lengths, 95))}`,
    ],
    ['  targets', targets.size === 0 ? 'none' : count(targets.size)],
  ]
  const assumed = assumptions.map((each) => `  ${each}\n`).join('')
  return `${scenario.name}   ${several(all.length, 'pull request')}\n\n${columns(rows)}\nassumed\n${assumed}\nwritten  ${file}\n`
}

function busiestOf(byHour: readonly number[]): string {
  const all = byHour.reduce((sum, each) => sum + each, 0)
  const busiest = byHour
    .map((howMany, hour) => ({ howMany, hour }))
    .sort((a, b) => b.howMany - a.howMany || a.hour - b.hour)
    .slice(0, 3)
  return busiest
    .map(({ howMany, hour }) => `${String(hour).padStart(2, '0')} h UTC ${share(howMany, all)}`)
    .join(', ')
}

const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10)
