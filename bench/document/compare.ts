/** Compares two runs of the benchmarks. */

import type { Figure, Target } from '../measuring/measurement.ts'
import { BadInput } from '../../sim/scenario/bad-input.ts'
import { format, type BenchDocument } from './document.ts'

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
    return [...benchmark.figures, ...benchmark.targets].flatMap((figure) => {
      const before = known.find(({ name, unit }) => name === figure.name && unit === figure.unit)
      return before ? [changeOf(benchmark.name, before, figure)] : []
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
