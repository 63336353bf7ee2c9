/** `mergeyard sim --against <data folder>`: replays the recording of a server. */

import { resolve } from 'node:path'
import type { Options } from '../options/options.ts'
import { usageFault } from '../options/usage-fault.ts'
import { colorsFor, writeAll } from '../../../../sim/terminal/output.ts'
import { reportFolder, writeExpanded } from '../../../../sim/terminal/report-files.ts'
import { refuseUnwritable } from '../../../../sim/terminal/refuse-unwritable.ts'
import { storyOf } from '../../../../sim/judge/story.ts'
import { exitCodes, startFolder, type CliContext } from '../../../../sim/terminal/context.ts'
import { TraceFile } from '../../../../sim/terminal/trace-file.ts'
import { RunRecording } from '../../../../sim/report/recording/recording.ts'
import { resultTexts } from '../../../../sim/result/write-result.ts'
import { Explainer } from '../../../../sim/explain/explainer.ts'
import { writeFiles, type ReplayResult } from './report-of-recording.ts'
import { openRecording, type Recording } from '../../../../sim/replay/recording.ts'
import { replayExactly, type Exactness } from '../../../../sim/replay/replay.ts'
import { headOf, tableOf, verdictOf, type Column } from './recording-text.ts'
import { watchRecording } from '../../../../sim/replay/check-recording.ts'
import { derivedScenario, tryOut, type WhatIf } from '../../../../sim/replay/what-if.ts'
import { RecordedHistory } from '../../../../sim/replay/recorded-history.ts'

/** The options, with the folder of `--against`. */
export type ReplayRecordingOptions = Options & { readonly recordingFolder: string }

/** Replays a recording. With settings, also simulates it with them. Returns the exit code. */
export async function runReplay(
  options: ReplayRecordingOptions,
  context: CliContext,
): Promise<number> {
  refuseOtherOptions(options)
  const from = startFolder(context.env)
  const { recordingFolder, queue, report, writesFiles } = options
  if (writesFiles) refuseUnwritable(reportFolder('', report, from))
  const recording = openRecording(resolve(from, recordingFolder), recordingFolder, queue)
  const exactness = replayAndTrace(recording, options, from)
  const data = collectData(recording, exactness, options.why)
  if (options.why !== null && data.explainer?.hasStory !== true) {
    throw usageFault(`--why ${options.why}`, 'the number of a pull request of the recording')
  }
  return reportReplay(data, tryAndExpand(data, options, from), options, context)
}

/** Throws `BadInput` for options that do not apply to a recording. */
function refuseOtherOptions(options: ReplayRecordingOptions): void {
  const { files, seeds, features, why, settings, once } = options
  if (files.length > 0) throw usageFault('--against and a scenario', 'only one of them')
  if (seeds !== null)
    throw usageFault('--against and a seed', 'only one of them: a recording has no random draws')
  if (features.length > 0) throw usageFault('--against and --with', 'only one of them')
  if (why !== null && settings.length > 0) throw usageFault('--why and --set', 'only one of them')
  if (once) throw usageFault('--against and --once', 'only one of them')
}

function replayAndTrace(recording: Recording, { trace }: Options, from: string): Exactness {
  if (trace === null) return replayExactly(recording)
  const file = new TraceFile(resolve(from, trace))
  const exactness = replayExactly(recording, file.add)
  file.close()
  return exactness
}

type ReplayData = ReplayResult & {
  readonly history: RecordedHistory
  readonly explainer: Explainer | null
}

/** Replays the recording again, with the properties and all observers. */
function collectData(
  recording: Recording,
  exactness: Exactness,
  number: Options['why'],
): ReplayData {
  const history = new RecordedHistory(recording)
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
    writeExpanded(resolve(from, expand), scenario)
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
  const columns = whatIf ? triedColumns(whatIf, options.settings) : []
  const verdict = verdictOf(exactness, result.properties)
  const textWith = (middle: string): string => [headOf(recording), middle, verdict].join('\n')
  const table = tableOf([{ name: 'recorded', figures: result.figures }, ...columns])
  const text = `${textWith(table)}${whatIf ? storiesOf(whatIf) : ''}`
  const shown = whatIf ? whatIf.tried.result : result
  const isFine = exactness.fault === null && violations === 0
  if (options.json) {
    await writeAll(stdout, resultTexts(shown))
    await writeAll(stderr, isFine ? [] : [verdict])
  } else {
    const story = explainer?.story(colorsFor(stdout, env), recording.begin.at)
    await writeAll(stdout, [story === undefined ? text : textWith(`${story.trimEnd()}\n`)])
  }
  if (options.writesFiles) {
    const report = await writeFiles(data, { text, shown }, options, env)
    if (!options.json) await writeAll(stdout, [`report  ${report}\n`])
  }
  return isFine && failuresIn(whatIf) === 0 ? exitCodes.success : exitCodes.failure
}

function triedColumns({ baseline, tried }: WhatIf, settings: readonly string[]): Column[] {
  return [
    { name: 'likeness', figures: baseline.result.figures },
    { name: settings.join(' '), figures: tried.result.figures },
  ]
}

function failuresIn(whatIf: WhatIf | null): number {
  return whatIf ? whatIf.baseline.failures.length + whatIf.tried.failures.length : 0
}

/** The failures of the simulated runs, after a note on their precision. */
function storiesOf({ baseline, tried }: WhatIf): string {
  const stories = [...baseline.failures, ...tried.failures].map(storyOf)
  return `\n${likenessNote}${stories.map((story) => `${story}\n`).join('')}`
}

const likenessNote = `likeness: a simulation of the recorded pull requests with the recorded settings. Its difference from
the first column shows how precise the other simulated columns are. --expand <file> writes the
scenario, to run more seeds and other settings.
`
