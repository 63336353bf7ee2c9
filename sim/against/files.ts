/** The files that a replay leaves behind: the report of what was recorded, its summary, a result. */

import { storyOf } from '../command-line/story.ts'
import { failuresOf } from '../command-line/verdict.ts'
import type { Options } from '../command-line/options.ts'
import { commandOf } from '../command-line/replay.ts'
import { reportFolder, writeReport } from '../command-line/report-files.ts'
import { startFolder, type Surroundings } from '../command-line/surroundings.ts'
import type { Recording as Retold } from '../report/recording/recording.ts'
import { resultTexts, type RunResult } from '../result/write-result.ts'
import type { Recording } from './recording.ts'
import type { Exactness } from './replay.ts'
import type { WatchedRecording } from './watch.ts'

export type Replayed = {
  readonly recording: Recording
  readonly exactness: Exactness
  readonly watched: WatchedRecording
  readonly retold: Retold
}

/** What the terminal is told, and the result to keep: of what was tried, if anything was. */
type Summary = { readonly told: string; readonly shown: RunResult }

type Where = Pick<Options, 'report'> & { readonly against: string }

/** Writes them, and answers the name of the report, which is the one to open. */
export async function writeFiles(
  { recording, exactness, watched, retold }: Replayed,
  { told, shown }: Summary,
  { against, report }: Where,
  env: Surroundings['env'],
): Promise<string> {
  // It loads the chart library: nobody waits for that who wants no report.
  const { runReport } = await import('../report/run-report.ts')
  const { scenario, result } = watched
  const { begin, entries, name } = recording
  const { fault } = exactness
  const broken = failuresOf({ outcome: result, expectations: [] }, null).map(storyOf)
  const page = await runReport({
    scenario,
    result,
    recording: retold,
    failures: fault === null ? broken : [`DIFFERS  ${fault}`, ...broken],
    origin: { kind: 'recorded', from: begin.at, to: entries.at(-1)?.at ?? begin.at },
    replay: commandOf(['--against', against, '--queue', name]),
  })
  return writeReport(reportFolder(scenario.name, report, startFolder(env)), {
    'report.html': [page],
    'summary.txt': [told],
    'result.json': resultTexts(shown),
  })
}
