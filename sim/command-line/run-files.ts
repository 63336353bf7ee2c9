/** Scenario files, each with one seed. */

import { resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Colors } from 'picocolors/types.js'
import { expand } from '../expand.ts'
import { Recording } from '../report/recording/recording.ts'
import { resultTexts } from '../result/write-result.ts'
import type { Options } from './options.ts'
import { colorsFor, writeAll } from './output.ts'
import { replayCommand } from './replay.ts'
import { wishedFolder, writeExpanded } from './report-files.ts'
import { writeRunReport } from './report-of-run.ts'
import { runningAndJudging, type JudgedRun } from './run-file.ts'
import { nameOf, propertiesOf, scenarioOf, type Source } from './source.ts'
import { shrunkText } from './shrink-failure.ts'
import { storyOf } from './story.ts'
import { summaryOf } from './summary.ts'
import { exitCodes, startFolder, type Surroundings } from './surroundings.ts'
import { columns, count } from './text.ts'
import { TraceFile } from './trace-file.ts'
import { untilInterrupted } from './until-interrupted.ts'
import { Why } from '../why/why.ts'

type Done = {
  readonly source: Source
  readonly run: JudgedRun
  readonly why: Why | null
  /** For the report; null when none is wanted. */
  readonly recording: Recording | null
}

/** Runs the files in the order given. Answers the exit code. */
export async function runFiles(
  sources: readonly Source[],
  options: Options,
  around: Surroundings,
): Promise<number> {
  const done: Done[] = []
  const json = options.json ? jsonDocument(sources.length, around) : null
  await json?.begin()
  for (const source of sources) {
    await nextTurn()
    const each = around.signal.aborted ? null : await runOne(source, options, around)
    if (each === null) break
    done.push(each)
    await json?.add(each.run)
    await tell(each, { ...options, howMany: sources.length }, around)
  }
  await json?.end()
  if (!options.json && sources.length > 1) await writeAll(around.stdout, [tableOf(done)])
  const unfinished = sources[done.length]
  if (unfinished) {
    await writeAll(around.stderr, [`interrupted before the end of ${nameOf(unfinished)}\n`])
    return exitCodes.interrupted
  }
  return done.some(({ run }) => run.failures.length > 0) ? exitCodes.fails : exitCodes.holds
}

/** Null when it was interrupted. */
async function runOne(
  source: Source,
  options: Options,
  around: Surroundings,
): Promise<Done | null> {
  const scenario = scenarioOf(source, options.seeds?.kind === 'one' ? options.seeds.seed : null)
  const from = startFolder(around.env)
  if (options.expand !== null) writeExpanded(resolve(from, options.expand), expand(scenario))
  const trace = options.trace === null ? null : new TraceFile(resolve(from, options.trace))
  const onTrace = trace ? { onTrace: trace.add } : {}
  const why = options.why === null ? null : new Why(options.why)
  const recording = options.writesFiles ? new Recording() : null
  const readers = [why, recording].flatMap((each) => each?.reader ?? [])
  const onViolation = recording ? { onViolation: recording.onViolation } : {}
  const properties = propertiesOf(source, scenario)
  const { once } = options
  const wish = { properties, once, readers, ...onTrace, ...onViolation }
  const run = await untilInterrupted(runningAndJudging(scenario, wish), around.signal)
  trace?.close()
  return run && { source, run, why, recording }
}

/** What was asked for, and among how many. */
type Telling = Options & { readonly howMany: number }

/** The summary where there is one scenario; of several only those that fail speak up. */
async function tell(done: Done, options: Telling, around: Surroundings): Promise<void> {
  const { source, run } = done
  const isAlone = options.howMany === 1
  const to = options.json ? around.stderr : around.stdout
  const colors = colorsFor(to, around.env)
  const say = (text: string): Promise<void> => writeAll(to, [text])
  if (done.why) await say(done.why.story(colors))
  else if (isAlone && !options.json) await say(summaryText(run, colors, options.once))
  if (run.failures.length > 0) {
    await say(storiesText(done, options))
    await say(await shrunkText(run, options, around))
  }
  if (done.recording) {
    const summary = summaryText(run, colorsFor(around.stdout, { NO_COLOR: '1' }), options.once)
    const told = { source, run, recording: done.recording, summary }
    const folder = wishedFolder(run.scenario.name, options.report, options.howMany)
    const report = await writeRunReport(told, { ...options, report: folder }, around)
    if (isAlone && !options.json) await say(`report  ${report}\n`)
  }
}

function summaryText(
  { scenario, result, failures }: JudgedRun,
  colors: Colors,
  once: boolean,
): string {
  return summaryOf({ scenario, ...result, failures: failures.length, isCompared: !once }, colors)
}

const storiesShown = 5

function storiesText({ source, run }: Done, { settings }: Options): string {
  const stories = run.failures.slice(0, storiesShown).map(storyOf)
  const more = run.failures.length - stories.length
  if (more > 0) stories.push(`... and ${count(more)} more`)
  const replay = replayCommand({ source, seed: run.result.figures.seed, settings })
  return `\n${run.scenario.name}\n${stories.join('\n')}\nshow it again  ${replay}\n`
}

/** A line per scenario, and what came of them all. */
function tableOf(done: readonly Done[]): string {
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

type JsonDocument = {
  begin(): Promise<void>
  add(run: JudgedRun): Promise<void>
  end(): Promise<void>
}

/** One result by itself; several as `{ "results": [...] }`, in the order given. */
function jsonDocument(howMany: number, { stdout }: Surroundings): JsonDocument {
  if (howMany === 1) {
    return {
      begin: () => Promise.resolve(),
      add: ({ result }) => writeAll(stdout, resultTexts(result)),
      end: () => Promise.resolve(),
    }
  }
  let isFirst = true
  return {
    begin: () => writeAll(stdout, ['{ "results": [\n']),
    add: async ({ result }) => {
      if (!isFirst) await writeAll(stdout, [',\n'])
      isFirst = false
      await writeAll(stdout, resultTexts(result))
    },
    end: () => writeAll(stdout, [']}\n']),
  }
}
