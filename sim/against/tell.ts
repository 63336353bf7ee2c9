/** What a recording and its what-ifs are told in: one table, and a verdict. */

import { columns, count, duration, several } from '../command-line/text.ts'
import type { PropertyResult } from '../findings.ts'
import type { Figures } from '../result/result-document.ts'
import type { Exactness } from './replay.ts'
import type { Recording } from './recording.ts'

type Row = readonly [name: string, text: (figures: Figures) => string]

const rows: readonly Row[] = [
  ['merged', ({ totals }) => count(totals.merged)],
  ['failed', ({ totals }) => count(totals.failed)],
  ['cancelled', ({ totals }) => count(totals.cancelled)],
  ['time in queue, half below', ({ timeInQueueMinutes }) => duration(timeInQueueMinutes.p50)],
  ['time in queue, 95 % below', ({ timeInQueueMinutes }) => duration(timeInQueueMinutes.p95)],
  ['until a test run, 95 % below', ({ waitMinutes }) => duration(waitMinutes.p95)],
  ['test runs', ({ totals }) => count(totals.testRuns)],
  ['in bisections', ({ totals }) => count(totals.bisectionRuns)],
  ['saved by the cache', ({ totals }) => count(totals.runsSaved)],
  ['per merge', ({ runsPerMerge }) => (runsPerMerge === null ? 'none' : runsPerMerge.toFixed(2))],
  ['restarts', ({ totals }) => count(totals.restarts)],
  ['CI time', ({ totals }) => duration(totals.testMinutes)],
  ['wasted', ({ totals }) => duration(sum(totals.wastedMinutes))],
  ['merged unproven', ({ totals }) => count(sum(totals.unprovenMerges))],
]

export type Column = { readonly name: string; readonly figures: Figures }

/** A row for each figure, a column for each way it went or could have gone. */
export function tableOf(told: readonly Column[]): string {
  const head = ['', ...told.map(({ name }) => name)]
  const body = rows.map(([name, text]) => {
    return [`  ${name}`, ...told.map(({ figures }) => text(figures))]
  })
  return columns(
    [head, ...body],
    told.map((_column, index) => index + 1),
  )
}

/** Which queue, from when to when. */
export function headOf({ name, begin, entries }: Recording): string {
  const from = new Date(begin.at).toISOString()
  const to = new Date(entries.at(-1)?.at ?? begin.at).toISOString()
  const start = begin.isWhole
    ? ''
    : '\nWhat came before is not kept any more; it begins at a snapshot.'
  return `${name}   recorded from ${from} to ${to}${start}\n`
}

/** Whether it was replayed as it happened, and held. */
export function verdictOf(
  { commands, snapshots, fault }: Exactness,
  properties: readonly PropertyResult[],
): string {
  if (fault !== null) return `DIFFERS  ${fault}\n`
  const against = snapshots === 0 ? '' : `, ${several(snapshots, 'snapshot')} found the same`
  return `exact  ${several(commands, 'command')} replayed${against}\n${watchedText(properties)}`
}

function watchedText(properties: readonly PropertyResult[]): string {
  if (properties.length === 0)
    return 'no property watched: none can follow what begins in the middle\n'
  const checked = properties.filter((each) => each.checked > 0)
  const checks = checked.reduce((total, each) => total + each.checked, 0)
  const broken = properties.flatMap(({ violations }) => violations)
  const watched = `${count(checked.length)} properties, ${several(checks, 'check')}`
  if (broken.length === 0) return `holds  ${watched}\n`
  const stories = broken.map(({ property, story }) => `BROKEN  ${property}\n  ${story}\n`)
  return `DOES NOT HOLD  ${watched}\n${stories.slice(0, storiesShown).join('')}`
}

const storiesShown = 5

function sum(parts: Readonly<Record<string, number>>): number {
  return Object.values(parts).reduce((total, part) => total + part, 0)
}
