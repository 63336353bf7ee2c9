/** The command `mergeyard soak`. */

import { randomInt } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Colors } from 'picocolors/types.js'
import type { Spreading } from '../campaign/over-cores.ts'
import { unseenText } from '../campaign/unseen.ts'
import type { Failure } from '../judge/verdict.ts'
import { firstSeedOf, rangeText, seedsIn, sizeOf } from '../random/seeds.ts'
import { runAndJudge } from '../judge/run-scenario.ts'
import { propertiesOf, simLine, loadSources } from '../judge/source.ts'
import { BadLines } from '../../server/terminal/bad-input.ts'
import { breakageOf, firstFailure } from '../shrink/reproduce.ts'
import { regressionOf } from '../shrink/shrink.ts'
import { kinds, type FailedScenario, type SoakRun } from '../soak/soak-seed.ts'
import { runSoak, holds, missedMarks, SoakTotals } from '../soak/run-soak.ts'
import type { RunSoak, SoakSummary } from '../soak/run-soak.ts'
import { commandOf, exitCodes, startFolder } from '../../server/terminal/command.ts'
import type { Main, CliContext } from '../../server/terminal/command.ts'
import { badUsage } from '../../server/terminal/options.ts'
import type { OptionTable, ParsedOptions, Usage } from '../../server/terminal/options.ts'
import { type Look, lookOf, writeAll } from '../../server/terminal/output.ts'
import { signalOrAfter } from '../../server/terminal/signals.ts'
import { campaignBar, under } from './progress-bar.ts'
import { jsonOf, refuseUnwritable, reportFolder, writeReport } from './report-files.ts'
import { columns, count, duration, folded, several } from '../../server/terminal/text.ts'
import {
  endless,
  overTable,
  seedsOf,
  type CampaignSeeds,
  type SeedOptions,
  type SpreadOver,
} from './values.ts'
import {
  failuresFolder,
  shrinkWithProgress,
  shrunkSummary,
  writeFailure,
} from './shrink-failure.ts'

// The options of `mergeyard soak`.

const table = {
  'for <10m>': 'start no seed after this time, instead of at Ctrl-C',
  'seed <n>': 'run only this seed of a finding',
  'seeds <n | a..b>': 'run seeds 1..n, or a..b, then stop',
  'until-quiet <chance>':
    'stop when the chance that the next run of the swarm shows a new step is below this, for example 0.05',
  'seeds-from <text>': 'derive the first seed from a text, for example a commit hash',
  ...overTable,
  json: 'print only the summary, as JSON, to standard output',
  'report <folder>': 'write the summary to this folder (default: reports/soak)',
  'no-report': 'write no files',
} as const satisfies OptionTable

const usage: Usage<typeof table> = {
  command: 'soak',
  npm: 'npm run soak --',
  about: `Run new random seeds until stopped, and check every property.

  mergeyard soak              until Ctrl-C
  mergeyard soak --for 10m`,
  table,
  more: `Of 100 seeds, 70 run a scenario of the swarm, 15 check such a scenario against every relation, 14 run
small cases in which each step is drawn of all that can happen, and 1 plants a defect, which must be
found. Failing scenarios are shrunk into reports/failures/.

Exit code: 0 everything holds; 1 something does not hold, or a planted defect was not noticed; 2 invalid
input; 130 interrupted before the end that --for or --seeds set, without a finding.
Without these options Ctrl-C is the normal end: 0 or 1.
`,
}

type SoakOptions = ReturnType<typeof soakOptionsOf>

/** `isEndless`: the seeds run until the user stops them, which is then the normal end. */
type SoakSeeds = Pick<CampaignSeeds, 'from' | 'to' | 'forMs'> & {
  readonly isEndless: boolean
}

/** Reads the options. Throws `BadInput` if they contradict each other. */
function soakOptionsOf(parsed: ParsedOptions<typeof table>) {
  const { flag, text } = parsed
  const untilQuiet = parsed.readGiven('until-quiet', (given, faultOf) => {
    const chance = Number(given)
    if (chance > 0 && chance < 1) return chance
    throw faultOf('a chance between 0 and 1, for example 0.05')
  })
  return {
    seeds: soakSeeds(parsed),
    untilQuiet,
    json: flag('json'),
    report: text('report'),
    writesFiles: !flag('no-report'),
  }
}

/** Large enough that the seeds of two soaks rarely overlap. */
const newSeedsBelow = 2 ** 40

