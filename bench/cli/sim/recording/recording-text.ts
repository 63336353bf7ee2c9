/** The text output of a replay: a table of figures, and a verdict. */

import { columns, count, duration, several } from '../../../../sim/terminal/text.ts'
import type { PropertyResult } from '../../../../sim/observe/findings.ts'
import type { Figures } from '../../../../sim/result/result-document.ts'
import type { Exactness } from '../../../../sim/replay/replay.ts'
import type { Recording } from '../../../../sim/replay/recording.ts'

type FigureRow = readonly [name: string, text: (figures: Figures) => string]

const rows: readonly FigureRow[] = [
  ['merged', ({ totals }) => count(totals.merged)],
  ['failed', ({ totals }) => count(totals.failed)],
  ['cancelled', ({ totals }) => count(totals.cancelled)],
  ['time in queue, median', ({ timeInQueueMinutes }) => duration(timeInQueueMinutes.p50)],
  ['time in queue, p95', ({ timeInQueueMinutes }) => duration(timeInQueueMinutes.p95)],
  ['wait for first run, p95', ({ waitMinutes }) => duration(waitMinutes.p95)],
  ['test runs', ({ totals }) => count(totals.testRuns)],
  ['in bisections', ({ totals }) => count(totals.bisectionRuns)],
  ['saved by the cache', ({ totals }) => count(totals.runsSaved)],
  ['per merge', ({ runsPerMerge }) => (runsPerMerge === null ? 'none' : runsPerMerge.toFixed(2))],
  ['restarts', ({ totals }) => count(totals.restarts)],
  ['CI time', ({ totals }) => duration(totals.testMinutes)],
  ['wasted', ({ totals }) => duration(sum(totals.wastedMinutes))],
  ['unproven merges', ({ totals }) => count(sum(totals.unprovenMerges))],
]

export type Column = { readonly name: string; readonly figures: Figures }

/** Returns a table with one row per figure and one column per run. */
export function tableOf(shownColumns: readonly Column[]): string {
  const head = ['', ...shownColumns.map(({ name }) => name)]
  const body = rows.map(([name, text]) => {
    return [`  ${name}`, ...shownColumns.map(({ figures }) => text(figures))]
  })
  return columns(
    [head, ...body],
    shownColumns.map((_column, index) => index + 1),
  )
}

/** Returns the name and the time range of a recording. */
export function headOf({ name, begin, entries }: Recording): string {
  const from = new Date(begin.at).toISOString()
  const to = new Date(entries.at(-1)?.at ?? begin.at).toISOString()
  const start = begin.isWhole
    ? ''
    : '\nEarlier commands are no longer kept; the recording starts at a snapshot.'
  return `${name}   recorded from ${from} to ${to}${start}\n`
}

/** Returns whether the replay was exact, and whether the properties held. */
export function verdictOf(
  { commands, snapshots, fault }: Exactness,
  properties: readonly PropertyResult[],
): string {
  if (fault !== null) return `DIFFERS  ${fault}\n`
  const snapshotsText = snapshots === 0 ? '' : `, ${several(snapshots, 'snapshot')} matched`
  return `exact  ${several(commands, 'command')} replayed${snapshotsText}\n${propertiesText(properties)}`
}

function propertiesText(properties: readonly PropertyResult[]): string {
  if (properties.length === 0)
    return 'no property was checked: properties need a recording that starts with the creation of the queue\n'
  const checked = properties.filter((each) => each.checked > 0)
  const checks = checked.reduce((total, each) => total + each.checked, 0)
  const broken = properties.flatMap(({ violations }) => violations)
  const summary = `${count(checked.length)} properties, ${several(checks, 'check')}`
  if (broken.length === 0) return `holds  ${summary}\n`
  const stories = broken.map(({ property, story }) => `BROKEN  ${property}\n  ${story}\n`)
  return `DOES NOT HOLD  ${summary}\n${stories.slice(0, storiesShown).join('')}`
}

const storiesShown = 5

function sum(parts: Readonly<Record<string, number>>): number {
  return Object.values(parts).reduce((total, part) => total + part, 0)
}
