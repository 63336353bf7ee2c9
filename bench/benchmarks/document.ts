/**
 * The document with all results of a benchmark run, as written to `reports/bench/bench.json`, how it differs
 * from that of an earlier run, and both as text for the terminal.
 */

import { availableParallelism, cpus } from 'node:os'
import type { Colors } from 'picocolors/types.js'
import { BadInput } from '../../server/terminal/bad-input.ts'
import { columns, count, several } from '../../server/terminal/text.ts'
import { right } from '../../sim/html/components.ts'
import { type TableSection, textSection } from '../../sim/html/table-section.ts'
import type { PublishedFigure, Source } from '../calibration/published-figure.ts'
import { figure } from '../statistics/effects.ts'
import type { Figure, Measured, Spread, Target, Unit } from './measurement.ts'

const format = 'mergeyard benchmarks'

export type BenchmarkResult = { readonly name: string; readonly title: string } & Measured

export type BenchDocument = {
  readonly format: typeof format
  readonly version: 1
  readonly madeAt: string
  /**
   * Absolute figures depend on the machine. Ratios are taken within one run and depend on it less.
   */
  readonly machine: {
    readonly node: string
    readonly platform: string
    readonly processor: string
    readonly cores: number
  }
  readonly quick: boolean
  readonly benchmarks: readonly BenchmarkResult[]
}

/** Returns the document of a run that ended at `madeAt` on this machine. */
export function documentOf(
  benchmarks: readonly BenchmarkResult[],
  quick: boolean,
  madeAt: Date,
): BenchDocument {
  return {
    format,
    version: 1,
    madeAt: madeAt.toISOString(),
    machine: {
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      processor: cpus()[0]?.model.trim() ?? 'unknown',
      cores: availableParallelism(),
    },
    quick,
    benchmarks,
  }
}

/** Returns the number of missed targets; 0 for a quick run, whose targets are not judged. */
export function missedIn({ quick, benchmarks }: BenchDocument): number {
  if (quick) return 0
  return benchmarks.flatMap(({ targets }) => targets).filter(({ isMet }) => !isMet).length
}

export type Change = {
  readonly benchmark: string
  readonly figure: string
  readonly unit: Figure['unit']
  readonly old: number
  readonly now: number
  /** New divided by old. */
  readonly ratio: number
  /** True if the ranges of the two overlap: then the ratio may be noise. */
  readonly isNoise: boolean
}

/** Returns the changes of the figures that are in both documents, in the order of the new one. */
export function changesBetween(old: BenchDocument, now: BenchDocument): Change[] {
  return now.benchmarks.flatMap((benchmark) => {
    const oldBenchmark = old.benchmarks.find(({ name }) => name === benchmark.name)
    if (!oldBenchmark) return []
    const known = [...oldBenchmark.figures, ...oldBenchmark.targets]
    return [...benchmark.figures, ...benchmark.targets].flatMap((each) => {
      const before = known.find(({ name, unit }) => name === each.name && unit === each.unit)
      return before ? [changeOf(benchmark.name, before, each)] : []
    })
  })
}

type Compared = Pick<Figure | Target, 'name' | 'unit' | 'value'>

function changeOf(benchmark: string, before: Compared, after: Compared): Change {
  return {
    benchmark,
    figure: after.name,
    unit: after.unit,
    old: before.value.median,
    now: after.value.median,
    ratio: after.value.median / before.value.median,
    isNoise: after.value.low <= before.value.high && before.value.low <= after.value.high,
  }
}

/**
 * Reads a document that `npm run bench` wrote. `file` is its name for error messages.
 * Throws `BadInput` if the text is not such a document.
 */
export function readDocument(text: string, file: string): BenchDocument {
  const document: Partial<BenchDocument> | null = parsed(text, file)
  if (document?.format === format && document.version === 1 && document.benchmarks) {
    const { benchmarks, madeAt = '', machine, quick = false } = document
    if (machine) return { format, version: 1, madeAt, machine, quick, benchmarks }
  }
  throw fault(file, 'another document')
}

function parsed(text: string, file: string): Partial<BenchDocument> | null {
  try {
    const document: Partial<BenchDocument> | null = JSON.parse(text.replace(/^\ufeff/, ''))
    return document
  } catch {
    throw fault(file, 'text that is not JSON')
  }
}

function fault(file: string, actual: string): BadInput {
  return new BadInput(file, [{ where: '', expected: 'a file that `npm run bench` wrote', actual }])
}

const steps: Readonly<Record<'ns' | 'bytes', readonly (readonly [number, string])[]>> = {
  ns: [
    [1e9, 's'],
    [1e6, 'ms'],
    [1e3, 'µs'],
    [1, 'ns'],
  ],
  bytes: [
    [2 ** 30, 'GiB'],
    [2 ** 20, 'MiB'],
    [2 ** 10, 'KiB'],
    [1, 'B'],
  ],
}

/**
 * Formats a number with its unit: `12.3 µs`, `384 MiB`, `8,745 per second`, `1.04 times`, `91 %`.
 */
export function inWords(value: number, unit: Unit): string {
  switch (unit) {
    case 'ns':
    case 'bytes': {
      const [size, name] = stepFor(value, unit)
      return `${figure(value / size)} ${name}`
    }
    case 'per second':
      return `${count(Math.round(value))} per second`
    case 'times':
      return `${figure(value)} times`
    case 'share':
      return `${figure(100 * value)} %`
  }
}

