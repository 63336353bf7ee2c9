/** `npm run tune`, from arguments to exit code. */

import { overCores } from '../../sim/command-line/over-cores.ts'
import { colorsFor, writeAll } from '../../sim/command-line/output.ts'
import { badUsage } from '../../sim/command-line/parse-options.ts'
import { runsBar } from '../../sim/command-line/progress-bar.ts'
import { replayCommand } from '../../sim/command-line/replay.ts'
import { reportFolder, writeReport } from '../../sim/command-line/report-files.ts'
import type { Source } from '../../sim/command-line/source.ts'
import { BadLines, loadSources } from '../../sim/command-line/sources.ts'
import { exitCodes, startFolder, type Surroundings } from '../../sim/command-line/surroundings.ts'
import { BadInput } from '../../sim/scenario/bad-input.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { applySettings } from '../../sim/scenario/settings.ts'
import { candidatesOf, settingsOf, type Candidate } from './candidates.ts'
import { documentOf, type TuneDocument } from './document.ts'
import { helpText, readTuneOptions, type TuneOptions } from './options.ts'
import { Race } from './race.ts'
import { tuningText } from './text.ts'
import type { TuneAnswer } from './tune-worker.ts'

/** Does what the arguments ask. Answers the exit code; never throws for what a person got wrong. */
export async function main(args: readonly string[], around: Surroundings): Promise<number> {
  try {
    const options = readTuneOptions(args, around.env)
    if (options.help || options.files.length === 0) {
      await writeAll(options.help ? around.stdout : around.stderr, [helpText])
      return options.help ? exitCodes.holds : exitCodes.badInput
    }
    return await tune(options, around)
  } catch (error) {
    if (!(error instanceof BadInput) && !(error instanceof BadLines)) throw error
    await writeAll(around.stderr, [`${error.lines.join('\n')}\n`])
    return exitCodes.badInput
  }
}

async function tune(options: TuneOptions, around: Surroundings): Promise<number> {
  const source = sourceOf(options, around)
  // A value that is the only one of its axis holds for everybody, today's setting included.
  const fixed = options.axes.filter(({ values }) => values.length === 1)
  const assignments = fixed.flatMap(({ values }) => values.map((each) => each.assignments))
  const scenario = applySettings(source.scenario, assignments.flatMap(settingsOf))
  const axes = options.axes.filter(({ values }) => values.length > 1)
  const race = new Race(candidatesOf(scenario, axes), options.seeds)
  const faults: Fault[] = []
  await run(race, { name: scenario.name, faults }, around)
  const isCut = around.signal.aborted
  if (faults.length > 0) {
    await writeAll(
      around.stderr,
      faults.map((fault) => faultText(fault, source)),
    )
    return exitCodes.fails
  }
  if (isCut && race.cutShort() === 0) return exitCodes.interrupted
  const { runners } = race
  const { preference, address } = options
  await tell(documentOf({ scenario, axes, runners, preference, address }), options, around)
  return isCut ? exitCodes.interrupted : exitCodes.holds
}

type FileSource = Extract<Source, { kind: 'file' }>

function sourceOf({ files }: TuneOptions, around: Surroundings): FileSource {
  const sources = loadSources(files, startFolder(around.env), { settings: [], features: [] })
  const [source] = sources
  if (sources.length > 1 || source?.kind !== 'file') {
    throw badUsage('tune', `${sources.length} scenarios`, 'one scenario')
  }
  return source
}

type Fault = { readonly candidate: Candidate; readonly seed: number; readonly broken: string }

/** Runs the race over all cores, until it is over, somebody interrupts, or the engine is at fault. */
async function run(
  race: Race,
  { name, faults }: { readonly name: string; readonly faults: Fault[] },
  around: Surroundings,
): Promise<void> {
  const bar = runsBar(around.stderr, name, race.expected)
  try {
    await overCores<Scenario, TuneAnswer>({
      worker: { url: new URL('./tune-worker.js', import.meta.url), name: 'tuneWorker' },
      tasks: race.tasks(),
      onAnswer: ({ figures, broken }) => {
        const counted = race.answer(figures)
        if (counted && broken !== null) faults.push({ ...counted, broken })
        bar.expect(race.expected)
        if (counted) bar.advance()
      },
      isEnough: () => faults.length > 0,
      signal: around.signal,
    })
  } finally {
    bar.stop()
  }
}

function faultText({ candidate, seed, broken }: Fault, source: FileSource): string {
  const settings = settingsOf(candidate.assignments)
  const replay = replayCommand({ source, seed, settings })
  return `BROKEN  ${broken}  with ${candidate.name}\nshow it  ${replay}\n`
}

async function tell(
  document: TuneDocument,
  options: TuneOptions,
  around: Surroundings,
): Promise<void> {
  const text = `${JSON.stringify(document, null, 2)}\n`
  const said = tuningText(document, colorsFor(around.stdout, around.env))
  await writeAll(around.stdout, [options.json ? text : said])
  if (!options.writesFiles) return
  const folder = reportFolder(document.scenario, options.report, startFolder(around.env))
  // The chart library takes its time to load: only where a report is written.
  const { tunePage } = await import('./report/page.ts')
  writeReport(folder, { 'tune.json': [text], 'tune.html': [await tunePage(document)] })
  if (!options.json) await writeAll(around.stdout, [`\nreport  ${folder}\n`])
}
