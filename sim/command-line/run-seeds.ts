/** Scenario files, or the swarm, each with many seeds. */

import type { CampaignDocument, SeedFigures, ShardDocument } from '../campaign/document.ts'
import { holds } from '../campaign/document.ts'
import { partOf, seedsIn, sizeOf } from '../campaign/seeds.ts'
import { CampaignTotals, seedFigures } from '../campaign/totals.ts'
import { markNames } from '../marks/index.ts'
import { runCampaign } from './campaign.ts'
import { campaignTelling } from './campaign-telling.ts'
import type { Options } from './options.ts'
import { colorsFor, writeAll } from './output.ts'
import { progressBar, timeBar } from './progress-bar.ts'
import { replayCommand } from './replay.ts'
import { reportFolder, wishedFolder } from './report-files.ts'
import { writeCampaignReport } from './report-of-campaign.ts'
import type { CampaignSeeds } from './seed-options.ts'
import { nameOf, type Source } from './source.ts'
import { shrunkSeedsText } from './shrink-failure.ts'
import { exitCodes, startFolder, type Surroundings } from './surroundings.ts'
import { duration, several } from './text.ts'

type Wish = Omit<Options, 'seeds'> & { readonly seeds: CampaignSeeds }

/** Runs every seed of every source, spread over the cores. Answers the exit code. */
export async function runSeeds(
  sources: readonly Source[],
  wish: Wish,
  around: Surroundings,
): Promise<number> {
  const documents: CampaignDocument[] = []
  for (const source of sources) {
    const campaign = await campaignOf(source, wish, around)
    documents.push(campaign.document)
    await tell(campaign, { source, howMany: sources.length }, wish, around)
    if (around.signal.aborted) break
  }
  if (wish.json) await writeAll(around.stdout, [jsonOfAll(documents, sources.length)])
  if (around.signal.aborted) return exitCodes.interrupted
  const isShard = wish.seeds.shard !== null
  return documents.every((each) => holds(each, isShard)) ? exitCodes.holds : exitCodes.fails
}

/** One document by itself; several as `{ "results": [...] }`, in the order given. */
export function jsonOfAll(documents: readonly CampaignDocument[], wanted: number): string {
  const [only] = documents
  return jsonOf(wanted === 1 && only ? only : { results: documents })
}

const jsonOf = (document: object): string => `${JSON.stringify(document, null, 2)}\n`

type DoneCampaign = {
  readonly document: CampaignDocument | ShardDocument
  /** What a number came to in every run, by its dotted path. */
  readonly valuesOf: (path: string) => readonly number[]
}

/** What came of it, what its failures are shrunk to, and where the report is. */
async function tell(
  { document, valuesOf }: DoneCampaign,
  { source, howMany }: { readonly source: Source; readonly howMany: number },
  wish: Wish,
  around: Surroundings,
): Promise<void> {
  const { json, seeds, report, writesFiles } = wish
  if (!json) await writeAll(around.stdout, [tellingOf(document, wish, around)])
  const shrunk = await shrunkSeedsText(source, document.failures, wish, around)
  await writeAll(json ? around.stderr : around.stdout, [shrunk])
  if (!writesFiles) return
  const wished = wishedFolder(nameOf(source), report, howMany)
  const folder = reportFolder(nameOf(source), wished, startFolder(around.env))
  const description = source.kind === 'file' ? (source.scenario.description ?? null) : null
  const { shard } = seeds
  const ran = ranOf(document, seeds).join(', ')
  const told = { document, description, ran, valuesOf, shrunk, shard }
  const page = await writeCampaignReport(told, folder)
  if (page !== null && !json) await writeAll(around.stdout, [`report  ${page}\n`])
}

async function campaignOf(source: Source, wish: Wish, around: Surroundings): Promise<DoneCampaign> {
  const { seeds, settings, once } = wish
  const { shard, forMs } = seeds
  const range = shard === null ? seeds : partOf(seeds, shard)
  const isSwarmAsItIs =
    source.kind === 'swarm' && settings.length === 0 && source.features.length === 0
  const totals = new CampaignTotals({
    scenario: nameOf(source),
    marks: isSwarmAsItIs ? markNames : null,
    replayOf: (seed) => replayCommand({ source, seed, settings }),
  })
  const runs: SeedFigures[] = []
  const bar =
    forMs === null
      ? progressBar(around.stderr, nameOf(source), sizeOf(range))
      : timeBar(around.stderr, nameOf(source), forMs)
  await runCampaign({
    source,
    seeds: seedsIn(range),
    once,
    onRun: (run) => {
      totals.add(run)
      if (shard !== null) runs.push(seedFigures(run))
      bar.advance(run.failures.length > 0 ? 1 : 0)
    },
    ...(forMs === null ? {} : { enough: AbortSignal.timeout(forMs) }),
    signal: around.signal,
  })
  bar.stop()
  const document = totals.document()
  const valuesOf = (path: string): readonly number[] => totals.valuesOf(path)
  if (shard === null) return { document, valuesOf }
  const campaign = { from: seeds.from, to: seeds.to, settings }
  return { document: { ...document, campaign, runs }, valuesOf }
}

function tellingOf(document: CampaignDocument, { seeds }: Wish, around: Surroundings): string {
  const { shard } = seeds
  const colors = colorsFor(around.stdout, around.env)
  return campaignTelling(document, {
    isShard: shard !== null,
    ran: ranOf(document, seeds).join('   '),
    colors,
  })
}

/** What was run, and how much of what was wanted. */
function ranOf({ seeds: runs, ran }: CampaignDocument, seeds: CampaignSeeds): string[] {
  const { shard, forMs, fromText } = seeds
  const wanted = sizeOf(shard === null ? seeds : partOf(seeds, shard))
  const parts = [`seeds ${ran === '' ? 'none' : ran}`]
  if (forMs === null && runs < wanted)
    parts.push(`${several(runs, 'run')} of ${several(wanted, 'run')}`)
  else parts.push(several(runs, 'run'))
  if (forMs !== null) parts.push(`in ${duration(forMs / 60_000)}`)
  if (shard !== null) parts.push(`shard ${shard.index} of ${shard.of}`)
  if (fromText !== null) parts.push(`the first out of "${fromText}"`)
  return parts
}
