/** The document with all results of a benchmark run, as written to `reports/bench/bench.json`. */

import { availableParallelism, cpus } from 'node:os'
import type { Measured } from '../measuring/measurement.ts'

export const format = 'mergeyard benchmarks'

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
