/** `mergeyard compare`. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { join } from 'node:path'
import type { Spreading } from '../../sim/campaign/over-cores.ts'
import { nameOf, loadSources } from '../../sim/judge/source.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { commandOf, exitCodes, startFolder } from '../../server/terminal/command.ts'
import type { Main, CliContext } from '../../server/terminal/command.ts'
import { badUsage } from '../../server/terminal/options.ts'
import type { OptionTable, ParsedOptions, Usage } from '../../server/terminal/options.ts'
import type { FaultOf } from '../../server/terminal/readers.ts'
import { lookOf, widthOf, writeAll, writeText } from '../../server/terminal/output.ts'
import { priceSettings, priceTable, seedList, overTable } from '../../sim/cli/values.ts'
import { jsonOf, refuseFolders, reportFolder, writeReport } from '../../sim/cli/report-files.ts'
import { spreadOver } from '../over/spread-over.ts'
import { comparisonText, type ComparisonDocument, comparedOf } from '../compare/comparison.ts'
import { type Climate, climateOf, climatesText } from '../compare/climates.ts'
import { fairScenario, readLengthModels, withLengths } from '../queues/fair-scenario.ts'
import type { LengthModel } from '../queues/fair-scenario.ts'
import { strategies } from '../queues/index.ts'
import { meanBounds } from '../compare/bounds.ts'
import { assumptionsOf } from '../tune/assumptions.ts'
import { type Budget, readBudget } from '../tune/runner.ts'
import { allQueues, bestRows, rowsOf, runRows } from '../compare/rows.ts'
import { resubmitTable, resubmitting } from './tune-options.ts'

// The options and the help text of `mergeyard compare`.

const table = {
  'seeds <n | a..b>': { help: 'run seeds 1..n, or a..b', default: '60' },
  ...resubmitTable,
  'lengths <model>': {
    help: 'length of runs: scenario, run, constant, composition, or all for the last three',
    default: 'scenario',
  },
  'best <budget | never>': {
    help: 'compare every queue at its best setting as well, found with this budget each, as in tune',
    default: '10s',
  },
  ...priceTable,
  'set <path=value>...': 'override a field of the scenario',
  ...overTable,
  json: 'print only the result document, as JSON, to standard output',
  'report <folder>':
    'report folder (default: reports/<scenario>); with several scenarios, one subfolder each',
  'no-report': 'write no files',
} as const satisfies OptionTable

const usage: Usage<typeof table> = {
  command: 'compare',
  npm: 'npm run compare --',
  about: `Compare Mergeyard with other merge queues over many seeds. All queues get the same pull requests,
run lengths and flakes. Prints which queue is best for each figure, also if that is not Mergeyard. The
report folder gets the result as compare.json and as a page with charts, compare.html.

  mergeyard compare everywhere    the proposed setting on all archetypes and histories
  mergeyard compare climates      whether random loads, breaks and clashes bring it to a livelock`,
  operands: ['<scenario file...>'],
  table,
  more: `The compared queues:
${strategies.map(({ name, about }) => `  ${name.padEnd(24)}${about}\n`).join('')}
Exit code: 0 success; 2 invalid input; 130 interrupted.
`,
}

type Parsed = ParsedOptions<typeof table>

async function compare(parsed: Parsed, context: CliContext, spreading: Spreading): Promise<number> {
  const isJson = parsed.flag('json')
  const seeds = parsed.read('seeds', seedList)
  const from = startFolder(context.env)
  const onSkipped = (line: string): void => void context.stderr.write(line)
  const settings = [...parsed.list('set'), ...priceSettings(parsed)]
  const resubmitted = resubmitting(parsed)
  const models = parsed.read('lengths', readLengthModels)
  const budget = parsed.read('best', bestBudget)
  const sources = loadSources(parsed.operands, from, { settings, features: [], onSkipped })
  const documents: ComparisonDocument[] = []
  const folderOf = (scenario: string): string =>
    reportFolder(scenario, parsed.text('report'), from, sources.length)
  if (!parsed.flag('no-report')) {
    refuseFolders(sources.map(nameOf), parsed.text('report'), from)
  }
  for (const source of sources) {
    if (source.kind !== 'file') throw badUsage('compare', 'no scenario', 'a scenario file')
    for (const lengths of models) {
      const scenario = resubmitted(source.scenario)
      const document = await comparisonOf(scenario, {
        lengths,
        seeds,
        budget,
        context,
        spreading,
      })
      if (!document) return exitCodes.interrupted
      documents.push(document)
      if (!isJson) await writeText(context.stdout, comparisonText(document, lookOf(context)))
      if (parsed.flag('no-report')) continue
      const folder = folderOf(document.scenario)
      const own = models.length === 1 ? folder : join(folder, lengths)
      await writeFiles(own, document)
      if (!isJson) await writeAll(context.stdout, [`report  ${own}\n`])
    }
  }
  const [only] = documents
  const all = documents.length === 1 ? only : { results: documents }
  if (isJson) await writeAll(context.stdout, [jsonOf(all)])
  return exitCodes.success
}

const files = commandOf(usage, (parsed, context) =>
  spreadOver(parsed, usage.command, context, (spreading) => compare(parsed, context, spreading)),
)

const climates = commandOf(
  {
    command: 'compare climates',
    npm: 'npm run compare -- climates',
    about: `Simulate the proposed setting in random climates, each with a load, breaks, flakes and clashes of its own. Prints
what a merge costs in CI minutes, over one at a time in the same draws, and how many merge per hour if the same pull
requests come once, twice and four times as fast.`,
    table: { 'seeds <n | a..b>': { help: 'climates 1..n, or a..b', default: '40' } },
  },
  async (parsed, context) => {
    const found: Climate[] = []
    for (const seed of parsed.read('seeds', seedList)) {
      await nextTurn()
      if (context.signal.aborted) return exitCodes.interrupted
      found.push(climateOf(seed))
    }
    await writeText(context.stdout, climatesText(found, widthOf(context.stdout)))
    return exitCodes.success
  },
)

/** `everywhere` and `climates` are separate commands. All other arguments compare files. */
export const main: Main = async ([first, ...rest], context) => {
  if (first === 'climates') return climates(rest, context)
  if (first !== 'everywhere') return files(first === undefined ? [] : [first, ...rest], context)
  const { everywhere } = await import('./compare-everywhere.ts')
  return everywhere(rest, context)
}