function soakSeeds({ text }: SeedOptions): SoakSeeds {
  const [fromText, ...others] = [text('seeds-from'), text('seed'), text('seeds')]
  const isUnnamed = others.every((each) => each === null)
  const isEndless = isUnnamed && text('for') === null
  if (isEndless) {
    const from = fromText === null ? randomInt(newSeedsBelow) : firstSeedOf(fromText)
    return { ...endless(from), forMs: null, isEndless }
  }
  const isNew = isUnnamed && fromText === null
  const given: SeedOptions = {
    text: (name) => (isNew && name === 'seeds' ? `${randomInt(newSeedsBelow)}..` : text(name)),
  }
  const found = seedsOf(given, (actual, expected) => badUsage('soak', actual, expected))
  if (found === null) throw badUsage('soak', 'no seeds', '--seeds or --for')
  if (found.kind === 'range') return { ...found, isEndless }
  return { from: found.seed, to: found.seed, forMs: null, isEndless }
}

// The command.

/** Makes the command. Tests replace `run` to soak another engine in their own process. */
export function soakCommand(spreadOver: SpreadOver, run: RunSoak = runSoak): Main {
  return commandOf(usage, async (parsed, context) => {
    const options = soakOptionsOf(parsed)
    return spreadOver(parsed, 'soak', context, ({ spread, note }) =>
      soak(options, context, { run, spread, note }),
    )
  })
}

type Work = Spreading & {
  readonly run: RunSoak
}

async function soak(options: SoakOptions, context: CliContext, work: Work): Promise<number> {
  const { seeds, writesFiles, report } = options
  const startedMs = performance.now()
  const folder = reportFolder('soak', report, startFolder(context.env))
  if (writesFiles) refuseUnwritable(folder)
  const isOne = seeds.from === seeds.to
  const earlier = isOne ? { lines: [], areLeft: false } : await earlierFailures(context)
  await writeAll(options.json ? context.stderr : context.stdout, earlier.lines)
  const { totals, shrunk } = await runAll(options, context, work)
  const time = duration((performance.now() - startedMs) / 60_000)
  const summary = totals.summary()
  const texts = options.json ? [jsonOf(summary)] : soakTexts(summary, time, lookOf(context))
  await writeAll(context.stdout, texts)
  await writeAll(options.json ? context.stderr : context.stdout, [shrunk])
  if (writesFiles) {
    const path = writeReport(folder, { 'summary.json': [jsonOf(summary)] })
    if (!options.json) await writeAll(context.stdout, [`summary  ${path}\n`])
  }
  if (!holds(summary) || earlier.areLeft) return exitCodes.failure
  const isInterrupted = context.signal.aborted && !seeds.isEndless
  return isInterrupted ? exitCodes.interrupted : exitCodes.success
}

type Earlier = { readonly lines: readonly string[]; readonly areLeft: boolean }

/** Runs what earlier runs have shrunk first: as long as it fails, it is the fastest finding. */
async function earlierFailures({ env, signal }: CliContext): Promise<Earlier> {
  const folder = reportFolder('', failuresFolder, startFolder(env))
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith('.json'))
    : []
  const lines: string[] = []
  let areLeft = false
  for (const name of names.toSorted()) {
    await nextTurn()
    if (signal.aborted) break
    const failed = stillFails(join(folder, name))
    areLeft ||= failed === true
    const does = failed === null ? 'is no scenario any more' : failed ? 'STILL FAILS' : 'holds now'
    lines.push(`${failuresFolder}/${name} ${does}\n`)
  }
  return { lines, areLeft }
}

/** Null if the file is no scenario of this version. */
function stillFails(path: string): boolean | null {
  try {
    const [source] = loadSources([path], '/', { settings: [], features: [] })
    if (source?.kind !== 'file') return null
    const properties = propertiesOf(source, source.scenario)
    return runAndJudge(source.scenario, { properties, once: false }).failures.length > 0
  } catch (error) {
    if (error instanceof BadLines) return null
    throw error
  }
}

/** The soak stops after this many findings, so that they do not fill the memory. */
const findingsAtMost = 1000

type Done = {
  readonly totals: SoakTotals
  /** Descriptions of the shrunk findings. */
  readonly shrunk: string
}

async function runAll(
  { seeds, untilQuiet, writesFiles }: SoakOptions,
  context: CliContext,
  { run, spread, note }: Work,
): Promise<Done> {
  const { forMs } = seeds
  const totals = new SoakTotals()
  const files = new FindingFiles(context)
  const enough = new AbortController()
  const extent = { forMs, seeds: seeds.isEndless ? null : sizeOf(seeds) }
  await under(
    campaignBar(context.stderr, () => `soak${note()}`, extent),
    (bar) =>
      run({
        seeds: seedsIn(seeds),
        onRun: (done) => {
          // What was handed out before it was quiet does not count, wherever it ran.
          if (untilQuiet !== null && totals.isQuiet(untilQuiet)) return
          const finding = totals.add(done)
          if (finding && writesFiles) files.add(done)
          const isQuiet = untilQuiet !== null && totals.isQuiet(untilQuiet)
          if (isQuiet || totals.findings >= findingsAtMost) enough.abort()
          bar.advance(finding ? 1 : 0)
        },
        enough: forMs === null ? enough.signal : signalOrAfter(enough.signal, forMs),
        signal: context.signal,
        spread,
      }),
  )
  return { totals, shrunk: await files.finished() }
}

