/** Runs scenario files or the swarm with many seeds. */

import {
  holds,
  missedCoverageMarks,
  judgedText,
  figuresTable,
  withoutIntervals,
} from '../campaign/document.ts'
import type { CampaignDocument, SeedFailures } from '../campaign/document.ts'
import { changesOf, changesTable } from '../campaign/changes.ts'
import type { ComparedDocument, FinishedCampaign } from '../campaign/changes.ts'
import type { Spreading } from '../campaign/over-cores.ts'
import { CampaignTotals, runCampaign } from '../campaign/run-campaign.ts'
import { unseenText } from '../campaign/unseen.ts'
import { coverageMarkNames } from '../coverage-marks/index.ts'
import { replayCommand, type Source, nameOf } from '../judge/source.ts'
import { storyOf } from '../judge/verdict.ts'
import { seedsIn, sizeOf } from '../random/seeds.ts'
import { type CliContext, exitCodes, startFolder } from '../../server/terminal/command.ts'
import { type Look, lookOf, writeAll } from '../../server/terminal/output.ts'
import { tableText } from '../html/table-section.ts'
import { campaignBar, under } from './progress-bar.ts'
import { jsonOf, refuseFolders, reportFolder, writeReport } from './report-files.ts'
import { columns, count, duration, folded, several } from '../../server/terminal/text.ts'
import type { Options } from './options.ts'
import type { CampaignSeeds } from './values.ts'
import { shrunkSeedsText } from './shrink-failure.ts'

type CampaignOptions = Omit<Options, 'seeds'> &
  Spreading & {
    readonly seeds: CampaignSeeds
    /** The sources without the settings of `--set`, in the same order; empty: nothing is compared. */
    readonly before: readonly Source[]
  }

/** Runs every seed of every source on all cores. Returns the exit code. */
export async function runSeeds(
  sources: readonly Source[],
  options: CampaignOptions,
  context: CliContext,
): Promise<number> {
  const documents: ComparedDocument[] = []
  if (options.writesFiles) {
    refuseFolders(sources.map(nameOf), options.report, startFolder(context.env))
  }
  for (const [index, source] of sources.entries()) {
    const unset = options.before[index]
    // Its verdicts are not asked for, so it runs once.
    const asked = { ...options, settings: options.prices, once: true }
    const before = unset ? await campaignOf(unset, asked, context) : null
    const campaign = await campaignOf(source, options, context)
    const changes = before ? { changes: changesOf(before, campaign) } : {}
    const document = { ...campaign.document, ...changes }
    documents.push(document)
    const about = { source, scenarioCount: sources.length }
    await reportCampaign({ ...campaign, document }, about, options, context)
    if (context.signal.aborted) break
  }
  if (options.json) await writeAll(context.stdout, [jsonOfAll(documents, sources.length)])
  if (context.signal.aborted) return exitCodes.interrupted
  return documents.every(holds) ? exitCodes.success : exitCodes.failure
}

/** Returns one document as JSON, several as `{ "results": [...] }` in the given order. */
function jsonOfAll(documents: readonly CampaignDocument[], scenarioCount: number): string {
  const [only] = documents
  return jsonOf(scenarioCount === 1 && only ? only : { results: documents })
}

type AboutCampaign = {
  readonly source: Source
  readonly scenarioCount: number
}

/** Prints the outcome of a campaign, shrinks its failures and writes the report. */
async function reportCampaign(
  { document, valuesOf }: FinishedCampaign<ComparedDocument>,
  { source, scenarioCount }: AboutCampaign,
  options: CampaignOptions,
  context: CliContext,
): Promise<void> {
  const { json, seeds, settings, writesFiles } = options
  const about = { ran: ranOf(document, seeds).join('   '), settings }
  if (!json) await writeAll(context.stdout, campaignTexts(document, about, lookOf(context)))
  // A page about no run would show a verdict that nothing supports.
  if (document.seeds === 0) return
  const shrunk = await shrunkSeedsText(source, document.failures, options, context)
  await writeAll(json ? context.stderr : context.stdout, [shrunk])
  if (!writesFiles) return
  const from = startFolder(context.env)
  const folder = reportFolder(nameOf(source), options.report, from, scenarioCount)
  const description = source.kind === 'file' ? (source.scenario.description ?? null) : null
  const ran = ranOf(document, seeds).join(', ')
  // The chart library loads slowly, so it is imported only for a report.
  const { campaignReport } = await import('../report/campaign/campaign-report.ts')
  const page = await campaignReport({ document, description, ran, settings, valuesOf, shrunk })
  const path = writeReport(folder, { 'seeds.html': [page], 'seeds.json': [jsonOf(document)] })
  if (!json) await writeAll(context.stdout, [`report  ${path}\n`])
}

