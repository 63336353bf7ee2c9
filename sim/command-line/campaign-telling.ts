/** A campaign, told to a person. */

import type { Colors } from 'picocolors/types.js'
import { missedMarks, type CampaignDocument, type SeedFailures } from '../campaign/document.ts'
import { aggregateWords, toldFigures } from '../campaign/told-figures.ts'
import { storyOf } from './story.ts'
import { columns, count, several } from './text.ts'

type Telling = {
  readonly isShard: boolean
  /** Which seeds were run, and how much that is of what was wanted. */
  readonly ran: string
  readonly colors: Colors
}

export function campaignTelling(
  document: CampaignDocument,
  { isShard, ran, colors }: Telling,
): string {
  const head = `${colors.bold(document.scenario)}   ${ran}\n\n`
  const stories = document.failures.slice(0, failuresTold).map(failureText)
  const missed = isShard ? [] : missedMarks(document)
  const faults = [
    ...(document.failures.length > 0 ? [failingText(document)] : []),
    ...missed.map((name) => `never met: ${name}`),
  ]
  const checks = document.properties.reduce((sum, { checked }) => sum + checked, 0)
  const verdict =
    faults.length === 0
      ? `${colors.green('holds')}  ${several(checks, 'check')}\n`
      : `${colors.red('DOES NOT HOLD')}  ${faults.join('\n               ')}\n`
  return `${head}${tableOf(document)}${marksText(document)}${stories.join('')}\n${verdict}`
}

const failuresTold = 5

function failureText({ seed, failures: [first], replay }: SeedFailures): string {
  return `\nseed ${seed}\n${first ? storyOf(first) : ''}\nshow it again  ${replay}\n`
}

function failingText({ failures }: CampaignDocument): string {
  return `in ${several(failures.length, 'run')}: seeds ${failures.map(({ seed }) => seed).join(', ')}`
}

function tableOf({ aggregate }: CampaignDocument): string {
  const rows = toldFigures.flatMap(({ name, path, unit }) => {
    const found = aggregate[path]
    if (!found) return []
    const { mean, interval, least, most } = aggregateWords(found, unit)
    return [[name, mean, interval, least, most]]
  })
  return columns([['', 'mean', '95 % interval', 'least', 'most'], ...rows], [1, 3, 4])
}

/** In how many runs each situation was met, two to a line. */
function marksText({ marks = [] }: CampaignDocument): string {
  if (marks.length === 0) return ''
  const half = Math.ceil(marks.length / 2)
  const cells = marks.map(({ name, runs }) => [name, count(runs)])
  const rows = cells
    .slice(0, half)
    .map((cell, row) => [...cell, '  ', ...(cells[half + row] ?? [])])
  return `\n${columns([['met in runs', ''], ...rows], [1, 4])}`
}