/**
 * Formats a range as `11.2 to 14.0`, in the unit of the median. Empty for fewer than two samples.
 */
export function spreadInWords({ low, high, median, samples }: Spread, unit: Unit): string {
  if (samples < 2) return ''
  if (unit === 'per second') return `${count(Math.round(low))} to ${count(Math.round(high))}`
  const size = unit === 'ns' || unit === 'bytes' ? stepFor(median, unit)[0] : 1
  const factor = unit === 'share' ? 100 : 1 / size
  return `${figure(low * factor)} to ${figure(high * factor)}`
}

/** Formats a ratio as `3.1 x command, 1 in the line`. Empty for a figure without a ratio. */
function ratioInWords({ ratio }: Figure): string {
  return ratio ? `${figure(ratio.value.median)} x ${ratio.to}` : ''
}

/** Formats a bound as `at most 40 times`. */
function boundInWords({ bound, unit }: Target): string {
  return `${bound.kind} ${inWords(bound.value, unit)}`
}

function stepFor(value: number, unit: 'ns' | 'bytes'): readonly [number, string] {
  const found = steps[unit].find(([size]) => Math.abs(value) >= size)
  return found ?? [1, unit === 'ns' ? 'ns' : 'B']
}

export function benchmarkText(result: BenchmarkResult, quick: boolean, colors: Colors): string {
  const rows = result.figures.map((each) => [
    `  ${each.name}`,
    inWords(each.value.median, each.unit),
    spreadInWords(each.value, each.unit),
    ratioInWords(each),
  ])
  const targets = result.targets.map((each) => targetLine(each, quick, colors))
  const notes = result.notes.map((note) => `  ${colors.dim(note)}\n`)
  const head = `${colors.bold(result.name)}  ${result.title}\n`
  const look = { colors, width: null }
  const published = result.published.map(
    (source, index) => `${textSection(sourceSection(source, index), look)}\n`,
  )
  return `${head}${published.join('')}${columns(rows, [1, 2])}${[...targets, ...notes].join('')}\n`
}

function targetLine(target: Target, quick: boolean, colors: Colors): string {
  const { name, value, unit, isMet } = target
  const spread = spreadInWords(value, unit)
  const between = spread === '' ? '' : ` (${spread})`
  const judged = isMet ? colors.green('met    ') : colors.red('MISSED ')
  const verdict = quick ? 'unjudged' : judged
  return `  ${verdict} ${name}: ${inWords(value.median, unit)}${between}, ${boundInWords(target)}\n`
}

/** Returns the last line of the output: how many targets are met or missed. */
export function verdictText(document: BenchDocument, colors: Colors): string {
  if (document.quick) return 'quick run: everything works; only a full run measures costs\n'
  const targets = document.benchmarks.flatMap((each) => each.targets).length
  const missed = missedIn(document)
  if (targets === 0) return ''
  return missed === 0
    ? `${colors.green('met')}  ${several(targets, 'target')}\n`
    : `${colors.red('MISSED')}  ${missed} of ${several(targets, 'target')}\n`
}

/** Returns the ratios of two runs. Figures whose ranges overlap are marked. */
export function changesText(changes: readonly Change[], colors: Colors): string {
  if (changes.length === 0) return 'the two runs have no figure in common\n'
  const rows = changes.map(({ benchmark, figure: name, unit, old, now, ratio, isNoise }) => [
    `  ${benchmark}`,
    name,
    inWords(old, unit),
    inWords(now, unit),
    `${figure(ratio)} x`,
    isNoise ? 'ranges overlap' : '',
  ])
  const head = ['  benchmark', 'figure', 'old', 'new', 'new : old', '']
  return `${colors.bold('compared with the earlier run')}\n${columns([head, ...rows], [2, 3, 4])}\n`
}

/** The figures of a source beside ours: what agrees, and why. */
export function sourceSection(
  { title, origin, figures, leftOut }: Source,
  index: number,
): TableSection {
  return {
    id: `source-${index + 1}`,
    title,
    about: origin,
    table: {
      head: ['figure', right('published'), right('here'), 'verdict', 'why'],
      rows: figures.map((each) => {
        const { name, agreement, because } = each
        const isAsked = agreement !== 'not asked'
        const tone = agreement === 'differs' ? 'bad' : isAsked ? 'good' : 'soft'
        return [
          name,
          inUnit(each.published, each),
          hereText(each),
          { text: isAsked ? agreement : 'other rules', tone },
          because,
        ]
      }),
    },
    words: leftOut.map((each) => `Not compared: ${each}`),
  }
}

/** Formats a figure with at most five digits after the point, and its unit. */
function inUnit(value: number, { unit }: Pick<PublishedFigure, 'unit'>): string {
  return `${text(value, 5)} ${unit}`
}

/** Formats our figure with its interval: `1.96 (1.86 to 2.06) runs`, or `493 runs`. */
function hereText({ here, unit }: PublishedFigure): string {
  const { mean, low, high } = here
  if (low === high) return `${text(mean, 3)} ${unit}`
  return `${text(mean, 3)} (${text(low, 3)} to ${text(high, 3)}) ${unit}`
}

const text = (value: number, most: number): string => String(Number(value.toFixed(most)))