async function campaignOf(
  source: Source,
  options: CampaignOptions,
  context: CliContext,
): Promise<FinishedCampaign> {
  const { seeds, settings, once, spread, note } = options
  const { forMs } = seeds
  const isPlainSwarm =
    source.kind === 'swarm' && settings.length === 0 && source.features.length === 0
  const totals = new CampaignTotals({
    scenario: nameOf(source),
    marks: isPlainSwarm ? coverageMarkNames : null,
    replayOf: (seed) => replayCommand({ source, seed, settings }),
  })
  const name = (): string => `${nameOf(source)}${note()}`
  // Asked for before the bar is there, which the command then puts in order itself.
  const { stderr, signal } = context
  await under(campaignBar(stderr, name, { forMs, seeds: sizeOf(seeds) }), (bar) =>
    runCampaign({
      source,
      seeds: seedsIn(seeds),
      once,
      spread,
      signal,
      onRun: (run) => {
        totals.add(run)
        bar.advance(run.failures.length > 0 ? 1 : 0)
      },
      ...(forMs === null ? {} : { enough: AbortSignal.timeout(forMs) }),
    }),
  )
  return { document: totals.document(), valuesOf: (path) => totals.valuesOf(path) }
}

/** The seeds that were run, and how they were requested. */
function ranOf({ seeds: runs, ran }: CampaignDocument, seeds: CampaignSeeds): string[] {
  const { forMs, fromText } = seeds
  const requested = sizeOf(seeds)
  const parts = [`seeds ${ran === '' ? 'none' : ran}`]
  if (forMs === null && runs < requested)
    parts.push(`${several(runs, 'run')} of ${several(requested, 'run')}`)
  else parts.push(several(runs, 'run'))
  if (forMs !== null)
    parts.push(`in ${forMs < 60_000 ? `${forMs / 1_000} s` : duration(forMs / 60_000)}`)
  if (fromText !== null) parts.push(`first seed derived from "${fromText}"`)
  return parts
}

// The text output of a campaign.

/** `ran`: the seeds that were run. */
function campaignTexts(
  document: ComparedDocument,
  { ran, settings }: { readonly ran: string; readonly settings: readonly string[] },
  { colors, width }: Look,
): string[] {
  const { changes } = document
  const changed = changes
    ? `with ${settings.join(', ')}\n${tableText(changesTable(changes), width)}\n`
    : ''
  const head = `${colors.bold(document.scenario)}   ${ran}\n\n${changed}`
  if (document.seeds === 0) return [`${head}No seed was run, so there is no result.\n`]
  const stories = document.failures.slice(0, failuresShown).map(failureText)
  const missed = missedCoverageMarks(document)
  const faults = [
    ...(document.failures.length > 0 ? [failingText(document)] : []),
    ...missed.map((name) => `never reached: ${name}`),
  ]
  const checks = document.properties.reduce((sum, { checked }) => sum + checked, 0)
  const verdict =
    faults.length === 0
      ? `${colors.green('holds')}  ${several(checks, 'check')}\n`
      : `${colors.red('DOES NOT HOLD')}  ${faults.join('\n               ')}\n`
  const note = withoutIntervals(document)
  const found = `${head}${tableText(figuresTable(document), width)}${note === '' ? '' : `${note}\n`}${coverageText(document)}${unseenText(document.unseen ?? null)}${judgedLine(document)}`
  // The commands of stories are copied, so they stay in a line.
  return [folded(found, width), ...stories, folded(`\n${verdict}`, width)]
}

const failuresShown = 5

function failureText({ seed, failures: [first], replay }: SeedFailures): string {
  return `\nseed ${seed}\n${first ? storyOf(first) : ''}\nreproduce with ${replay}\n`
}

function failingText({ failures }: CampaignDocument): string {
  return `in ${several(failures.length, 'run')}: seeds ${failures.map(({ seed }) => seed).join(', ')}`
}

/** The number of runs that reached each coverage mark, two marks per line. */
function coverageText({ marks = [] }: CampaignDocument): string {
  if (marks.length === 0) return ''
  const half = Math.ceil(marks.length / 2)
  const cells = marks.map(({ name, runs }) => [name, count(runs)])
  const rows = cells
    .slice(0, half)
    .map((cell, row) => [...cell, '  ', ...(cells[half + row] ?? [])])
  return `\n${columns([['reached in runs', ''], ...rows], [1, 4])}`
}

/** How much the properties have judged, and of which the most is left out: the report has all of them (S-171). */
function judgedLine(document: CampaignDocument): string {
  const { properties } = document
  const judged = properties.filter(({ checked }) => checked > 0)
  const least = judged
    .filter(({ leftOut }) => leftOut > 0)
    .sort((one, other) => one.checked * other.leftOut - other.checked * one.leftOut)
    .slice(0, leastShown)
    .map((property) => `${property.name} ${judgedText(property, document).checks}`)
  const left = least.length === 0 ? '' : `; least of the checks due: ${least.join(', ')}`
  return `\n${judged.length} of ${properties.length} properties had something to judge${left}\n`
}

const leastShown = 2
