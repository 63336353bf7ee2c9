/** `mergeyard tune`. */

import { commandOf } from '../../../sim/terminal/command.ts'
import { colorsFor, writeAll } from '../../../sim/terminal/output.ts'
import { badUsage } from '../../../sim/terminal/parse-options.ts'
import { replayCommand } from '../../../sim/judge/replay-command.ts'
import { reportFolder, writeReport } from '../../../sim/terminal/report-files.ts'
import type { Source } from '../../../sim/judge/source.ts'
import { loadSources } from '../../../sim/judge/sources.ts'
import { exitCodes, startFolder, type CliContext } from '../../../sim/terminal/context.ts'
import { applySettings } from '../../../sim/scenario/settings.ts'
import { candidatesOf, settingsOf } from '../../tune/candidates.ts'
import { documentOf, type TuneDocument } from '../../tune/document.ts'
import { readTuneOptions, usage, type TuneOptions } from './options.ts'
import { Race } from '../../tune/race.ts'
import { runRace, type Fault } from '../../tune/run-race.ts'
import { tuningText } from '../../tune/text.ts'

export const main = commandOf(usage, (parsed, context) => tune(readTuneOptions(parsed), context))

async function tune(options: TuneOptions, context: CliContext): Promise<number> {
  const source = sourceOf(options, context)
  // A value that is the only one of its axis applies to every setting, including today's.
  const fixed = options.axes.filter(({ values }) => values.length === 1)
  const assignments = fixed.flatMap(({ values }) => values.map((each) => each.assignments))
  const scenario = applySettings(source.scenario, assignments.flatMap(settingsOf))
  const axes = options.axes.filter(({ values }) => values.length > 1)
  const race = new Race(candidatesOf(scenario, axes), options.seeds)
  const { stderr, signal } = context
  const faults = await runRace(race, { name: scenario.name, stderr, signal })
  const isInterrupted = context.signal.aborted
  if (faults.length > 0) {
    await writeAll(
      context.stderr,
      faults.map((fault) => faultText(fault, source)),
    )
    return exitCodes.failure
  }
  if (isInterrupted && race.cutShort() === 0) return exitCodes.interrupted
  const { runners } = race
  const { preference, address } = options
  await writeResult(documentOf({ scenario, axes, runners, preference, address }), options, context)
  return isInterrupted ? exitCodes.interrupted : exitCodes.success
}

type FileSource = Extract<Source, { kind: 'file' }>

function sourceOf({ file }: TuneOptions, context: CliContext): FileSource {
  const sources = loadSources([file], startFolder(context.env), { settings: [], features: [] })
  const [source] = sources
  if (sources.length > 1 || source?.kind !== 'file') {
    throw badUsage('tune', `${sources.length} scenarios`, 'one scenario')
  }
  return source
}

function faultText({ candidate, seed, broken }: Fault, source: FileSource): string {
  const settings = settingsOf(candidate.assignments)
  const replay = replayCommand({ source, seed, settings })
  return `BROKEN  ${broken}  with ${candidate.name}\nreproduce with ${replay}\n`
}

/** Prints the result and writes the report. */
async function writeResult(
  document: TuneDocument,
  options: TuneOptions,
  context: CliContext,
): Promise<void> {
  const json = `${JSON.stringify(document, null, 2)}\n`
  const text = tuningText(document, colorsFor(context.stdout, context.env))
  await writeAll(context.stdout, [options.json ? json : text])
  if (!options.writesFiles) return
  const folder = reportFolder(document.scenario, options.report, startFolder(context.env))
  // The chart library loads slowly, so it is imported only for a report.
  const { tunePage } = await import('../../tune/report/page.ts')
  writeReport(folder, { 'tune.json': [json], 'tune.html': [await tunePage(document)] })
  if (!options.json) await writeAll(context.stdout, [`\nreport  ${folder}\n`])
}
