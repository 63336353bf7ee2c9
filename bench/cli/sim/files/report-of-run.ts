/** Writes the files of a run with one seed: report, summary and result. */

import { resultTexts } from '../../../../sim/result/write-result.ts'
import type { RunRecording } from '../../../../sim/report/recording/recording.ts'
import type { Options } from '../options/options.ts'
import { replayCommand } from '../../../../sim/judge/replay-command.ts'
import { reportFolder, writeReport } from '../../../../sim/terminal/report-files.ts'
import type { JudgedRun } from '../../../../sim/judge/run-and-judge.ts'
import type { Source } from '../../../../sim/judge/source.ts'
import { storyOf } from '../../../../sim/judge/story.ts'
import { startFolder, type CliContext } from '../../../../sim/terminal/context.ts'

type RunReportInput = {
  readonly source: Source
  readonly run: JudgedRun
  readonly recording: RunRecording
  readonly summary: string
}

/** Writes the files. Returns the path of the report page. */
export async function writeRunReport(
  { source, run, recording, summary }: RunReportInput,
  { report, once, settings }: Options,
  { env }: CliContext,
): Promise<string> {
  // The chart library loads slowly, so it is imported only for a report.
  const { runReport } = await import('../../../../sim/report/run-report.ts')
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
