/** `mergeyard bench`. */

import { resolve } from 'node:path'
import type { Colors } from 'picocolors/types.js'
import { commandOf, exitCodes, startFolder } from '../../server/terminal/command.ts'
import type { CliContext } from '../../server/terminal/command.ts'
import { readBytes } from '../../server/terminal/files.ts'
import { oneOf } from '../../server/terminal/readers.ts'
import type { OptionTable, ParsedOptions, Usage } from '../../server/terminal/options.ts'
import { under, workBar } from '../../sim/cli/progress-bar.ts'
import { colorsFor, writeAll } from '../../server/terminal/output.ts'
import { jsonOf, refuseUnwritable, reportFolder, writeReport } from '../../sim/cli/report-files.ts'
import { columns } from '../../server/terminal/text.ts'
import {
  benchmarkText,
  changesBetween,
  changesText,
  documentOf,
  missedIn,
  readDocument,
  verdictText,
} from '../benchmarks/document.ts'
import type { BenchDocument, BenchmarkResult } from '../benchmarks/document.ts'
import { calibrationPage } from '../benchmarks/calibration.ts'
import { historiesIn } from '../../sim/import/ci-runs.ts'
import { benchmarks } from '../benchmarks/index.ts'
import type { Benchmark } from '../benchmarks/measurement.ts'

// The options of `mergeyard bench`.

const table = {
  'only <name>...': 'run only this benchmark',
  quick: 'run every benchmark once with small inputs, as a smoke test without targets',
  'compare <old.json>': 'compare with the document of an earlier run, with ratios',
  'traces <folder>':
    'replay the histories of builds in this folder (CSV), for the benchmark calibration',
  json: 'print only the result document, as JSON, to standard output',
  'report <folder>': 'write the report to this folder (default: reports/bench)',
  'no-report': 'write no files',
} as const satisfies OptionTable

type Parsed = ParsedOptions<typeof table>

const names = benchmarks.map(({ name, title }) => [`  ${name}`, title])

const usage: Usage<typeof table> = {
  command: 'bench',
  npm: 'npm run bench --',
  about: 'Measure the cost of the engine, the simulator and the server, as ratios within one run.',
  table,
  more: `Benchmarks:
${columns(names)}
Exit code: 0 all targets are met; 1 a target is missed; 2 invalid input; 130 interrupted.
`,
}

/** Those that `--only` names; without it all. */
function selectedBy({ readList }: Parsed): readonly Benchmark[] {
  const all = benchmarks.map(({ name }) => name)
  const only = readList('only', oneOf(all, `one of ${all.join(', ')}`))
  return benchmarks.filter(({ name }) => only.length === 0 || only.includes(name))
}

export const main = commandOf(usage, run)

async function run(parsed: Parsed, context: CliContext): Promise<number> {
  const from = startFolder(context.env)
  const selected = selectedBy(parsed)
  const isJson = parsed.flag('json')
  const isWritten = !parsed.flag('no-report')
  const folder = reportFolder('bench', parsed.text('report'), from)
  if (isWritten) refuseUnwritable(folder)
  if (parsed.isGiven('traces') && !selected.some(({ name }) => name === 'calibration')) {
    throw parsed.fault('traces', 'the benchmark calibration among those of --only')
  }
  parsed.readGiven('traces', (given) => historiesIn(resolve(from, given)))
  // Read the old document first, because the measurements take minutes.
  const old = parsed.readGiven('compare', (file) => readEarlier(file, from))
  const colors = colorsFor(isJson ? context.stderr : context.stdout, context.env)
  const results = await measureAll(selected, parsed, { ...context, colors })
  const document = documentOf(results, parsed.flag('quick'), new Date())
  const changes = old ? changesBetween(old, document) : null
  const text = jsonOf({ ...document, ...(changes ? { changes } : {}) })
  if (isWritten) {
    const sources = document.benchmarks.flatMap(({ published }) => published)
    writeReport(folder, {
      'bench.json': [text],
      ...(sources.length > 0 ? { 'calibration.html': [calibrationPage(sources)] } : {}),
    })
    if (!isJson) await writeAll(context.stdout, [`report  ${folder}\n`])
  }
  const comparison = changes ? [changesText(changes, colors)] : []
  const texts = isJson ? [text] : [...comparison, verdictText(document, colors)]
  await writeAll(context.stdout, texts)
  return exitCodeOf(document, context)
}

function exitCodeOf(document: BenchDocument, { signal }: CliContext): number {
  if (signal.aborted) return exitCodes.interrupted
  return missedIn(document) > 0 ? exitCodes.failure : exitCodes.success
}

/** Measures the benchmarks one after another, and prints each result at once. */
async function measureAll(
  selected: readonly Benchmark[],
  { flag, readGiven }: Parsed,
  { stdout, stderr, signal, env, colors }: CliContext & { readonly colors: Colors },
): Promise<BenchmarkResult[]> {
  const quick = flag('quick')
  const traces = readGiven('traces', (given) => resolve(startFolder(env), given))
  const results: BenchmarkResult[] = []
  for (const { name, title, measure } of selected) {
    const ofAll = workBar(stderr, 'measuring', selected.length, 'benchmarks')
    const measured = await under(ofAll, (bar) => {
      const progress = (step: string): void => bar.update(results.length, `${name}: ${step}`)
      progress(title)
      return measure({ isQuick: quick, traces, progress, signal })
    })
    if (signal.aborted) break
    results.push({ name, title, ...measured })
    const last = results.slice(-1).map((result) => benchmarkText(result, quick, colors))
    if (!flag('json')) await writeAll(stdout, last)
  }
  return results
}

/** Reads the document of an earlier run. Throws `BadInput`. */
function readEarlier(file: string, from: string): BenchDocument {
  return readDocument(Buffer.from(readBytes(resolve(from, file), file)).toString('utf8'), file)
}
