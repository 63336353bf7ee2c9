/** The files that a run with one seed leaves behind: its report, its summary and its result. */

import { resultTexts } from '../result/write-result.ts'
import type { Recording } from '../report/recording/recording.ts'
import type { Options } from './options.ts'
import { replayCommand } from './replay.ts'
import { reportFolder, writeReport } from './report-files.ts'
import type { JudgedRun } from './run-file.ts'
import type { Source } from './source.ts'
import { storyOf } from './story.ts'
import { startFolder, type Surroundings } from './surroundings.ts'

type Told = {
  readonly source: Source
  readonly run: JudgedRun
  readonly recording: Recording
  readonly summary: string
}

/** Writes them, and answers the name of the report, which is the one to open. */
export async function writeRunReport(
  { source, run, recording, summary }: Told,
  { report, once, settings }: Options,
  { env }: Surroundings,
): Promise<string> {
  // It loads the chart library: nobody waits for that who wants no report.
  const { runReport } = await import('../report/run-report.ts')
  const replay = replayCommand({ source, seed: run.result.figures.seed, settings })
  const failures = run.failures.map(storyOf)
  const origin = { kind: 'drawn', isCompared: !once } as const
  const page = await runReport({ ...run, failures, recording, origin, replay })
  const folder = reportFolder(run.scenario.name, report, startFolder(env))
  return writeReport(folder, {
    'report.html': [page],
    'summary.txt': [summary],
    'result.json': resultTexts(run.result),
  })
}
