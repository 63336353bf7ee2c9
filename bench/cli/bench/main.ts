/** `mergeyard bench`. */

import cliProgress from 'cli-progress'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import type { Colors } from 'picocolors/types.js'
import { commandOf } from '../../../sim/terminal/command.ts'
import { type CliContext, exitCodes, startFolder } from '../../../sim/terminal/context.ts'
import { colorsFor, isTerminalStream, writeAll } from '../../../sim/terminal/output.ts'
import { reportFolder, writeReport } from '../../../sim/terminal/report-files.ts'
import {
  type BenchDocument,
  type BenchmarkResult,
  benchmarkText,
  changesBetween,
  changesText,
  documentOf,
  missedIn,
  readDocument,
  verdictText,
} from '../../benchmarks/document.ts'
import { benchmarks } from '../../benchmarks/index.ts'
import { type Options, readOptions, usage, usageFault } from './options.ts'

export const main = commandOf(usage, (parsed, context) => run(readOptions(parsed), context))

async function run(options: Options, context: CliContext): Promise<number> {
  const from = startFolder(context.env)
  // Read the old document first, because the measurements take minutes.
  const old = options.compare === null ? null : readEarlier(options.compare, from)
  const colors = colorsFor(options.json ? context.stderr : context.stdout, context.env)
  const results = await measureAll(options, context, colors)
  const document = documentOf(results, options.quick, new Date())
  const changes = old ? changesBetween(old, document) : null
  const text = `${JSON.stringify({ ...document, ...(changes ? { changes } : {}) }, null, 2)}\n`
  if (options.writesFiles) {
    const folder = reportFolder('bench', options.report, from)
    // The chart library loads slowly, so it is imported only for a page.
    const { calibrationPage, pageOf } = await import('../../benchmarks/report.ts')
    const page = await pageOf(document, changes)
    const sources = document.benchmarks.flatMap(({ published }) => published)
    writeReport(folder, {
      'bench.json': [text],
      'index.html': [page],
      ...(sources.length > 0 ? { 'calibration.html': [calibrationPage(sources)] } : {}),
    })
    if (!options.json) await writeAll(context.stdout, [`report  ${folder}\n`])
  }
  const comparison = changes ? [changesText(changes, colors)] : []
  const texts = options.json ? [text] : [...comparison, verdictText(document, colors)]
  await writeAll(context.stdout, texts)
  return exitCodeOf(document, context)
}

function exitCodeOf(document: BenchDocument, { signal }: CliContext): number {
  if (signal.aborted) return exitCodes.interrupted
  return missedIn(document) > 0 ? exitCodes.failure : exitCodes.success
}

/** Measures the benchmarks one after another, and prints each result at once. */
async function measureAll(
  { only, quick, json, traces: given }: Options,
  context: CliContext,
  colors: Colors,
): Promise<BenchmarkResult[]> {
  const { stdout, stderr, signal } = context
  const traces = given === null ? null : resolve(startFolder(context.env), given)
  const selected = benchmarks.filter(({ name }) => only.length === 0 || only.includes(name))
  const bar = progressBar(stderr, selected.length)
  const results: BenchmarkResult[] = []
  try {
    for (const { name, title, measure } of selected) {
      const progress = (step: string): void => bar.describe(`${name}: ${step}`)
      progress(title)
      const measured = await measure({ isQuick: quick, traces, progress, signal })
      if (signal.aborted) break
      const result = { name, title, ...measured }
      results.push(result)
      bar.stop()
      if (!json) await writeAll(stdout, [benchmarkText(result, quick, colors)])
      bar.advance()
    }
  } finally {
    bar.stop()
  }
  return results
}

/** Reads the document of an earlier run. Throws `BadInput`. */
function readEarlier(file: string, from: string): BenchDocument {
  const path = resolve(from, file)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    throw usageFault(`--compare ${file}, which cannot be read`, 'a file that `npm run bench` wrote')
  }
  return readDocument(text, file)
}

// The progress bar of the benchmarks. It appears only on a terminal.

type BenchProgress = {
  /** Shows the current step. */
  describe(step: string): void
  /** Counts a finished benchmark. */
  advance(): void
  /** Clears the line for other output. The next `describe` shows the bar again. */
  stop(): void
}

const silent: BenchProgress = {
  describe: () => undefined,
  advance: () => undefined,
  stop: () => undefined,
}

function progressBar(to: Writable, total: number): BenchProgress {
  if (!isTerminalStream(to)) return silent
  const bar = new cliProgress.SingleBar({
    stream: to,
    format: '{bar}  {value} of {total} benchmarks, {step}',
    hideCursor: true,
    clearOnComplete: true,
    barsize: 20,
  })
  let [done, step] = [0, 'starting']
  const show = (): void => {
    if (!bar.isActive) bar.start(total, done, { step })
    bar.update(done, { step })
  }
  show()
  return {
    describe: (next) => {
      step = next
      show()
    },
    advance: () => void done++,
    stop: () => bar.stop(),
  }
}
