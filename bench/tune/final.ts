/**
 * The final: the settings that are left and today's on other seeds, and what each axis does to the
 * choice. The simplest setting of several that are about as good is advised.
 */

import { fewestForInterval } from '../../sim/statistics/interval.ts'
import { judgedTogether } from '../statistics/effects.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import type { OtherToday, SearchedAxes, TuneAxis } from './axes.ts'
import { around, distinct, isAllowed } from './candidates.ts'
import type { Candidate, Candidates, UnprovenKind } from './candidates.ts'
import type { Preference } from './figures.ts'
import type { Budget, SettingRunner, Trial } from './runner.ts'
import { type Verdict, breaksMain, meanCount, pairsOf, scorePairs, verdictOf } from './verdict.ts'

export type TuneRequest = SearchedAxes & {
  /** The seeds of the final. */
  readonly seeds: readonly number[]
  readonly preference: Preference
  readonly leastPercent: number
  readonly scenario: Scenario
  /** The part of the history on which the advice is only tried; null if none is kept apart. */
  readonly unseen: Scenario | null
  /** Another product's queue and its setting today; null for Mergeyard's. */
  readonly other: OtherRequest | null
  readonly budget: Budget
  readonly allowed: readonly UnprovenKind[]
}

/** `leftOut` are the parts of the scenario that no strategy gets. */
type OtherRequest = OtherToday & { readonly leftOut: readonly string[] }

/** Where the final looks: how settings are made, and on which axes. */
type Ground = {
  readonly made: Candidates
  readonly axes: readonly TuneAxis[]
  readonly finalists: readonly Candidate[]
}

/** A final that is decided, for all that is asked about its advice. */
export type Decided = {
  readonly request: TuneRequest
  readonly runner: SettingRunner
  readonly verdict: Verdict
  readonly axes: readonly AroundAxis[]
  readonly today: Trial
  /** All settings that ran on the seeds of the final, today's first. */
  readonly final: readonly Trial[]
  /** Those of them that were compared with today's, the choice included. */
  readonly rivals: readonly Trial[]
  /** The least effect, as a share. */
  readonly least: number
}

export type AroundAxis = {
  readonly axis: TuneAxis
  /** The labels of the values that make no difference from the choice's, itself included. */
  readonly same: readonly string[]
}

/** The choice moves at most so often to a setting beside it. */
const mostMoves = 2

/** The settings that run on the seeds of the final. */
export class Final {
  readonly #request: TuneRequest
  readonly #runner: SettingRunner
  readonly #ground: Ground
  /** The least effect, as a share. */
  readonly #least: number
  readonly #trials = new Map<string, Trial>()
  /** The settings that are compared with today's. */
  readonly #rivals = new Map<string, Candidate>()

  constructor(request: TuneRequest, runner: SettingRunner, ground: Ground) {
    this.#request = request
    this.#runner = runner
    this.#ground = ground
    this.#least = request.leastPercent / 100
  }

  /**
   * Runs the final and looks around the choice. Each change of the choice is tried alone. Then the neighbours of the choice compete with it.
   */
  async decide(): Promise<Decided> {
    let verdict = await this.#judge(this.#ground.finalists)
    if (verdict.kind === 'change') {
      verdict = await this.#judge(this.#loneChanges(verdict.choice.candidate))
    }
    for (let move = 0; ; move++) {
      const axes = await this.#lookAround(verdict)
      const joining = move < mostMoves ? this.#joining(verdict, axes) : []
      if (joining.length === 0) return this.#decided(verdict, axes)
      const { choice } = verdict
      verdict = await this.#judge(joining)
      if (verdict.choice === choice) return this.#decided(verdict, axes)
    }
  }

  #decided(verdict: Verdict, axes: readonly AroundAxis[]): Decided {
    const final = [...this.#trials.values()]
    return {
      request: this.#request,
      runner: this.#runner,
      least: this.#least,
      verdict,
      axes,
      today: this.#today,
      final,
      rivals: this.#rivalTrials,
    }
  }

  /** Judges today's setting, the rivals so far, and those of some more that may be advised. */
  async #judge(more: readonly Candidate[]): Promise<Verdict> {
    const { made } = this.#ground
    const fine = more.filter((each) => !each.isToday && this.#isAllowed(each))
    for (const each of fine) this.#rivals.set(each.key, each)
    const { seeds, preference } = this.#request
    await this.#run([made.today, ...this.#rivals.values()], seeds, 'final')
    return verdictOf({
      today: this.#today,
      rivals: this.#rivalTrials,
      preference,
      least: this.#least,
      isTodayAllowed: this.#isAllowed(made.today),
    })
  }

  #isAllowed(candidate: Candidate): boolean {
    return isAllowed(candidate, this.#request.allowed)
  }

