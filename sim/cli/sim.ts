/**
 * `mergeyard sim`. What most runs do not need is loaded when it is needed, because a run of a scenario
 * takes less time than loading it all.
 */

import { readOptions, type table, usage, type Options } from './options.ts'
import type { Spreading } from '../campaign/over-cores.ts'
import {
  helpOf,
  refuseOthers,
  type ParsedOptions,
  type Works,
} from '../../server/terminal/options.ts'
import { commandOf, exitCodes, startFolder } from '../../server/terminal/command.ts'
import type { Main, CliContext } from '../../server/terminal/command.ts'
import { widthOf, writeAll } from '../../server/terminal/output.ts'
import type { DownloadHistory } from './import.ts'
import { runFiles } from './run-files.ts'
import { runSeeds } from './run-seeds.ts'
import { loadSources } from '../judge/source.ts'
import { type SpreadOver, usageFault } from './values.ts'

/** What stands in a folder above the simulator. */
export type SimPorts = {
  readonly spreadOver: SpreadOver
  /** `--cluster`. Returns the exit code. */
  readonly rehearseCluster: (
    options: Pick<Options, 'json' | 'seeds' | 'defects'>,
    context: CliContext,
  ) => Promise<number>
  readonly downloadHistory: DownloadHistory
}

/** `import` is a separate command. All other arguments run or replay something. */
export function simCommand({ spreadOver, rehearseCluster, downloadHistory }: SimPorts): Main {
  const simulate = commandOf(usage, (parsed, context) => {
    const { given, operands } = parsed
    refuseOthers(usage.command, works, { given, operands: given.includes('list') ? [] : operands })
    refuseSmall(parsed)
    return spreadOver(parsed, 'sim', context, (spreading) =>
      run(parsed, context, { ...spreading, rehearseCluster }),
    )
  })
  return async (args, context) => {
    if (args[0] !== 'import') return simulate(args, context)
    const { importCommand } = await import('./import.ts')
    return importCommand(downloadHistory)(args.slice(1), context)
  }
}

/** One run has nothing to spread. */
function refuseSmall(parsed: ParsedOptions<typeof table>): void {
  if (!parsed.isGiven('over')) return
  const { seeds, defects, exhaustive } = readOptions(parsed)
  if (seeds?.kind === 'range' || defects || exhaustive) return
  throw parsed.fault('over', '--seeds, --for, --defects or --exhaustive as well')
}

async function run(
  parsed: ParsedOptions<typeof table>,
  context: CliContext,
  { rehearseCluster, ...spreading }: Spreading & Pick<SimPorts, 'rehearseCluster'>,
): Promise<number> {
  const options = readOptions(parsed)
  const { recordingFolder: against, files, seeds } = options
  if (options.list) {
    const { printLists } = await import('./checks.ts')
    return printLists(options, context)
  }
  if (against !== null) {
    const { runReplay } = await import('./run-recording.ts')
    return runReplay({ ...options, recordingFolder: against }, context)
  }
  if (options.queue !== null) throw usageFault('only --queue', 'also --against')
  if (options.cluster) return rehearseCluster(options, context)
  if (options.defects || options.exhaustive) {
    const { runDefects, runExhaustive } = await import('./checks.ts')
    return (options.defects ? runDefects : runExhaustive)({ ...options, ...spreading }, context)
  }
  if (files.length > 0 || seeds !== null) return runScenarios(options, context, spreading)
  // The user selected nothing to run.
  await writeAll(context.stderr, [helpOf(usage, widthOf(context.stderr))])
  return exitCodes.badInput
}

/** What each kind of work that is no run of scenarios takes besides its own option. */
const works: Works<Parameters<ParsedOptions<typeof table>['isGiven']>[0]> = [
  ['list', ['json']],
  ['against', ['queue', 'set', 'json', 'trace', 'expand', 'report', 'no-report', 'why']],
  ['cluster', ['seed', 'seeds', 'defects', 'json']],
  ['defects', ['json', 'report', 'no-report', 'over']],
  ['exhaustive', ['states', 'json', 'no-report', 'over']],
]

async function runScenarios(
  given: Options,
  context: CliContext,
  { spread, note }: Spreading,
): Promise<number> {
  const options = { ...given, settings: [...given.settings, ...given.prices] }
  const { files, seeds, features } = options
  const onSkipped = (line: string): void => void context.stderr.write(line)
  const sources = loadSources(files, startFolder(context.env), { ...options, onSkipped })
  if (files.length > 0 && features.length > 0) {
    throw usageFault('--with and a scenario file', 'only one of them: --with applies to the swarm')
  }
  const aboutOne = aboutOneOf(options)
  if (aboutOne && (sources.length > 1 || seeds?.kind === 'range')) {
    throw usageFault(`--${aboutOne} with several runs`, 'one scenario and one seed')
  }
  if (options.trace !== null && options.trace === options.expand) {
    throw usageFault(`--trace and --expand ${options.expand}`, 'a file for each')
  }
  if (seeds?.kind !== 'range') return runFiles(sources, options, context)
  // How long a run takes decides how many seeds --for runs, so two campaigns would not have the same ones.
  const isCompared =
    seeds.forMs === null && given.settings.some((setting) => !setting.startsWith('expect.'))
  const onSaid = { ...options, settings: options.prices, onSkipped: () => undefined }
  const before = isCompared ? loadSources(files, startFolder(context.env), onSaid) : []
  return runSeeds(sources, { ...options, seeds, spread, note, before }, context)
}

/** Returns the option, if any, that applies to only one run. */
function aboutOneOf(options: Options): 'trace' | 'expand' | 'why' | undefined {
  return (['trace', 'expand', 'why'] as const).find((name) => options[name] !== null)
}
