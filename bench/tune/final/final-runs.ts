/** The runs of the final: the settings that are left, today's, and the neighbours of the choice. */

import type { Search } from '../search/halving.ts'
import { untried, type SettingRunner, type Trial } from '../search/run-settings.ts'
import type { Preference } from '../figures/wishes.ts'
import type { Candidate } from '../settings/candidates.ts'
import { breaksMain, verdictOf, type Final, type Verdict } from './verdict.ts'

export type FinalRequest = {
  /** The seeds of the final. */
  readonly seeds: readonly number[]
  readonly preference: Preference
  readonly leastPercent: number
}

/** The settings that run on the seeds of the final. */
export class FinalRuns {
  readonly #request: FinalRequest
  readonly #runner: SettingRunner
  readonly #search: Search
  /** True if the setting may be advised. */
  readonly isFine: (candidate: Candidate) => boolean
  readonly #trials = new Map<string, Trial>()
  readonly #rivals = new Set<string>()

  constructor(
    request: FinalRequest,
    runner: SettingRunner,
    search: Search,
    isFine: (candidate: Candidate) => boolean,
  ) {
    this.#request = request
    this.#runner = runner
    this.#search = search
    this.isFine = isFine
  }

  get trials(): readonly Trial[] {
    return [...this.#trials.values()]
  }

  /** The least effect, as a share. */
  get least(): number {
    return this.#request.leastPercent / 100
  }

  /** The settings that are compared with today's. */
  get rivals(): readonly Trial[] {
    return [...this.#rivals].flatMap((key) => this.#trials.get(key) ?? [])
  }

  trialOf({ key }: Candidate): Trial | null {
    return this.#trials.get(key) ?? null
  }

  trialsOf(candidates: readonly Candidate[]): Trial[] {
    return candidates.flatMap((candidate) => this.trialOf(candidate) ?? [])
  }

  get preference(): Preference {
    return this.#request.preference
  }

  /** True if the setting is allowed, and its runs give no reason against it. */
  readonly mayBeAdvised = (trial: Trial): boolean => {
    const today = this.trialOf(this.#search.today)
    const isFine = this.isFine(trial.candidate) && !trial.isTooSlow
    return isFine && today !== null && !breaksMain(trial, today)
  }

  /** Runs the settings that have not run yet. */
  async add(candidates: readonly Candidate[], title: string): Promise<void> {
    const missing = candidates.filter(({ key }) => !this.#trials.has(key))
    const stage = {
      title: `${title}, ${missing.length} settings`,
      mostEvents: this.#search.mostEvents,
    }
    const done = await this.#runner.run(missing.map(untried), this.#request.seeds, stage)
    for (const trial of done) this.#trials.set(trial.candidate.key, trial)
  }

  /** Judges today's setting, the finalists, and those of some more that may be advised. */
  async judge(more: readonly Candidate[] = []): Promise<Verdict> {
    const { today, finalists } = this.#search
    const fine = more.filter((each) => !each.isToday && this.isFine(each))
    const rivals = [...finalists, ...fine]
    await this.add([today, ...rivals], 'final')
    for (const { key } of rivals) this.#rivals.add(key)
    const base = this.trialOf(today)
    if (!base) throw new Error("today's setting is not in the final")
    return verdictOf(this.#finalOf(base))
  }

  #finalOf(today: Trial): Final {
    const { preference } = this.#request
    const { rivals } = this
    const isTodayAllowed = this.isFine(today.candidate)
    return { today, rivals, preference, least: this.least, isTodayAllowed }
  }
}
