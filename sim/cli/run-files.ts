/** Runs scenario files, each with one seed. */

import { resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Colors } from 'picocolors/types.js'
import { Explainer } from '../explain/narrator.ts'
import { replayCommand, type Source, nameOf, propertiesOf, scenarioOf } from '../judge/source.ts'
import { type JudgedRun, runningAndJudging } from '../judge/run-scenario.ts'
import { storyOf } from '../judge/verdict.ts'
import { RunRecording } from '../report/recording/recording.ts'
import { everyone, type Figures } from '../result/result-document.ts'
import { figureRows } from '../result/figure-rows.ts'
import { resultTexts } from '../result/write-result.ts'
import type { Steps } from '../run/simulate.ts'
import { firstGeneratedNumber, generatedCount, type Scenario } from '../scenario/scenario.ts'
import { expand } from '../shrink/expand.ts'
import { exitCodes, Interrupted, startFolder } from '../../server/terminal/command.ts'
import type { CliContext } from '../../server/terminal/command.ts'
import { colorsFor, writeAll, writeText } from '../../server/terminal/output.ts'
import {
  refuseFolders,
  reportFolder,
  writeScenario,
  writeReport,
  TraceFile,
} from './report-files.ts'
import { columns, count, duration, several } from '../../server/terminal/text.ts'
import type { Options } from './options.ts'
import { usageFault } from './values.ts'
import { shrunkText } from './shrink-failure.ts'

type FinishedRun = {
  readonly source: Source
  readonly run: JudgedRun
  readonly explainer: Explainer | null
  /** The input of the report; null if no report is written. */
  readonly recording: RunRecording | null
}

/** Runs the files in the given order. Returns the exit code. */
export async function runFiles(
  sources: readonly Source[],
  options: Options,
  context: CliContext,
): Promise<number> {
  refuseEarly(sources, options, context)
  const done: FinishedRun[] = []
  // One result is the document, several are a list in the given order.
  const isList = options.json && sources.length > 1
  const writeJson = (texts: Iterable<string>): Promise<void> => writeAll(context.stdout, texts)
  if (isList) await writeJson(['{ "results": [\n'])
  for (const source of sources) {
    await nextTurn()
    const each = context.signal.aborted ? null : await runOne(source, options, context)
    if (each === null) break
    done.push(each)
    if (isList && done.length > 1) await writeJson([',\n'])
    if (options.json) await writeJson(resultTexts(each.run.result))
    await reportRun(each, { ...options, scenarioCount: sources.length }, context)
  }
  if (isList) await writeJson([']}\n'])
  if (!options.json && sources.length > 1) await writeText(context.stdout, tableOf(done))
  const unfinished = sources[done.length]
  if (unfinished) throw new Interrupted(`interrupted before the end of ${nameOf(unfinished)}`)
  return done.some(({ run }) => run.failures.length > 0) ? exitCodes.failure : exitCodes.success
}

/** Throws `BadInput` for what would only fail after the run. */
function refuseEarly(
  sources: readonly Source[],
  { why, report, writesFiles, seeds }: Options,
  { env }: CliContext,
): void {
  if (writesFiles) refuseFolders(sources.map(nameOf), report, startFolder(env))
  if (why === null) return
  for (const source of sources) {
    const scenario = scenarioOf(source, seeds?.kind === 'one' ? seeds.seed : null)
    if (!hasPullRequest(scenario, why)) {
      throw usageFault(`--why ${why}`, `the number of a pull request: ${numbersOf(scenario)}`)
    }
  }
}

