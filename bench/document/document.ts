/** Everything a run of the benchmarks has found: what is written to `reports/bench/bench.json`. */

import { availableParallelism, cpus } from 'node:os'
import type { Measured } from '../measuring/measured.ts'

export const format = 'mergeyard benchmarks'

export type BenchmarkResult = { readonly name: string; readonly title: string } & Measured

export type BenchDocument = {
  readonly format: typeof format
  readonly version: 1
  readonly madeAt: string
  /** Absolute figures mean little without it; ratios are of one run, and survive. */
  readonly machine: {
    readonly node: string
    readonly platform: string
    readonly processor: string
    readonly cores: number
  }
  readonly quick: boolean
  readonly benchmarks: readonly BenchmarkResult[]
}

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

/** The targets that are missed, of a document whose targets are judged. */
export function missedIn({ quick, benchmarks }: BenchDocument): number {
  if (quick) return 0
  return benchmarks.flatMap(({ targets }) => targets).filter(({ isMet }) => !isMet).length
}
