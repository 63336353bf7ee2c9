/** The summary of an import, from which a user can judge whether it is right. */

import { columns, count, duration, several, share } from '../../server/terminal/text.ts'
import type { Imported } from './imported.ts'
import { percentile } from './lengths.ts'
import { percent } from './percent.ts'

export function importSummary(found: Imported, file: string): string {
  const { scenario, facts } = found
  const all = scenario.pullRequests ?? []
  const days = Math.max(1, (facts.lastAtMs - facts.firstAtMs) / 86_400_000)
  const rows = [
    [
      '  pull requests',
      `${count(all.length)}, ${(all.length / days).toFixed(1)} a day from ${dayOf(facts.firstAtMs)} to ${dayOf(facts.lastAtMs)}`,
    ],
    ...facts.habits.map((habit, index) => [index === 0 ? '  landed by' : '', habit]),
    ['  busiest hours', busiestOf(facts.byHour)],
    ...(scenario.measured?.some(({ what }) => what === 'submitted') ? [] : figuresOf(found)),
  ]
  const measured = (scenario.measured ?? []).map(({ what, value, samples }) => [
    `  ${what}`,
    value,
    samples,
  ])
  const assumed = (scenario.assumed ?? []).flatMap(({ what, value, replace }) => [
    [`  ${what}`, value],
    ['', `replace by: ${replace}`],
  ])
  const blocks = [
    columns(rows),
    ...(measured.length === 0 ? [] : [`measured\n${columns(measured)}`]),
    `assumed\n${columns(assumed)}`,
  ]
  return `${scenario.name}   ${several(all.length, 'pull request')}\n\n${blocks.join('\n')}\nwritten  ${file}\n`
}

/** What a history is about that has no list of measured figures. */
function figuresOf({ scenario, facts }: Imported): string[][] {
  const all = scenario.pullRequests ?? []
  const breaking = all.filter(({ breaks }) => breaks).length
  const targets = new Set(
    all.flatMap((each) => (typeof each.targets === 'object' ? each.targets : [])),
  )
  const measured = facts.minutes.filter((each) => each > 0)
  return [
    ['  breaking', `${count(breaking)}, ${percent(breaking, all.length)}`],
    ['  flaked', facts.flaked === null ? 'not known' : count(facts.flaked)],
    [
      '  runs take',
      measured.length === 0
        ? 'not known'
        : `half below ${duration(percentile(measured, 50))}, 95 % below ${duration(percentile(measured, 95))}`,
    ],
    ['  targets', targets.size === 0 ? 'none' : count(targets.size)],
  ]
}

function busiestOf(byHour: readonly number[]): string {
  const all = byHour.reduce((sum, each) => sum + each, 0)
  const busiest = byHour
    .map((howMany, hour) => ({ howMany, hour }))
    .filter(({ howMany }) => howMany > 0)
    .sort((a, b) => b.howMany - a.howMany || a.hour - b.hour)
    .slice(0, 3)
  return busiest
    .map(({ howMany, hour }) => `${String(hour).padStart(2, '0')} h UTC ${share(howMany, all)}`)
    .join(', ')
}

const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10)
