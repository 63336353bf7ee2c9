/** The text output of a campaign. */

import type { Colors } from 'picocolors/types.js'
import {
  missedCoverageMarks,
  type CampaignDocument,
  type SeedFailures,
} from '../../../../sim/campaign/document.ts'
import {
  aggregateText,
  reportedIn,
  withoutIntervals,
} from '../../../../sim/campaign/reported-figures.ts'
import { judgedText } from '../../../../sim/campaign/judged-totals.ts'
import { storyOf } from '../../../../sim/judge/story.ts'
import { columns, count, several } from '../../../../sim/terminal/text.ts'

type CampaignTextOptions = {
  /** The seeds that were run, and their share of the requested seeds. */
  readonly ran: string
  readonly colors: Colors
}

export function campaignText(
  document: CampaignDocument,
  { ran, colors }: CampaignTextOptions,
): string {
  const head = `${colors.bold(document.scenario)}   ${ran}\n\n`
  if (document.seeds === 0) return `${head}No seed was run, so there is no result.\n`
  const stories = document.failures.slice(0, failuresShown).map(failureText)
  const missed = missedCoverageMarks(document)
  const faults = [
    ...(document.failures.length > 0 ? [failingText(document)] : []),
    ...missed.map((name) => `never reached: ${name}`),
  ]
  const checks = document.properties.reduce((sum, { checked }) => sum + checked, 0)
  const verdict =
    faults.length === 0
      ? `${colors.green('holds')}  ${several(checks, 'check')}\n`
      : `${colors.red('DOES NOT HOLD')}  ${faults.join('\n               ')}\n`
  return `${head}${tableOf(document)}${coverageText(document)}${judgedTable(document)}${stories.join('')}\n${verdict}`
}

const failuresShown = 5

function failureText({ seed, failures: [first], replay }: SeedFailures): string {
  return `\nseed ${seed}\n${first ? storyOf(first) : ''}\nreproduce with ${replay}\n`
}

function failingText({ failures }: CampaignDocument): string {
  return `in ${several(failures.length, 'run')}: seeds ${failures.map(({ seed }) => seed).join(', ')}`
}

function tableOf(document: CampaignDocument): string {
  const rows = reportedIn(document).map(({ figure: { name, unit }, found }) => {
    const { mean, interval, least, most } = aggregateText(found, unit)
    return [name, mean, interval, least, most]
  })
  const table = columns([['', 'mean', '95 % interval', 'minimum', 'maximum'], ...rows], [1, 3, 4])
  const note = withoutIntervals(document)
  return note === '' ? table : `${table}${note}\n`
}

/** The number of runs that reached each coverage mark, two marks per line. */
function coverageText({ marks = [] }: CampaignDocument): string {
  if (marks.length === 0) return ''
  const half = Math.ceil(marks.length / 2)
  const cells = marks.map(({ name, runs }) => [name, count(runs)])
  const rows = cells
    .slice(0, half)
    .map((cell, row) => [...cell, '  ', ...(cells[half + row] ?? [])])
  return `\n${columns([['reached in runs', ''], ...rows], [1, 4])}`
}

/** How much each property has judged: a property that is off in half of the runs shows here. */
function judgedTable(document: CampaignDocument): string {
  if (document.seeds === 0) return ''
  const rows = document.properties.map((property) => {
    const { runs, events, checks } = judgedText(property, document)
    return [property.name, runs, events, count(property.checked), checks]
  })
  const head = ['judged', 'runs', 'events', 'checks', 'of those due']
  return `\n${columns([head, ...rows], [1, 2, 3, 4])}`
}
