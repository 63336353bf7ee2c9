/** `npm run bench`, from arguments to exit code. */

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Colors } from 'picocolors/types.js'
import { colorsFor, writeAll } from '../../sim/command-line/output.ts'
import { reportFolder, writeReport } from '../../sim/command-line/report-files.ts'
import { exitCodes, startFolder, type Surroundings } from '../../sim/command-line/surroundings.ts'
import { BadInput } from '../../sim/scenario/bad-input.ts'
import { benchmarks as everything } from '../benchmarks/index.ts'
import { changesBetween, readDocument } from '../document/compare.ts'
import {
  documentOf,
  missedIn,
  type BenchDocument,
  type BenchmarkResult,
} from '../document/document.ts'
import { benchmarkText, changesText, verdictText } from '../document/table.ts'
import { helpText, readOptions, usageFault, type Options } from './options.ts'
import { progressBar } from './progress.ts'

/** Does what the arguments ask. Answers the exit code; never throws for what a person got wrong. */
export async function main(args: readonly string[], around: Surroundings): Promise<number> {
  try {
    const options = readOptions(args, around.env)
    if (options.help) {
      await writeAll(around.stdout, [helpText()])
      return exitCodes.holds
    }
    return await run(options, around)
  } catch (error) {
    if (!(error instanceof BadInput)) throw error
    await writeAll(around.stderr, [`${error.lines.join('\n')}\n`])
    return exitCodes.badInput
  }
}

async function run(options: Options, around: Surroundings): Promise<number> {
  const from = startFolder(around.env)
  // Read before anything is measured: the measuring takes minutes.
  const old = options.compare === null ? null : earlier(options.compare, from)
  const colors = colorsFor(options.json ? around.stderr : around.stdout, around.env)
  const results = await measureAll(options, around, colors)
  const document = documentOf(results, options.quick, new Date())
  const changes = old ? changesBetween(old, document) : null
  const text = `${JSON.stringify({ ...document, ...(changes ? { changes } : {}) }, null, 2)}\n`
  if (options.writesFiles) {
    const folder = reportFolder('bench', options.report, from)
    // Loads the chart library: only where there is a page to draw.
    const { pageOf } = await import('../document/page.ts')
    const page = await pageOf(document, changes)
    writeReport(folder, { 'bench.json': [text], 'index.html': [page] })
    if (!options.json) await writeAll(around.stdout, [`report  ${folder}\n`])
  }
  const comparison = changes ? [changesText(changes, colors)] : []
  const told = options.json ? [text] : [...comparison, verdictText(document, colors)]
  await writeAll(around.stdout, told)
  return exitCodeOf(document, around)
}

function exitCodeOf(document: BenchDocument, { signal }: Surroundings): number {
  if (signal.aborted) return exitCodes.interrupted
  return missedIn(document) > 0 ? exitCodes.fails : exitCodes.holds
}

/** One after the other, each told as soon as it is done. */
async function measureAll(
  { only, quick, json }: Options,
  around: Surroundings,
  colors: Colors,
): Promise<BenchmarkResult[]> {
  const { stdout, stderr, signal } = around
  const wanted = everything.filter(({ name }) => only.length === 0 || only.includes(name))
  const bar = progressBar(stderr, wanted.length)
  const results: BenchmarkResult[] = []
  try {
    for (const { name, title, measure } of wanted) {
      const progress = (doing: string): void => bar.tell(`${name}: ${doing}`)
      progress(title)
      const found = await measure({ isQuick: quick, progress, signal })
      if (signal.aborted) break
      const result = { name, title, ...found }
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

function earlier(file: string, from: string): BenchDocument {
  const path = resolve(from, file)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    throw usageFault(`--compare ${file}, which cannot be read`, 'a file that `npm run bench` wrote')
  }
  return readDocument(text, file)
}
