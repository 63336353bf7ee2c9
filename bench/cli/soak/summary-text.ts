/** The text output of a soak. */

import type { Colors } from 'picocolors/types.js'
import type { SeedRange } from '../../../sim/random/seeds.ts'
import { kinds } from '../../../sim/soak/kinds.ts'
import { missedMarks, type SoakSummary } from '../../../sim/soak/summary.ts'
import { columns, count, several } from '../../../sim/terminal/text.ts'

const findingsShown = 5

/** Formats the summary. `time` is the duration of the soak; null if it is not known. */
export function soakText(summary: SoakSummary, time: string | null, colors: Colors): string {
  const ran = summary.ran.map(rangeText).join(', ')
  const head = [colors.bold('soak'), `seeds ${ran === '' ? 'none' : ran}`]
  const lines = [...head, several(summary.seeds, 'seed'), ...(time === null ? [] : [`in ${time}`])]
  const stories = summary.findings.slice(0, findingsShown).map(({ seed, story, replay }) => {
    return `\nseed ${seed}\n${story}\nreproduce with ${replay}\n`
  })
  return `${lines.join('   ')}\n\n${tableOf(summary)}${detectionText(summary)}${stories.join('')}\n${verdictOf(summary, colors)}`
}

function tableOf({ kinds: totals }: SoakSummary): string {
  const rows = kinds.map((kind) => {
    const { seeds, runs, checks, findings } = totals[kind]
    return [kind, ...[seeds, runs, checks, findings].map(count)]
  })
  return columns([['', 'seeds', 'runs', 'checks', 'findings'], ...rows], [1, 2, 3, 4])
}

/** Reached coverage marks and detected defects show that the soak is effective. */
function detectionText({ marks, planted }: SoakSummary): string {
  const reached = marks.filter(({ runs }) => runs > 0).length
  const all = planted.reduce((sum, each) => sum + each.planted, 0)
  const found = planted.reduce((sum, each) => sum + each.found, 0)
  return `\nmarks reached    ${reached} of ${marks.length}\ndefects found    ${count(found)} of ${count(all)}\n`
}

function verdictOf(summary: SoakSummary, colors: Colors): string {
  const { findings } = summary
  const seeds = findings.map(({ seed }) => seed).join(', ')
  const faults = [
    ...(findings.length > 0 ? [`in ${several(findings.length, 'seed')}: ${seeds}`] : []),
    ...missedMarks(summary).map((name) => `never reached: ${name}`),
  ]
  return faults.length === 0
    ? `${colors.green('holds')}\n`
    : `${colors.red('DOES NOT HOLD')}  ${faults.join('\n               ')}\n`
}

function rangeText({ from, to }: SeedRange): string {
  return from === to ? String(from) : `${from}..${to}`
}
