/** What this machine computes for seed 1: a machine that computes something else may not take part. */

import { runSeed } from '../../sim/judge/seed-run.ts'

const digits = 8

let known: string | null = null

/** Returns the beginning of the hash of the trace of seed 1. */
export function proof(): string {
  const source = { kind: 'swarm', settings: [], features: [] } as const
  known ??= runSeed({ source, seed: 1, once: true }).traceHash.slice(0, digits)
  return known
}
