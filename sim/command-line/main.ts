/** `npm run sim`, from arguments to exit code. */

import { runAgainst } from '../against/run.ts'
import { importHistory } from '../import/main.ts'
import { BadInput } from '../scenario/bad-input.ts'
import { helpText } from './help.ts'
import { mergeShards } from './merge-shards.ts'
import { readOptions, type Options } from './options.ts'
import { writeAll } from './output.ts'
import { runDefects } from './run-defects.ts'
import { runExhaustive } from './run-exhaustive.ts'
import { runFiles } from './run-files.ts'
import { runSeeds } from './run-seeds.ts'
import { BadLines, loadSources } from './sources.ts'
import { exitCodes, startFolder, type Surroundings } from './surroundings.ts'
import { usageFault } from './usage.ts'

/** Does what the arguments ask. Answers the exit code; never throws for what a person got wrong. */
export async function main(args: readonly string[], around: Surroundings): Promise<number> {
  try {
    const [command, ...rest] = args
    if (command === 'merge') return await mergeShards(rest, around)
    if (command === 'import') return await importHistory(rest, around)
    const options = readOptions(args, around.env)
    if (options.help) {
      await writeAll(around.stdout, [helpText()])
      return exitCodes.holds
    }
    const { against } = options
    if (against !== null) return await runAgainst({ ...options, against }, around)
    if (options.queue !== null) throw usageFault('--queue alone', '--against with it')
    if (options.defects || options.exhaustive) return await runWhole(options, around)
    if (options.files.length === 0 && options.seeds === null) {
      await writeAll(around.stderr, [helpText()])
      return exitCodes.badInput
    }
    return await run(options, around)
  } catch (error) {
    if (!(error instanceof BadInput) && !(error instanceof BadLines)) throw error
    await writeAll(around.stderr, [`${error.lines.join('\n')}\n`])
    return exitCodes.badInput
  }
}

/** What brings its own scenarios, all of them. */
async function runWhole(options: Options, around: Surroundings): Promise<number> {
  const { files, seeds, settings, features, defects, exhaustive } = options
  const name = defects ? '--defects' : '--exhaustive'
  const isAboutOthers = files.length > 0 || seeds !== null || aboutOneOf(options) !== undefined
  if (isAboutOthers || settings.length > 0 || features.length > 0 || (defects && exhaustive)) {
    throw usageFault(`${name} with scenarios, seeds or more`, `${name} alone`)
  }
  return defects ? runDefects(options, around) : runExhaustive(options, around)
}

async function run(options: Options, around: Surroundings): Promise<number> {
  const { files, seeds, features } = options
  const sources = loadSources(files, startFolder(around.env), options)
  if (files.length > 0 && features.length > 0) {
    throw usageFault('--with and a scenario file', 'one of them: --with is for the swarm')
  }
  const aboutOne = aboutOneOf(options)
  if (aboutOne && (sources.length > 1 || seeds?.kind === 'range')) {
    throw usageFault(`--${aboutOne} with several runs`, 'one scenario and one seed')
  }
  return seeds?.kind === 'range'
    ? runSeeds(sources, { ...options, seeds }, around)
    : runFiles(sources, options, around)
}

/** What was asked for that only one run can answer. */
function aboutOneOf(options: Options): 'trace' | 'expand' | 'why' | undefined {
  return (['trace', 'expand', 'why'] as const).find((name) => options[name] !== null)
}