  /** Runs settings on those of the seeds that they lack: all, or those after the first ones. */
  async #run(
    candidates: readonly Candidate[],
    seeds: readonly number[],
    title: string,
  ): Promise<void> {
    const known = ({ key }: Candidate): number => this.#trials.get(key)?.seeds.length ?? 0
    const missing = distinct(candidates).filter((each) => known(each) < seeds.length)
    for (const from of new Set(missing.map(known))) {
      const alike = missing.filter((each) => known(each) === from)
      const named = `${title}, ${alike.length} settings`
      for (const trial of await this.#runner.run(alike, seeds.slice(from), named)) {
        const { key } = trial.candidate
        this.#trials.set(key, together(this.#trials.get(key), trial))
      }
    }
  }

  get #today(): Trial {
    const [today] = this.#trialsOf([this.#ground.made.today])
    if (!today) throw new Error("today's setting is not in the final")
    return today
  }

  get #rivalTrials(): Trial[] {
    return this.#trialsOf([...this.#rivals.values()])
  }

  #trialsOf(candidates: readonly Candidate[]): Trial[] {
    return candidates.flatMap(({ key }) => this.#trials.get(key) ?? [])
  }

  /** Returns today's setting with each change of the setting alone. */
  #loneChanges({ labels }: Candidate): Candidate[] {
    const { made, axes } = this.#ground
    return axes.flatMap(({ name, values }) =>
      labels[name] === made.today.labels[name]
        ? []
        : values
            .filter(({ label }) => label === labels[name])
            .map(({ assignments }) => made.with(assignments)),
    )
  }

  /** Runs every other value of each axis, and tells which make no difference. */
  async #lookAround({ kind, choice }: Verdict): Promise<AroundAxis[]> {
    const { made, axes } = this.#ground
    const { candidate } = choice
    if (isSettled(kind) || choice.runs.length < fewestForInterval) {
      return axes.map((axis) => ({ axis, same: [candidate.labels[axis.name] ?? ''] }))
    }
    const neighbours = axes.map((axis) => around(made, candidate, axis))
    await this.#run(
      neighbours.flat(),
      firstSeeds(this.#request.seeds),
      'one step around the choice',
    )
    return axes.map((axis, index) => {
      const own = candidate.labels[axis.name] ?? ''
      const others = this.#trialsOf(neighbours[index] ?? [])
        .filter((trial) => isNoDifference(trial, choice, this.#least))
        .map((trial) => trial.candidate.labels[axis.name])
      const alike = new Set([own, ...others])
      const same = axis.values.map(({ label }) => label).filter((label) => alike.has(label))
      return { axis, same: same.length === 0 ? [own] : same }
    })
  }

  /**
   * Returns the settings that the choice must also stand against: its neighbours that are surely
   * better than it, else the setting in which a value that makes no difference goes back to today's.
   */
  #joining({ kind, choice }: Verdict, axes: readonly AroundAxis[]): Candidate[] {
    if (isSettled(kind)) return []
    const { made, axes: steps } = this.#ground
    const all = steps.flatMap((axis) => around(made, choice.candidate, axis))
    const neighbours = this.#trialsOf(distinct(all)).filter(
      (trial) => this.#isAllowed(trial.candidate) && !breaksMain(trial, this.#today),
    )
    const { preference } = this.#request
    const better = surelyBetter(neighbours, choice, { preference, least: this.#least })
    if (better.length > 0) return better.map(({ candidate }) => candidate)
    const simpler = kind === 'change' ? withoutNeedless(choice.candidate, axes, made) : null
    return simpler ? [simpler] : []
  }
}

/** Half of the seeds tell what one step does to the choice. */
export function firstSeeds(seeds: readonly number[]): readonly number[] {
  return seeds.slice(0, Math.max(fewestForInterval, Math.ceil(seeds.length / 2)))
}

function together(first: Trial | undefined, more: Trial): Trial {
  if (!first) return more
  return {
    candidate: more.candidate,
    seeds: [...first.seeds, ...more.seeds],
    runs: [...first.runs, ...more.runs],
    events: [...first.events, ...more.events],
  }
}

/** No neighbour changes these verdicts. */
function isSettled(kind: Verdict['kind']): boolean {
  return kind === 'empty' || kind === 'always' || kind === 'idle'
}

/** Returns the setting with today's values where they make no difference; null if none do. */
function withoutNeedless(
  candidate: Candidate,
  axes: readonly AroundAxis[],
  made: Candidates,
): Candidate | null {
  const { today } = made
  const needless = axes.flatMap(({ axis: { name, values }, same }) => {
    const label = today.labels[name] ?? ''
    const isNeedless = candidate.labels[name] !== label && same.includes(label)
    return isNeedless ? values.filter((each) => each.label === label) : []
  })
  const assignments = new Map(Object.entries(candidate.assignments))
  for (const value of needless) {
    for (const [path, own] of Object.entries(value.assignments)) assignments.set(path, own)
  }
  const simpler = made.with(Object.fromEntries(assignments))
  return simpler.isToday || simpler.key === candidate.key ? null : simpler
}

// How the choice compares with its neighbours, which differ from it on one axis.

/** True if two settings surely differ by less than the least effect, and are as safe. */
export function isNoDifference(trial: Trial, other: Trial, least: number): boolean {
  const isSame = (['p95', 'ciMinutes'] as const).every((name) => {
    const [judged] = judgedTogether([pairsOf(name, trial.runs, other.runs)], least)
    return judged?.verdict.kind === 'no difference'
  })
  return (
    isSame &&
    (['unproven', 'evicted'] as const).every((name) => {
      const [a = 0, b = 0] = [trial, other].map(({ runs }) =>
        meanCount(runs.slice(0, trial.runs.length), name),
      )
      return Math.abs(a - b) <= Math.max(1, b * least)
    })
  )
}

export type Judged = { readonly preference: Preference; readonly least: number }

/**
 * Returns the neighbours that are surely better than the choice by the least effect: the same rule
 * by which the choice stands against today's. It is corrected for the number of neighbours.
 */
export function surelyBetter(
  neighbours: readonly Trial[],
  choice: Trial,
  { preference, least }: Judged,
): Trial[] {
  const pairs = neighbours.map(({ runs }) => scorePairs(preference, runs, choice.runs))
  const judged = judgedTogether(pairs, least)
  return neighbours.filter((_, index) => judged[index]?.verdict.kind === 'do')
}