/** Returns null if the run was interrupted. */
async function runOne(
  source: Source,
  options: Options,
  context: CliContext,
): Promise<FinishedRun | null> {
  const scenario = scenarioOf(source, options.seeds?.kind === 'one' ? options.seeds.seed : null)
  const from = startFolder(context.env)
  if (options.expand !== null)
    writeScenario(resolve(from, options.expand), '--expand', expand(scenario))
  const trace = options.trace === null ? null : new TraceFile(resolve(from, options.trace))
  const onTrace = trace ? { onTrace: trace.add } : {}
  const explainer = options.why === null ? null : new Explainer(options.why)
  const recording = options.writesFiles ? new RunRecording() : null
  const observers = [explainer, recording].flatMap((each) => each?.observer ?? [])
  const onRejection = explainer ? { onRejection: explainer.onRejection } : {}
  const onViolation = recording ? { onViolation: recording.onViolation } : {}
  const properties = propertiesOf(source, scenario)
  const { once } = options
  const judgeOptions = { properties, once, observers, ...onTrace, ...onViolation, ...onRejection }
  const run = await untilInterrupted(runningAndJudging(scenario, judgeOptions), context.signal)
  trace?.close()
  return run && { source, run, explainer, recording }
}

type ReportOptions = Options & { readonly scenarioCount: number }

/** Prints the summary of a single scenario. Of several scenarios, prints only the failures. */
async function reportRun(
  done: FinishedRun,
  options: ReportOptions,
  context: CliContext,
): Promise<void> {
  const { source, run } = done
  const isOnly = options.scenarioCount === 1
  const to = options.json ? context.stderr : context.stdout
  const colors = colorsFor(to, context.env)
  const write = (text: string): Promise<void> => writeAll(to, [text])
  if (done.explainer) await writeText(to, done.explainer.story(colors))
  else if (isOnly && !options.json) await writeText(to, summaryText(run, colors, options.once))
  if (run.failures.length > 0) {
    await write(storiesText(done, options))
    await write(await shrunkText(run, options, context))
  }
  if (done.recording) {
    const summary = summaryText(run, colorsFor(context.stdout, { NO_COLOR: '1' }), options.once)
    const input = { source, run, recording: done.recording, summary }
    const report = await writeRunReport(input, options, context)
    if (isOnly && !options.json) await write(`report  ${report}\n`)
  }
}

const storiesShown = 5

function storiesText({ source, run }: FinishedRun, { settings }: Options): string {
  const stories = run.failures.slice(0, storiesShown).map(storyOf)
  const more = run.failures.length - stories.length
  if (more > 0) stories.push(`... and ${count(more)} more`)
  const replay = replayCommand({ source, seed: run.result.figures.seed, settings })
  return `\n${run.scenario.name}\n${stories.join('\n')}\nreproduce with ${replay}\n`
}

/** A table with one line per scenario, and a verdict on all. */
function tableOf(done: readonly FinishedRun[]): string {
  const rows = done.map(({ run: { scenario, failures, result } }) => {
    const { merged, failed, cancelled, testRuns } = result.figures.totals
    const verdict = failures.length === 0 ? 'holds' : 'FAILS'
    return [verdict, scenario.name, ...[merged, failed, cancelled, testRuns].map(count)]
  })
  const head = ['', 'scenario', 'merged', 'failed', 'cancelled', 'test runs']
  const failing = done.filter(({ run }) => run.failures.length > 0).length
  const verdict =
    failing === 0
      ? `all ${count(done.length)} hold`
      : `${count(failing)} of ${count(done.length)} FAIL`
  return `${columns([head, ...rows], [2, 3, 4, 5])}\n${verdict}\n`
}

// Writes the files of a run with one seed: report, summary and result.

type RunReportInput = {
  readonly source: Source
  readonly run: JudgedRun
  readonly recording: RunRecording
  readonly summary: string
}

/** Writes the files. Returns the path of the report page. */
async function writeRunReport(
  { source, run, recording, summary }: RunReportInput,
  { report, once, settings, scenarioCount }: ReportOptions,
  { env }: CliContext,
): Promise<string> {
  // The chart library loads slowly, so it is imported only for a report.
  const { runReport } = await import('../report/run-report.ts')
  const replay = replayCommand({ source, seed: run.result.figures.seed, settings })
  const failures = run.failures.map(storyOf)
  const origin = { kind: 'drawn', isCompared: !once } as const
  const page = await runReport({ ...run, failures, recording, origin, replay })
  const folder = reportFolder(run.scenario.name, report, startFolder(env), scenarioCount)
  return writeReport(folder, {
    'report.html': [page],
    'summary.txt': [summary],
    'result.json': resultTexts(run.result),
  })
}