/** Returns null if only the defaults are compared. */
const bestBudget = (text: string, faultOf: FaultOf): Budget | null =>
  text === 'never' ? null : readBudget(text, (expected) => faultOf(`${expected}; or never`))

type Comparing = {
  readonly lengths: LengthModel
  /** For the search of the best setting of each queue; null for none. */
  readonly budget: Budget | null
  readonly seeds: readonly number[]
  readonly context: CliContext
  readonly spreading: Spreading
}

/** Returns null if the user interrupted it. */
async function comparisonOf(
  original: Scenario,
  { lengths, seeds, budget, context, spreading }: Comparing,
): Promise<ComparisonDocument | null> {
  const { scenario: fair, leftOut } = fairScenario(original)
  const scenario = withLengths(fair, lengths)
  const own = { ...context, spreading }
  const best = budget ? await bestRows(scenario, { budget, seeds, queues: allQueues }, own) : []
  if (!best) return null
  const runs = await runRows(rowsOf(best), { scenario, seeds }, own)
  if (context.signal.aborted) return null
  return {
    scenario: scenario.name,
    description: scenario.description ?? null,
    seeds: seeds.length,
    leftOut,
    assumptions: assumptionsOf(scenario, true),
    resubmitAfterMinutes: scenario.resubmit?.afterMinutes ?? null,
    lengths,
    bounds: meanBounds(scenario, seeds),
    compared: comparedOf(runs),
  }
}

async function writeFiles(folder: string, document: ComparisonDocument): Promise<void> {
  // The chart library loads slowly, so it is imported only for a report.
  const { comparisonPage } = await import('../compare/page.ts')
  const page = await comparisonPage(document)
  writeReport(folder, { 'compare.json': [jsonOf(document)], 'compare.html': [page] })
}
