/** `mergeyard sim --against <data folder>`: replays the recording of a server. */

import { resolve } from 'node:path'
import { Explainer } from '../explain/narrator.ts'
import { simLine } from '../judge/source.ts'
import { storyOf, failuresOf, type Failure } from '../judge/verdict.ts'
import type { PropertyResult } from '../observe/findings.ts'
import { watchRecording, replayExactly } from '../replay/check-recording.ts'
import type { WatchedRecording, Exactness } from '../replay/check-recording.ts'
import { RecordedHistory, type WhatIf, derivedScenario, tryOut } from '../replay/what-if.ts'
import { type Recording, openRecording } from '../replay/recording.ts'
import { RunRecording } from '../report/recording/recording.ts'
import type { Figures } from '../result/result-document.ts'
import { resultTexts } from '../result/write-result.ts'
import { type CliContext, exitCodes, startFolder } from '../../server/terminal/command.ts'
import { colorsFor, widthOf, writeAll, writeText } from '../../server/terminal/output.ts'
import {
  refuseUnwritable,
  reportFolder,
  writeScenario,
  writeReport,
  TraceFile,
} from './report-files.ts'
import { columns, count, duration, several } from '../../server/terminal/text.ts'
import type { Options } from './options.ts'
import { usageFault } from './values.ts'

/** The options, with the folder of `--against`. */
export type ReplayRecordingOptions = Options & { readonly recordingFolder: string }

/** Replays a recording. With settings, also simulates it with them. Returns the exit code. */
export async function runReplay(
  options: ReplayRecordingOptions,
  context: CliContext,
): Promise<number> {
  const from = startFolder(context.env)
  const { recordingFolder, queue, report, writesFiles, why, settings } = options
  if (why !== null && settings.length > 0) throw usageFault('--why and --set', 'only one of them')
  if (writesFiles) refuseUnwritable(reportFolder('', report, from))
  const recording = openRecording(resolve(from, recordingFolder), recordingFolder, queue)
  const exactness = replayAndTrace(recording, options, from)
  const data = collectData(recording, exactness, why)
  if (why !== null && data.explainer?.hasStory !== true) {
    throw usageFault(`--why ${why}`, 'the number of a pull request of the recording')
  }
  return reportReplay(data, tryAndExpand(data, options, from), options, context)
}

function replayAndTrace(recording: Recording, { trace }: Options, from: string): Exactness {
  if (trace === null) return replayExactly(recording)
  const file = new TraceFile(resolve(from, trace))
  const exactness = replayExactly(recording, file.add)
  file.close()
  return exactness
}

type ReplayData = {
  readonly recording: Recording
  readonly exactness: Exactness
  readonly watched: WatchedRecording
  readonly runRecording: RunRecording
  readonly history: RecordedHistory
  readonly explainer: Explainer | null
}

/** Replays the recording again, with the properties and all observers. */
function collectData(
  recording: Recording,
  exactness: Exactness,
  number: Options['why'],
): ReplayData {
  const history = new RecordedHistory(recording, exactness)
  const runRecording = new RunRecording()
  const explainer = number === null ? null : new Explainer(number)
  const watched = watchRecording(recording, exactness, {
    observers: [
      () => history.read,
      runRecording.observer,
      ...(explainer ? [explainer.observer] : []),
    ],
    onViolation: runRecording.onViolation,
  })
  return { recording, exactness, watched, runRecording, history, explainer }
}

function tryAndExpand(
  { recording, history }: ReplayData,
  { expand, settings }: ReplayRecordingOptions,
  from: string,
): WhatIf | null {
  if (expand !== null) {
    const scenario = derivedScenario(recording, history, settings)
    writeScenario(resolve(from, expand), '--expand', scenario)
  }
  return settings.length === 0 ? null : tryOut(recording, history, settings)
}

