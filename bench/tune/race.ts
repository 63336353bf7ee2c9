/**
 * All settings on the same seeds, in rounds. After each round, those that another setting clearly
 * beats are dropped: always after the same seeds, never by the clock, so that the same grid gives
 * the same result on any machine.
 */

import type { Scenario } from '../../sim/scenario/scenario.ts'
import type { Candidate } from './candidates.ts'
import { beatenBy } from './dominance.ts'
import type { TuneFigures } from './figures.ts'

export type Runner = {
  readonly candidate: Candidate
  /** In the order of the seeds. */
  runs: TuneFigures[]
  /** After how many seeds it was dropped, and who beat it. */
  dropped: { readonly after: number; readonly by: Candidate } | null
}

/** Few enough to drop the hopeless early, enough to be sure. */
const firstRound = 10

/** The seeds in rounds: ten, then always as many again as there were. */
export function roundsOf(seeds: readonly number[]): number[][] {
  const rounds: number[][] = []
  let begun = 0
  for (let until = firstRound; begun < seeds.length; until *= 2) {
    // What is left over is no round of its own.
    const end = seeds.length < until + firstRound ? seeds.length : until
    rounds.push(seeds.slice(begun, end))
    begun = end
  }
  return rounds
}

export class Race {
  readonly runners: readonly Runner[]
  readonly #rounds: readonly (readonly number[])[]
  /** Whose run is answered next: tasks are answered in the order in which they are handed out. */
  readonly #issued: Runner[] = []
  #round = 0
  #done = 0

  constructor(candidates: readonly Candidate[], seeds: readonly number[]) {
    this.runners = candidates.map((candidate) => ({ candidate, runs: [], dropped: null }))
    this.#rounds = roundsOf(seeds)
  }

  /**
   * Every run to make. A setting that is about to be dropped may still be handed out once or twice
   * while the last answers of a round are under way; those answers do not count.
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

  /** The run that is answered now: whose it is, and its seed. Null where it does not count. */
  answer(figures: TuneFigures): { readonly candidate: Candidate; readonly seed: number } | null {
    const runner = this.#issued.shift()
    if (!runner) throw new Error('an answer to nothing')
    if (runner.dropped) return null
    const seed = this.#rounds.flat()[runner.runs.length] ?? NaN
    runner.runs.push(figures)
    this.#done++
    if (this.alive.every(({ runs }) => runs.length === this.#seedsSoFar)) this.#endRound()
    return { candidate: runner.candidate, seed }
  }

  /** Those that are still in it. */
  get alive(): readonly Runner[] {
    return this.runners.filter(({ dropped }) => !dropped)
  }

  /** How many runs there will be in all, as far as one can tell. */
  get expected(): number {
    const left = this.alive.map(({ runs }) => this.#rounds.flat().length - runs.length)
    return this.#done + left.reduce((sum, runs) => sum + runs, 0)
  }

  /** Keeps only the seeds that everybody has who is still in it. Answers how many those are. */
  cutShort(): number {
    const common = Math.min(...this.alive.map(({ runs }) => runs.length))
    for (const runner of this.alive) runner.runs = runner.runs.slice(0, common)
    return common
  }

  get #seedsSoFar(): number {
    return this.#rounds.slice(0, this.#round + 1).flat().length
  }

  #endRound(): void {
    const after = this.#seedsSoFar
    this.#round++
    if (this.#round >= this.#rounds.length) return
    // All verdicts before any drop: the order of the settings decides nothing.
    const alive = this.alive
    const verdicts = alive.map((runner) => ({ runner, by: beatenBy(runner, alive) }))
    for (const { runner, by } of verdicts) {
      if (by && !runner.candidate.isToday) runner.dropped = { after, by: by.candidate }
    }
  }
}
