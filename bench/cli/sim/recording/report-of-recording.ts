/** Writes the files of a replay: report, summary and result. */

import { storyOf } from '../../../../sim/judge/story.ts'
import { failuresOf } from '../../../../sim/judge/verdict.ts'
import type { Options } from '../options/options.ts'
import { commandOf } from '../../../../sim/judge/replay-command.ts'
import { reportFolder, writeReport } from '../../../../sim/terminal/report-files.ts'
import { startFolder, type CliContext } from '../../../../sim/terminal/context.ts'
import type { RunRecording } from '../../../../sim/report/recording/recording.ts'
import { resultTexts, type RunResult } from '../../../../sim/result/write-result.ts'
import type { Recording } from '../../../../sim/replay/recording.ts'
import type { Exactness } from '../../../../sim/replay/replay.ts'
import type { WatchedRecording } from '../../../../sim/replay/check-recording.ts'

export type ReplayResult = {
  readonly recording: Recording
  readonly exactness: Exactness
  readonly watched: WatchedRecording
  readonly runRecording: RunRecording
}

/** The text output, and the result to store: that of the tried settings, if any. */
type ReplaySummary = { readonly text: string; readonly shown: RunResult }

type OutputLocation = Pick<Options, 'report'> & { readonly recordingFolder: string }

/** Writes the files. Returns the path of the report page. */
export async function writeFiles(
  { recording, exactness, watched, runRecording }: ReplayResult,
  { text, shown }: ReplaySummary,
  { recordingFolder, report }: OutputLocation,
  env: CliContext['env'],
): Promise<string> {
  // The chart library loads slowly, so it is imported only for a report.
  const { runReport } = await import('../../../../sim/report/run-report.ts')
  const { scenario, result } = watched
  const { begin, entries, name } = recording
  const { fault } = exactness
  const broken = failuresOf({ outcome: result, expectations: [] }, null).map(storyOf)
  const page = await runReport({
    scenario,
    result,
    recording: runRecording,
    failures: fault === null ? broken : [`DIFFERS  ${fault}`, ...broken],
    origin: { kind: 'recorded', from: begin.at, to: entries.at(-1)?.at ?? begin.at },
    replay: commandOf(['--against', recordingFolder, '--queue', name]),
  })
  return writeReport(reportFolder(scenario.name, report, startFolder(env)), {
    'report.html': [page],
    'summary.txt': [text],
    'result.json': resultTexts(shown),
  })
}
