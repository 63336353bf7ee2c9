/** Settings with made-up figures, for tests. */

import { PassThrough } from 'node:stream'
import { onCores } from '../../../sim/campaign/over-cores.ts'
import { scenarioOf } from '../../../sim/testing/simulated.ts'
import type { TuneFigures } from '../figures.ts'
import { SettingRunner, type Trial } from '../runner.ts'
import { type Candidate, ownCandidates } from '../candidates.ts'

/** A queue with ten slots in which every figure is the same as in the other tests. */
const usual: TuneFigures = {
  p95: 100,
  p50: 50,
  queueP95: 90,
  ciMinutes: 20,
  price: null,
  runs: 1,
  evicted: 0,
  unproven: 0,
  midBatch: 0,
  clearedBySuccessor: 0,
  disjointTargets: 0,
  direct: 0,
  broken: 0,
  meanSlots: 5,
  peakSlots: 10,
  landed: 100,
  runP95: 30,
  peakMainRuns: 10,
  leaningMerges: 0,
  hiddenBreaks: 0,
}

export function figuresWith(changed: Partial<TuneFigures>): TuneFigures {
  return { ...usual, ...changed }
}

const made = ownCandidates(scenarioOf({ queue: { concurrency: 10 } }), [])

/** A noise that differs from seed to seed, the same for every setting: from 0.8 to 1.2. */
const noiseOf = (seed: number): number => 0.8 + ((seed * 7) % 11) / 25

export type TrialOptions = {
  readonly seeds?: number
  /** Fields that the setting changes. */
  readonly set?: Readonly<Record<string, unknown>>
  /** A noise of this setting alone, as a share. */
  readonly own?: number
}

/** A setting with these mean figures; durations vary from seed to seed. */
export function trialWith(
  changed: Partial<TuneFigures>,
  { seeds = 20, set = {}, own = 0 }: TrialOptions = {},
): Trial {
  const figures = figuresWith(changed)
  const all = Array.from({ length: seeds }, (_, index) => index + 1)
  const noisy = (value: number | null, seed: number): number | null =>
    value === null ? null : value * noiseOf(seed) * (1 + own * (seed % 2 === 0 ? 1 : -1))
  return {
    candidate: made.with(set),
    seeds: all,
    runs: all.map((seed) => ({
      ...figures,
      p95: noisy(figures.p95, seed),
      ciMinutes: noisy(figures.ciMinutes, seed),
    })),
    events: all.map(() => 1000),
  }
}

/** Runs nothing: settings have these figures. Keeps which were to run on how many seeds. */
export class FakeRunner extends SettingRunner {
  readonly asked: { readonly names: readonly string[]; readonly seeds: number }[] = []
  readonly #p95: (candidate: Candidate) => number

  constructor(p95: (candidate: Candidate) => number) {
    const { signal } = new AbortController()
    super({ name: '', isFair: false, stderr: new PassThrough(), signal, ...onCores })
    this.#p95 = p95
  }

  override run(candidates: readonly Candidate[], seeds: readonly number[]): Promise<Trial[]> {
    this.asked.push({ names: candidates.map(({ name }) => name), seeds: seeds.length })
    return Promise.resolve(
      candidates.map((candidate) => ({
        candidate,
        seeds,
        runs: seeds.map(() => figuresWith({ p95: this.#p95(candidate) })),
        events: seeds.map(() => 1000),
      })),
    )
  }
}
