/** `mergeyard tune`. */

import { join } from 'node:path'
import type { Spreading } from '../../sim/campaign/over-cores.ts'
import { lookOf, writeAll } from '../../server/terminal/output.ts'
import { badUsage } from '../../server/terminal/options.ts'
import { simLine, loadOne } from '../../sim/judge/source.ts'
import { commandOf, exitCodes, startFolder } from '../../server/terminal/command.ts'
import type { CliContext } from '../../server/terminal/command.ts'
import { jsonOf, refuseUnwritable, reportFolder, writeReport } from '../../sim/cli/report-files.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { applySettings } from '../../sim/scenario/settings.ts'
import { parted } from '../../sim/world/history.ts'
import { fairScenario } from '../queues/fair-scenario.ts'
import { documentOf, type TuneDocument } from '../tune/document.ts'
import { SettingRunner, TuneFault, TuneInterrupted } from '../tune/runner.ts'
import type { Preference } from '../tune/figures.ts'
import { reproducing } from '../tune/tune-worker.ts'
import { settingsOf } from '../tune/candidates.ts'
import type { TuneRequest } from '../tune/final.ts'
import { tuned, type Tuned } from '../tune/tune.ts'
import { spreadOver } from '../over/spread-over.ts'
import { tuneText } from '../tune/report/text.ts'
import { readTuneOptions, type TuneOptions, usage } from './tune-options.ts'

export const main = commandOf(usage, (parsed, context) =>
  spreadOver(parsed, usage.command, context, (spreading) =>
    tune(readTuneOptions(parsed), context, spreading),
  ),
)

async function tune(
  options: TuneOptions,
  context: CliContext,
  spreading: Spreading,
): Promise<number> {
  const named = { command: usage.command, from: startFolder(context.env), settings: [] }
  const request = requestOf(options, scenarioOf(options, loadOne(options, named)))
  const { stderr, signal } = context
  const { name } = request.scenario
  const isFair = options.other !== null
  if (options.writesFiles) refuseUnwritable(folderOf(name, options, context))
  const runner = new SettingRunner({ name, isFair, stderr, signal, ...spreading })
  try {
    const found = await tuned(request, runner)
    const beside = await besideOf(request, options, { ...context, spreading })
    const document = documentOf(found, options.address, beside)
    await writeResult(document, options, context)
    return exitCodes.success
  } catch (error) {
    if (error instanceof TuneInterrupted) return exitCodes.interrupted
    if (!(error instanceof TuneFault)) throw error
    await tellFault(error, options, context)
    return exitCodes.failure
  }
}

/** With another queue, searches Mergeyard's settings on the same budget and the same seeds. */
async function besideOf(
  request: TuneRequest,
  options: TuneOptions,
  { stderr, signal, spreading }: CliContext & { readonly spreading: Spreading },
): Promise<Tuned | null> {
  if (!request.other) return null
  const runner = new SettingRunner({
    name: 'Mergeyard',
    isFair: true,
    stderr,
    signal,
    ...spreading,
  })
  return tuned({ ...request, other: null, axes: null, fixed: options.fixed }, runner)
}

/** A value that is the only one of its axis applies to every setting, including today's. */
function scenarioOf({ fixed, prices, resubmitting }: TuneOptions, scenario: Scenario): Scenario {
  const known = Object.keys(fixed).map((path) => `${path}=`)
  const set = applySettings(scenario, [...settingsOf(fixed), ...prices])
  return resubmitting(withoutKnown(set, known))
}

/** A value that the command gives is no longer assumed. */
function withoutKnown(scenario: Scenario, known: readonly string[]): Scenario {
  const { assumed } = scenario
  if (!assumed) return scenario
  const left = assumed.filter(({ replace }) => !known.some((path) => replace.includes(path)))
  return { ...scenario, assumed: left }
}

function requestOf(options: TuneOptions, scenario: Scenario): TuneRequest {
  const { seeds, budget, allowed, leastPercent, other } = options
  const { scenario: all, leftOut } = other ? fairScenario(scenario) : { scenario, leftOut: [] }
  const { seen, unseen } = parted(all)
  const { axes, fixed } = other ?? options
  return {
    seeds,
    budget,
    allowed,
    leastPercent,
    axes,
    fixed,
    scenario: seen,
    unseen,
    preference: preferenceOf(options, scenario),
    other: other && { ...other.today, leftOut },
  }
}

function preferenceOf({ preference }: TuneOptions, { prices }: Scenario): Preference {
  if (preference === 'price' && !prices) {
    throw badUsage('tune', '--prefer price without a price', '--ci-price or --wait-price as well')
  }
  return preference ?? (prices ? 'price' : 'balance')
}

/**
 * Says which property is violated, and how to run that again. The weeks of a history, its changed
 * assumptions and the options of the command are in no option of the simulator, so the scenario is
 * written as it was simulated.
 */
async function tellFault(
  { candidate, seed, broken }: TuneFault,
  options: TuneOptions,
  context: CliContext,
): Promise<void> {
  const { name, scenario, change } = candidate
  const otherwise = change ? ` and ${change.name} at ${change.to} instead of ${change.from}` : ''
  const found = `BROKEN  ${broken}  with ${name}${otherwise}, seed ${seed}\n`
  if (!options.writesFiles) {
    const hint = 'run it without --no-report to write the scenario that reproduces it\n'
    return writeAll(context.stderr, [found, hint])
  }
  const folder = folderOf(scenario.name, options, context)
  writeReport(folder, {
    [brokenName]: [reproducing({ scenario, change, isFair: options.other !== null }, seed)],
  })
  const command = simLine([join(folder, brokenName)])
  return writeAll(context.stderr, [found, `reproduce with ${command}\n`])
}

const brokenName = 'broken.json'

function folderOf(scenario: string, { report }: TuneOptions, { env }: CliContext): string {
  return reportFolder(scenario, report, startFolder(env))
}

/** Prints the result and writes the report. */
async function writeResult(
  document: TuneDocument,
  options: TuneOptions,
  context: CliContext,
): Promise<void> {
  const json = jsonOf(document)
  const { stdout } = context
  await writeAll(stdout, [options.json ? json : tuneText(document, lookOf(context))])
  if (!options.writesFiles) return
  const folder = folderOf(document.scenario, options, context)
  // The chart library loads slowly, so it is imported only for a report.
  const { tunePage } = await import('../tune/report/page.ts')
  writeReport(folder, { 'tune.json': [json], 'tune.html': [await tunePage(document)] })
  if (!options.json) await writeAll(stdout, [`\nreport  ${folder}\n`])
}