// Long work that Ctrl-C can end.

/** This many steps take a fraction of a second. The pauses between them cost almost nothing. */
const stepsBetween = 1000

/** Runs the work to its end. Returns its result, or null if it was interrupted. */
export async function untilInterrupted<T>(work: Steps<T>, signal: AbortSignal): Promise<T | null> {
  let step = work.next()
  for (let steps = 1; step.done !== true; steps++) {
    if (steps % stepsBetween === 0) await nextTurn()
    if (signal.aborted) return null
    step = work.next()
  }
  return step.value
}

// The summary of one run, for a quick overview.

type SummarizedRun = Pick<JudgedRun, 'scenario' | 'result' | 'failures'>

/** Returns the summary as text of several lines. With `once` no second run was compared. */
export function summaryText(run: SummarizedRun, colors: Colors, once: boolean): string {
  const { scenario, result } = run
  const { figures } = result
  const head =
    `${colors.bold(scenario.name)}   seed ${figures.seed}   ` +
    `${several(everyone(figures.totals), 'pull request')} in ${duration(figures.endedAtMinutes)}\n`
  const about = scenario.description === undefined ? '' : `${scenario.description}\n`
  return `${head}${about}\n${figuresOf(figures)}\n${verdictOf(run, colors, once)}`
}

function figuresOf(figures: Figures): string {
  const rows = figureRows(figures, true).map(({ name, value, note, causes = '' }) => {
    return [`  ${name}`, value, causes === '' ? note : `${note}: ${causes}`]
  })
  return `${columns(rows, [1])}${clashesOf(figures.laneClashes)}`
}

const clashesShown = 3

/** Failures between pull requests without a common target, which no queue can foresee. */
function clashesOf(clashes: Figures['laneClashes']): string {
  if (clashes.length === 0) return ''
  const shown = clashes.slice(0, clashesShown).map(({ pullRequests: [first, second], how }) => {
    return `    ${first} and ${second} ${how}, and declared no common target\n`
  })
  const more = clashes.length - shown.length
  const rest = more > 0 ? `    ... and ${count(more)} more\n` : ''
  return `  lane clashes  ${count(clashes.length)}\n${shown.join('')}${rest}`
}

function verdictOf({ result, failures }: SummarizedRun, colors: Colors, once: boolean): string {
  const { properties, expectations } = result
  const checks = properties.reduce((sum, { checked }) => sum + checked, 0)
  const expected =
    expectations.length === 0 ? '' : `, ${several(expectations.length, 'expectation')}`
  const compared = once ? '' : '; run twice with identical output'
  const all = `${several(properties.length, 'property').replace('propertys', 'properties')}, ${several(checks, 'check')}${expected}`
  if (failures.length === 0) return `${colors.green('holds')}  ${all}${compared}\n`
  return `${colors.red('DOES NOT HOLD')}  ${several(failures.length, 'failure')} among ${all}\n`
}

function hasPullRequest(scenario: Scenario, number: number): boolean {
  const { pullRequests = [] } = scenario
  const isGenerated =
    number >= firstGeneratedNumber && number < firstGeneratedNumber + generatedCount(scenario)
  return isGenerated || pullRequests.some((each) => each.number === number)
}

/** `1, 2, 7 or 1001 to 1400`: the numbers as text, at most a few of those that are listed. */
function numbersOf(scenario: Scenario): string {
  const listed = (scenario.pullRequests ?? []).map(({ number }) => number)
  const more = generatedCount(scenario)
  const generated =
    more === 0 ? [] : [`${firstGeneratedNumber} to ${firstGeneratedNumber + more - 1}`]
  const shown = listed.length > mostListed ? [...listed.slice(0, mostListed), '...'] : listed
  const parts = [...(shown.length === 0 ? [] : [shown.join(', ')]), ...generated]
  return parts.length === 0 ? 'none, as it has no pull request' : parts.join(' or ')
}

const mostListed = 10
