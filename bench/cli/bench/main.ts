/** `mergeyard bench`. */

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Colors } from 'picocolors/types.js'
import { commandOf } from '../../../sim/terminal/command.ts'
import { colorsFor, writeAll } from '../../../sim/terminal/output.ts'
import { reportFolder, writeReport } from '../../../sim/terminal/report-files.ts'
import { exitCodes, startFolder, type CliContext } from '../../../sim/terminal/context.ts'
import { benchmarks } from '../../benchmarks/index.ts'
import {
  benchmarkText,
  changesBetween,
  changesText,
  documentOf,
  missedIn,
  readDocument,
  verdictText,
  type BenchDocument,
  type BenchmarkResult,
} from '../../benchmarks/document.ts'
import { readOptions, usage, usageFault, type Options } from './options.ts'
import { progressBar } from './progress.ts'

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