// Writes the findings of a soak to `reports/failures/`, shrunk if possible.

/** Shrinking takes long, and further findings of one soak rarely show another fault. */
const shrunkAtMost = 20

/**
 * Shrinks and writes the first finding of each kind of failure, one after another, while the soak
 * runs.
 */
class FindingFiles {
  readonly #context: Pick<CliContext, 'env'>
  readonly #seen = new Set<string>()
  readonly #texts: string[] = []
  #work: Promise<void> = Promise.resolve()

  constructor(context: Pick<CliContext, 'env'>) {
    this.#context = context
  }

  add({ seed, failed }: SoakRun): void {
    const failure = failed ? firstFailure(failed.failures) : undefined
    if (!failed || !failure) return
    const breakage = JSON.stringify(breakageOf(failure))
    if (this.#seen.has(breakage) || this.#seen.size >= shrunkAtMost) return
    this.#seen.add(breakage)
    this.#work = this.#writeAfter(this.#work, failed, failure, seed)
    // `finished` throws the error.
    this.#work.catch(() => undefined)
  }

  async #writeAfter(
    before: Promise<void>,
    failed: FailedScenario,
    failure: Failure,
    seed: number,
  ): Promise<void> {
    await before
    const shrunk = await shrinkWithProgress(failed.scenario, failure, quiet)
    const smallest = shrunk ?? { ...failed, failure, tries: 0, isSmallest: false }
    const file = writeFailure(regressionOf(smallest, seed), this.#context)
    const lines = shrunk ? shrunkSummary(shrunk, file) : `run it with    ${simLine([file])}\n`
    this.#texts.push(`\nseed ${seed}\n${lines}`)
  }

  /** Returns the shrunk findings as text, with their commands. Throws if a file cannot be written. */
  async finished(): Promise<string> {
    await this.#work
    return this.#texts.join('')
  }
}

/** No second progress bar, and no interrupt: an interrupted soak still writes its findings. */
const quiet = { stderr: new PassThrough().resume(), signal: new AbortController().signal }

// The text output of a soak.

const findingsShown = 5

/** Formats the summary. `time` is the duration of the soak. */
function soakTexts(summary: SoakSummary, time: string, { colors, width }: Look): string[] {
  const ran = summary.ran.map(rangeText).join(', ')
  const head = [colors.bold('soak'), `seeds ${ran === '' ? 'none' : ran}`]
  const lines = [...head, several(summary.seeds, 'seed'), `in ${time}`]
  const stories = summary.findings.slice(0, findingsShown).map(({ seed, story, replay }) => {
    return `\nseed ${seed}\n${story}\nreproduce with ${replay}\n`
  })
  const found = `${lines.join('   ')}\n\n${tableOf(summary)}${detectionText(summary)}${unseenText(summary.unseen)}`
  // The commands of stories are copied, so they stay in a line.
  return [folded(found, width), ...stories, folded(`\n${verdictOf(summary, colors)}`, width)]
}

function tableOf({ kinds: totals }: SoakSummary): string {
  const rows = kinds.map((kind) => {
    const { seeds, runs, checks, findings } = totals[kind]
    return [kind, ...[seeds, runs, checks, findings].map(count)]
  })
  return columns([['', 'seeds', 'runs', 'checks', 'findings'], ...rows], [1, 2, 3, 4])
}

/** Reached coverage marks and detected defects show that the soak is effective. */
function detectionText({ marks, planted, forks }: SoakSummary): string {
  const reached = marks.filter(({ runs }) => runs > 0).length
  const all = planted.reduce((sum, each) => sum + each.planted, 0)
  const found = planted.reduce((sum, each) => sum + each.found, 0)
  const forked = `${count(forks.count)}, ${several(forks.commands, 'command')}`
  return `\nmarks reached    ${reached} of ${marks.length}\ndefects found    ${count(found)} of ${count(all)}\nforks            ${forked}\n`
}

function verdictOf(summary: SoakSummary, colors: Colors): string {
  const { findings } = summary
  const seeds = findings.map(({ seed }) => seed).join(', ')
  const faults = [
    ...(findings.length > 0 ? [`in ${several(findings.length, 'seed')}: ${seeds}`] : []),
    ...missedMarks(summary).map((name) => `never reached: ${name}`),
  ]
  if (faults.length === 0 && summary.seeds === 0) return 'Nothing was checked.\n'
  return faults.length === 0
    ? `${colors.green('holds')}\n`
    : `${colors.red('DOES NOT HOLD')}  ${faults.join('\n               ')}\n`
}
