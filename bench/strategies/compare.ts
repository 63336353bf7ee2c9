/** `npm run compare`, from arguments to exit code. */

import { seedsIn } from '../../sim/campaign/seeds.ts'
import { overCores } from '../../sim/command-line/over-cores.ts'
import { writeAll } from '../../sim/command-line/output.ts'
import {
  badUsage,
  optionsHelp,
  parseOptions,
  seedRangeOf,
  type OptionTable,
} from '../../sim/command-line/parse-options.ts'
import { reportFolder, wishedFolder, writeReport } from '../../sim/command-line/report-files.ts'
import { runsBar } from '../../sim/command-line/progress-bar.ts'
import { BadLines, loadSources } from '../../sim/command-line/sources.ts'
import { exitCodes, startFolder, type Surroundings } from '../../sim/command-line/surroundings.ts'
import { BadInput } from '../../sim/scenario/bad-input.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import type { CompareTask } from './compare-worker.ts'
import { comparisonText } from './compare-text.ts'
import { assumptionsOf } from '../tune/assumptions.ts'
import { compared, type ComparisonDocument } from './comparison.ts'
import { fairScenario } from './fair-scenario.ts'
import type { ComparedFigures } from './figures.ts'
import { strategies } from './index.ts'

const optionTable = {
  seeds: { kind: 'value', value: 'n | a..b', help: 'seeds 1..n, or a..b (20)' },
  set: { kind: 'list', value: 'path=value', help: 'override a field of the scenario; repeatable' },
  json: { kind: 'flag', help: 'the document alone on standard output' },
  report: {
    kind: 'value',
    value: 'folder',
    help: 'where it goes (reports/<scenario>); several have a folder each in it',
  },
  'no-report': { kind: 'flag', help: 'write no files at all' },
  help: { kind: 'flag', help: 'this text' },
} as const satisfies OptionTable

const helpText = `Compare Mergeyard with other merge queues: the same pull requests, lengths and flakes for
everybody, over many seeds. Says who is best in what, and where that is not Mergeyard. The folder of
the report gets the same as compare.json and as a page with pictures, compare.html.

  npm run compare -- <scenario file>... [options]

${optionsHelp(optionTable)}
${strategies.map(({ name, about }) => `  ${name.padEnd(24)}${about}\n`).join('')}
Exit: 0 compared; 2 the input cannot be used; 130 interrupted.
`

/** Does what the arguments ask. Answers the exit code; never throws for what a person got wrong. */
export async function main(args: readonly string[], around: Surroundings): Promise<number> {
  try {
    return await run(args, around)
  } catch (error) {
    if (!(error instanceof BadInput) && !(error instanceof BadLines)) throw error
    await writeAll(around.stderr, [`${error.lines.join('\n')}\n`])
    return exitCodes.badInput
  }
}

async function run(args: readonly string[], around: Surroundings): Promise<number> {
  const given = parseOptions({ table: optionTable, args, env: around.env, command: 'compare' })
  const isAsked = given.flag('help')
  if (isAsked || given.positionals.length === 0) {
    await writeAll(isAsked ? around.stdout : around.stderr, [helpText])
    return isAsked ? exitCodes.holds : exitCodes.badInput
  }
  const isJson = given.flag('json')
  const seeds = [...seedsIn(seedRangeOf('compare', given.text('seeds') ?? '20'))]
  const from = startFolder(around.env)
  const wish = { settings: given.list('set'), features: [] }
  const sources = loadSources(given.positionals, from, wish)
  const documents: ComparisonDocument[] = []
  for (const source of sources) {
    if (source.kind !== 'file') throw badUsage('compare', 'no scenario', 'a scenario file')
    const document = await comparisonOf(source.scenario, seeds, around)
    if (!document) return exitCodes.interrupted
    documents.push(document)
    if (!isJson) await writeAll(around.stdout, [`${comparisonText(document)}\n`])
    if (given.flag('no-report')) continue
    const wished = wishedFolder(document.scenario, given.text('report'), sources.length)
    const folder = reportFolder(document.scenario, wished, from)
    await writeFiles(folder, document)
    if (!isJson) await writeAll(around.stdout, [`report  ${folder}\n`])
  }
  const [only] = documents
  const all = documents.length === 1 ? only : { results: documents }
  if (isJson) await writeAll(around.stdout, [jsonOf(all)])
  return exitCodes.holds
}

/** Null where somebody interrupted. */
async function comparisonOf(
  given: Scenario,
  seeds: readonly number[],
  around: Surroundings,
): Promise<ComparisonDocument | null> {
  const { scenario, leftOut } = fairScenario(given)
  const runs = await playAll(scenario, seeds, around)
  if (around.signal.aborted) return null
  return {
    scenario: scenario.name,
    description: scenario.description ?? null,
    seeds: seeds.length,
    leftOut,
    assumptions: assumptionsOf(scenario),
    compared: compared(
      strategies.map((each, index) => ({
        strategy: each.name,
        isBound: each.isBound,
        runs: runs[index] ?? [],
      })),
    ),
  }
}

async function writeFiles(folder: string, document: ComparisonDocument): Promise<void> {
  // The chart library takes its time to load: only where a report is written.
  const { comparisonPage } = await import('./report/page.ts')
  const page = await comparisonPage(document)
  writeReport(folder, { 'compare.json': [jsonOf(document)], 'compare.html': [page] })
}

const jsonOf = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Every strategy with every seed, by the places of the strategies. */
async function playAll(
  scenario: Scenario,
  seeds: readonly number[],
  around: Surroundings,
): Promise<ComparedFigures[][]> {
  const runs: ComparedFigures[][] = strategies.map(() => [])
  const { name } = scenario
  const total = strategies.length * seeds.length
  const bar = runsBar(around.stderr, name, total)
  let place = 0
  await overCores<CompareTask, ComparedFigures>({
    worker: { url: new URL('./compare-worker.js', import.meta.url), name: 'compareWorker' },
    tasks: seeds.flatMap((seed) =>
      strategies.map((each) => ({ strategy: each.name, scenario: { ...scenario, seed } })),
    ),
    onAnswer: (figures) => {
      runs[place % strategies.length]?.push(figures)
      place++
      bar.advance()
    },
    signal: around.signal,
  })
  bar.stop()
  return runs
}
