/** Scenario files, or the swarm, each with many seeds. */

import { seedsIn, sizeOf, type SeedRange } from '../campaign/seeds.ts'
import { CampaignTotals } from '../campaign/totals.ts'
import type { Aggregate } from '../result/aggregate.ts'
import { runCampaign } from './campaign.ts'
import type { Options } from './options.ts'
import { colorsFor, writeAll } from './output.ts'
import { progressBar } from './progress-bar.ts'
import { replayCommand } from './replay.ts'
import { reportFolder, writeReport } from './report-files.ts'
import { nameOf, type Source } from './source.ts'
import { storyOf } from './story.ts'
import { exitCodes, startFolder, type Surroundings } from './surroundings.ts'
import { columns, count, duration, several } from './text.ts'

type Wish = Omit<Options, 'seeds'> & { readonly seeds: SeedRange }

/** Runs every seed of every source, spread over the cores. Answers the exit code. */
export async function runSeeds(
  sources: readonly Source[],
  wish: Wish,
  around: Surroundings,
): Promise<number> {
  const documents: object[] = []
  let failing = 0
  for (const source of sources) {
    const totals = await totalsOf(source, wish, around)
    failing += totals.failing.length
    const document = documentOf(source, totals, wish)
    documents.push(document)
    if (!wish.json) await writeAll(around.stdout, [tellingOf(source, totals, wish, around)])
    if (wish.writesFiles) {
      const folder = reportFolder(nameOf(source), wish.report, startFolder(around.env))
      writeReport(folder, { 'seeds.json': [`${JSON.stringify(document, null, 2)}\n`] })
    }
    if (around.signal.aborted) break
  }
  if (wish.json) {
    const [only] = documents
    const all = sources.length === 1 ? only : { results: documents }
    await writeAll(around.stdout, [`${JSON.stringify(all, null, 2)}\n`])
  }
  if (around.signal.aborted) return exitCodes.interrupted
  return failing > 0 ? exitCodes.fails : exitCodes.holds
}

async function totalsOf(source: Source, wish: Wish, around: Surroundings): Promise<CampaignTotals> {
  const bar = progressBar(around.stderr, nameOf(source), sizeOf(wish.seeds))
  const totals = new CampaignTotals()
  await runCampaign({
    source,
    seeds: seedsIn(wish.seeds),
    once: wish.once,
    onRun: (run) => {
      totals.add(run)
      bar.advance(run.failures.length > 0 ? 1 : 0)
    },
    signal: around.signal,
  })
  bar.stop()
  return totals
}

function documentOf(source: Source, totals: CampaignTotals, { settings }: Wish): object {
  return {
    scenario: nameOf(source),
    seeds: totals.seeds.size,
    aggregate: totals.aggregates(),
    failures: totals.failing.map(({ seed, failures }) => ({
      seed,
      failures,
      replay: replayCommand({ source, seed, settings }),
    })),
  }
}

const failuresTold = 5

function tellingOf(
  source: Source,
  totals: CampaignTotals,
  { seeds, settings }: Wish,
  around: Surroundings,
): string {
  const colors = colorsFor(around.stdout, around.env)
  const wanted = sizeOf(seeds)
  const cut = totals.seeds.size < wanted ? `${count(totals.seeds.size)} of ` : ''
  const head = `${colors.bold(nameOf(source))}   seeds ${seeds.from}..${seeds.to}   ${cut}${several(wanted, 'run')}\n\n`
  const { failing } = totals
  const stories = failing.slice(0, failuresTold).map(({ seed, failures: [first] }) => {
    const replay = replayCommand({ source, seed, settings })
    return `\nseed ${seed}\n${first ? storyOf(first) : ''}\nshow it again  ${replay}\n`
  })
  const verdict =
    failing.length === 0
      ? `${colors.green('holds')}  ${several(totals.checks, 'check')}\n`
      : `${colors.red('DOES NOT HOLD')}  in ${several(failing.length, 'run')}: seeds ${failing.map(({ seed }) => seed).join(', ')}\n`
  return `${head}${tableOf(totals)}${stories.join('')}\n${verdict}`
}

const told = [
  ['merged', 'totals.merged', count],
  ['failed', 'totals.failed', count],
  ['healthy evicted', 'totals.healthyEvicted', count],
  ['bad merged', 'totals.badMerged', count],
  ['test runs', 'totals.testRuns', count],
  ['runs per merge', 'runsPerMerge', String],
  ['CI time', 'totals.testMinutes', duration],
  ['time in queue, half', 'timeInQueueMinutes.p50', duration],
  ['time in queue, 95 %', 'timeInQueueMinutes.p95', duration],
  ['main broken', 'totals.brokenMainMinutes', duration],
] as const

function tableOf(totals: CampaignTotals): string {
  const aggregates = totals.aggregates()
  const rows = told.flatMap(([name, path, text]) => {
    const found = aggregates[path]
    return found ? [rowOf(name, found, text)] : []
  })
  return columns([['', 'mean', '95 % interval', 'least', 'most'], ...rows], [1, 3, 4])
}

function rowOf(name: string, found: Aggregate, text: (number: number) => string): string[] {
  const rounded = (number: number): string => text(Math.round(number * 100) / 100)
  const [low, high] = found.ci95
  return [
    name,
    rounded(found.mean),
    `${rounded(low)} to ${rounded(high)}`,
    rounded(found.min),
    rounded(found.max),
  ]
}
