/** Runs scenario files or the swarm with many seeds. */

import {
  holds,
  missedCoverageMarks,
  judgedText,
  figuresTable,
  reportedFigures,
  roundedText,
  reportedIn,
  withoutIntervals,
} from '../campaign/document.ts'
import type { CampaignDocument, SeedFailures, ReportedFigure } from '../campaign/document.ts'
import type { Spreading } from '../campaign/over-cores.ts'
import { fewestForInterval, studentEnds } from '../statistics/interval.ts'
import { CampaignTotals, runCampaign } from '../campaign/run-campaign.ts'
import { unseenText } from '../campaign/unseen.ts'
import { coverageMarkNames } from '../coverage-marks/index.ts'
import { replayCommand, type Source, nameOf } from '../judge/source.ts'
import { storyOf } from '../judge/verdict.ts'
import { seedsIn, sizeOf } from '../random/seeds.ts'
import { type CliContext, exitCodes, startFolder } from '../../server/terminal/command.ts'
import { type Look, lookOf, widthOf, writeAll } from '../../server/terminal/output.ts'
import { tableText } from '../html/table-section.ts'
import { campaignBar, under } from './progress-bar.ts'
import {
  jsonOf,
  refuseFolders,
  reportFolder,
  requestedFolder,
  writeReport,
} from './report-files.ts'
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
    const changes = before ? changesOf(before, campaign) : null
    documents.push(changes ? { ...campaign.document, changes } : campaign.document)
    const about = { source, scenarioCount: sources.length, changes }
    await reportCampaign(campaign, about, options, context)
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

type FinishedCampaign = {
  readonly document: CampaignDocument
  /** Returns the values of a figure in all runs, by its dotted path. */
  readonly valuesOf: (path: string) => readonly number[]
}

type AboutCampaign = {
  readonly source: Source
  readonly scenarioCount: number
  /** Against the same seeds without the settings of `--set`; null: nothing is set. */
  readonly changes: readonly Change[] | null
}

/** A figure before and after, run by run with the same seed. */
type Change = {
  readonly path: string
  readonly before: number
  readonly after: number
  /** The mean of the differences. */
  readonly difference: number
  /** The 95 % interval of the difference; null: too few runs, or all differ alike. */
  readonly interval: readonly [low: number, high: number] | null
}

/** What `--json` prints. */
export type ComparedDocument = CampaignDocument & { readonly changes?: readonly Change[] }

/** Prints the outcome of a campaign, shrinks its failures and writes the report. */
async function reportCampaign(
  { document, valuesOf }: FinishedCampaign,
  { source, scenarioCount, changes: figures }: AboutCampaign,
  options: CampaignOptions,
  context: CliContext,
): Promise<void> {
  const { json, seeds, writesFiles } = options
  const width = widthOf(context.stdout)
  const changes = figures ? changesText(figures, options.settings, width) : ''
  if (!json)
    await writeAll(
      context.stdout,
      campaignTexts(document, ranOf(document, seeds).join('   '), changes, lookOf(context)),
    )
  // A page about no run would show a verdict that nothing supports.
  if (document.seeds === 0) return
  const shrunk = await shrunkSeedsText(source, document.failures, options, context)
  await writeAll(json ? context.stderr : context.stdout, [shrunk])
  if (!writesFiles) return
  const folder = folderOf(source, scenarioCount, options, context)
  const description = source.kind === 'file' ? (source.scenario.description ?? null) : null
  const ran = ranOf(document, seeds).join(', ')
  // The chart library loads slowly, so it is imported only for a report.
  const { campaignReport } = await import('../report/campaign/campaign-report.ts')
  const page = await campaignReport({ document, description, ran, valuesOf, shrunk })
  const path = writeReport(folder, { 'seeds.html': [page], 'seeds.json': [jsonOf(document)] })
  if (!json) await writeAll(context.stdout, [`report  ${path}\n`])
}

function folderOf(
  source: Source,
  scenarioCount: number,
  { report }: CampaignOptions,
  { env }: CliContext,
): string {
  const requested = requestedFolder(nameOf(source), report, scenarioCount)
  return reportFolder(nameOf(source), requested, startFolder(env))
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

/** `ran`: the seeds that were run. `changes`: the table of before and after; empty if nothing was set. */
function campaignTexts(
  document: CampaignDocument,
  ran: string,
  changes: string,
  { colors, width }: Look,
): string[] {
  const head = `${colors.bold(document.scenario)}   ${ran}\n\n${changes}`
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

/** A figure that some run lacks has no pairs. */
function changesOf(before: FinishedCampaign, after: FinishedCampaign): Change[] {
  return reportedIn(after.document).flatMap(({ figure: { path }, found }) => {
    const [from, to] = [before.valuesOf(path), after.valuesOf(path)]
    const was = before.document.aggregate[path]
    if (!was || from.length !== to.length || to.length < after.document.seeds) return []
    const differences = to.map((value, index) => value - (from[index] ?? 0))
    const { mean, low, high } = studentEnds(differences)
    const isSure = differences.length >= fewestForInterval && low !== high
    const interval = isSure ? ([low, high] as const) : null
    return [{ path, before: was.mean, after: found.mean, difference: mean, interval }]
  })
}

/** The differences and their intervals come first, because they are what was asked. */
function changesText(
  changes: readonly Change[],
  settings: readonly string[],
  width: number | null,
): string {
  const rows = changes.flatMap(({ path, before, after, difference, interval }) => {
    const figure = reportedFigures.find((each) => each.path === path)
    if (!figure) return []
    const { name, unit } = figure
    const [low = 0, high = 0] = interval ?? []
    const ends = [low, high].map((each) => signedText(each, unit)).join(' to ')
    const doubt = low > 0 || high < 0 ? '' : '  (may be none)'
    const change = signedText(difference, unit)
    const means = [before, after].map((each) => roundedText(each, unit))
    return [[name, change, interval === null ? '-' : `${ends}${doubt}`, ...means]]
  })
  const head = ['', 'difference', '95 % interval', 'before', 'after']
  return `with ${settings.join(', ')}\n${columns([head, ...rows], [1, 3, 4], width)}\n`
}

function signedText(value: number, unit: ReportedFigure['unit']): string {
  const text = roundedText(Math.abs(value), unit)
  return text === roundedText(0, unit) ? text : `${value < 0 ? '-' : '+'}${text}`
}