/** Prints the outcome and writes the files. Returns the exit code. */
async function reportReplay(
  data: ReplayData,
  whatIf: WhatIf | null,
  options: ReplayRecordingOptions,
  { stdout, stderr, env }: CliContext,
): Promise<number> {
  const { recording, exactness, watched, explainer } = data
  const { result, violations } = watched
  const simulated = whatIf
    ? [
        { name: 'likeness', run: whatIf.baseline },
        { name: options.settings.join(' '), run: whatIf.tried },
      ]
    : []
  const failures = simulated.flatMap(({ run }) => run.failures)
  const verdict = verdictOf(exactness, result.properties)
  const textWith = (middle: string): string => [headOf(recording), middle, verdict].join('\n')
  const shownColumns = [
    { name: 'recorded', figures: result.figures },
    ...simulated.map(({ name, run }) => ({ name, figures: run.result.figures })),
  ]
  const textIn = (width: number | null): string =>
    `${textWith(tableOf(shownColumns, width))}${whatIf ? storiesOf(failures) : ''}`
  const texts = (): Iterable<string> =>
    whatIf ? resultTexts(whatIf.tried.result) : resultTexts(result, false)
  const isFine = exactness.fault === null && violations === 0
  if (options.json) {
    await writeAll(stdout, texts())
    await writeAll(stderr, isFine ? [] : [verdict])
  } else {
    const story = explainer?.story(colorsFor(stdout, env), recording.begin.at)
    const told = story === undefined ? textIn(widthOf(stdout)) : textWith(`${story.trimEnd()}\n`)
    await writeText(stdout, told)
  }
  if (options.writesFiles) {
    const report = await writeFiles(data, { text: textIn(null), texts: texts() }, options, env)
    if (!options.json) await writeAll(stdout, [`report  ${report}\n`])
  }
  return isFine && failures.length === 0 ? exitCodes.success : exitCodes.failure
}

/** The failures of the simulated runs, after a note on their precision. */
function storiesOf(failures: readonly Failure[]): string {
  return `\n${likenessNote}${failures.map((failure) => `${storyOf(failure)}\n`).join('')}`
}

const likenessNote = `likeness: a simulation of the recorded pull requests with the recorded settings. Its difference from \
the first column shows how precise the other simulated columns are. --expand <file> writes the scenario, to run more \
seeds and other settings.
`

// Writes the files of a replay: report, summary and result.

/** Writes the files. Returns the path of the report page. */
async function writeFiles(
  { recording, exactness, watched, runRecording }: ReplayData,
  { text, texts }: { readonly text: string; readonly texts: Iterable<string> },
  { recordingFolder, report }: ReplayRecordingOptions,
  env: CliContext['env'],
): Promise<string> {
  // The chart library loads slowly, so it is imported only for a report.
  const { runReport } = await import('../report/run-report.ts')
  const { scenario, result } = watched
  const { begin, entries, name } = recording
  const { fault } = exactness
  const broken = failuresOf(result.properties).map(storyOf)
  const page = await runReport({
    scenario,
    result,
    recording: runRecording,
    failures: fault === null ? broken : [`DIFFERS  ${fault}`, ...broken],
    origin: { kind: 'recorded', from: begin.at, to: entries.at(-1)?.at ?? begin.at },
    replay: simLine(['--against', recordingFolder, '--queue', name]),
  })
  return writeReport(reportFolder(scenario.name, report, startFolder(env)), {
    'report.html': [page],
    'summary.txt': [text],
    'result.json': texts,
  })
}

// The text output of a replay: a table of figures, and a verdict.

type FigureRow = readonly [name: string, text: (figures: Figures) => string]

const rows: readonly FigureRow[] = [
  ['merged', ({ totals }) => count(totals.merged)],
  ['failed', ({ totals }) => count(totals.failed)],
  ['cancelled', ({ totals }) => count(totals.cancelled)],
  ['still waiting', ({ totals }) => count(totals.waiting ?? 0)],
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

type Column = { readonly name: string; readonly figures: Figures }

/** Returns a table with one row per figure and one column per run. */
function tableOf(shownColumns: readonly Column[], width: number | null): string {
  const head = ['', ...shownColumns.map(({ name }) => name)]
  const body = rows.map(([name, text]) => {
    return [`  ${name}`, ...shownColumns.map(({ figures }) => text(figures))]
  })
  return columns(
    [head, ...body],
    shownColumns.map((_column, index) => index + 1),
    width,
  )
}

/** Returns the name and the time range of a recording. */
function headOf({ name, begin, entries }: Recording): string {
  const from = new Date(begin.at).toISOString()
  const to = new Date(entries.at(-1)?.at ?? begin.at).toISOString()
  const start = begin.isWhole
    ? ''
    : '\nEarlier commands are no longer kept; the recording starts at a snapshot.'
  return `${name}   recorded from ${from} to ${to}${start}\n`
}

/** Returns whether the replay was exact, and whether the properties held. */
function verdictOf(
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
