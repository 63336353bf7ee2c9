/** Two runs of the benchmarks beside each other. */

import type { Figure, Target } from '../measuring/measured.ts'
import { BadInput } from '../../sim/scenario/bad-input.ts'
import { format, type BenchDocument } from './document.ts'

export type Change = {
  readonly benchmark: string
  readonly figure: string
  readonly unit: Figure['unit']
  readonly old: number
  readonly now: number
  /** New by old. */
  readonly ratio: number
  /** Whether the two overlap, spread and all: then the ratio says nothing. */
  readonly isNoise: boolean
}

/** Figures that both have, in the order of the new one. */
export function changesBetween(old: BenchDocument, now: BenchDocument): Change[] {
  return now.benchmarks.flatMap((benchmark) => {
    const before = old.benchmarks.find(({ name }) => name === benchmark.name)
    if (!before) return []
    const known = [...before.figures, ...before.targets]
    return [...benchmark.figures, ...benchmark.targets].flatMap((figure) => {
      const was = known.find(({ name, unit }) => name === figure.name && unit === figure.unit)
      return was ? [changeOf(benchmark.name, was, figure)] : []
    })
  })
}

type Either = Pick<Figure | Target, 'name' | 'unit' | 'value'>

function changeOf(benchmark: string, was: Either, is: Either): Change {
  return {
    benchmark,
    figure: is.name,
    unit: is.unit,
    old: was.value.median,
    now: is.value.median,
    ratio: is.value.median / was.value.median,
    isNoise: is.value.low <= was.value.high && was.value.low <= is.value.high,
  }
}

/** Reads what `npm run bench` wrote. Throws `BadInput` when it is something else. */
export function readDocument(text: string, file: string): BenchDocument {
  const document: Partial<BenchDocument> | null = parsed(text, file)
  if (document?.format === format && document.version === 1 && document.benchmarks) {
    const { benchmarks, madeAt = '', machine, quick = false } = document
    if (machine) return { format, version: 1, madeAt, machine, quick, benchmarks }
  }
  throw fault(file, 'something else')
}

function parsed(text: string, file: string): Partial<BenchDocument> | null {
  try {
    const document: Partial<BenchDocument> | null = JSON.parse(text)
    return document
  } catch {
    throw fault(file, 'no JSON')
  }
}

function fault(file: string, came: string): BadInput {
  return new BadInput(file, [{ where: '', expected: 'what `npm run bench` wrote', came }])
}
