/**
 * A race: all settings run on the same seeds, in rounds. After each round, settings that another
 * one beats significantly are dropped. The seeds decide when, not the clock, so that the same grid
 * gives the same result on any machine.
 */

import type { Scenario } from '../../sim/scenario/scenario.ts'
import type { Candidate } from './candidates.ts'
import { beatenBy } from './dominance.ts'
import type { TuneFigures } from './figures.ts'

export type Runner = {
  readonly candidate: Candidate
  /** In the order of the seeds. */
  runs: TuneFigures[]
  /** After how many seeds it was dropped, and the setting that beat it. */
  dropped: { readonly after: number; readonly by: Candidate } | null
}

/** Few seeds, to drop bad settings early, but enough for significant differences. */
const firstRound = 10

/** Splits the seeds into rounds: 10, then as many as in all rounds before. */
export function roundsOf(seeds: readonly number[]): number[][] {
  const rounds: number[][] = []
  let begun = 0
  for (let until = firstRound; begun < seeds.length; until *= 2) {
    // A small rest joins the last round.
    const end = seeds.length < until + firstRound ? seeds.length : until
    rounds.push(seeds.slice(begun, end))
    begun = end
  }
  return rounds
}

export class Race {
  readonly runners: readonly Runner[]
  readonly #rounds: readonly (readonly number[])[]
  /** The runners of the open tasks. Tasks are answered in the order in which they were issued. */
  readonly #issued: Runner[] = []
  #round = 0
  #done = 0

  constructor(candidates: readonly Candidate[], seeds: readonly number[]) {
    this.runners = candidates.map((candidate) => ({ candidate, runs: [], dropped: null }))
    this.#rounds = roundsOf(seeds)
  }

  /**
   * Yields every run to simulate. While the last answers of a round are open, a few more tasks may
   * be issued for a setting that is dropped afterwards. Their answers do not count.
   */
  *tasks(): Generator<Scenario, void> {
    for (const seed of this.#rounds.flat()) {
      for (const runner of this.runners) {
        if (runner.dropped) continue
        this.#issued.push(runner)
        yield { ...runner.candidate.scenario, seed }
      }
    }
  }

  /**
   * Records the figures of the oldest open task. Returns its candidate and seed, or null if the
   * answer does not count. Throws if no task is open.
   */
  answer(figures: TuneFigures): { readonly candidate: Candidate; readonly seed: number } | null {
    const runner = this.#issued.shift()
    if (!runner) throw new Error('an answer without a task')
    if (runner.dropped) return null
    const seed = this.#rounds.flat()[runner.runs.length] ?? NaN
    runner.runs.push(figures)
    this.#done++
    if (this.remaining.every(({ runs }) => runs.length === this.#seedsSoFar)) this.#endRound()
    return { candidate: runner.candidate, seed }
  }

  /** The settings that were not dropped. */
  get remaining(): readonly Runner[] {
    return this.runners.filter(({ dropped }) => !dropped)
  }

  /** The total number of runs, if no further setting is dropped. */
  get expected(): number {
    const left = this.remaining.map(({ runs }) => this.#rounds.flat().length - runs.length)
    return this.#done + left.reduce((sum, runs) => sum + runs, 0)
  }

  /** Keeps only the seeds that all remaining settings have. Returns their number. */
  cutShort(): number {
    const common = Math.min(...this.remaining.map(({ runs }) => runs.length))
    for (const runner of this.remaining) runner.runs = runner.runs.slice(0, common)
    return common
  }

  get #seedsSoFar(): number {
    return this.#rounds.slice(0, this.#round + 1).flat().length
  }

  #endRound(): void {
    const after = this.#seedsSoFar
    this.#round++
    if (this.#round >= this.#rounds.length) return
    // All comparisons come before any drop, so that the order of the settings does not matter.
    const remaining = this.remaining
    const verdicts = remaining.map((runner) => ({ runner, by: beatenBy(runner, remaining) }))
    for (const { runner, by } of verdicts) {
      if (by && !runner.candidate.isToday) runner.dropped = { after, by: by.candidate }
    }
  }
}
