/**
 * Draws worlds that fit the evidence: who breaks the tests, how often runs flake, how often pull
 * requests break. Each world is as probable as the verdicts make it (Gibbs sampling).
 *
 * The model: a run fails if somebody in it breaks the tests, else with the rate of flakes. Those who
 * break often come one after the other, so the chance depends on the submission before.
 */

import type { Draws } from './draws.ts'
import type { Observed, ObservedVerdict } from './observed.ts'

export type World = {
  /** The submissions that break the tests. */
  readonly broken: ReadonlySet<number>
  readonly flakeRate: number
  readonly breakRate: BreakRate
  /** Whether the last submission breaks. */
  readonly lastBreaks: boolean
}

export type BreakRate = { readonly afterHealthy: number; readonly afterBroken: number }

/** Hits and misses that count as seen before any was: one run in ten flakes, one in ten breaks. */
const before = {
  flake: [1, 9],
  afterHealthy: [1, 9],
  afterBroken: [1, 4],
  knownInFlake: [1, 1],
  knownInBreak: [1, 19],
} as const

const sweepsBefore = 100
const sweepsBetween = 5

export class Beliefs {
  readonly #evidence: Evidence
  readonly #draws: Draws
  readonly #breaks: boolean[]
  /** The failures that accuse each submission. */
  readonly #charges: UnclearFailure[][]
  readonly #culprits = new Map<UnclearFailure, number>()
  #flakeRate = 0.1
  #breakRate: BreakRate = { afterHealthy: 0.1, afterBroken: 0.2 }
  #knownInFlake = 0.5
  #knownInBreak = 0.05

  constructor(evidence: Evidence, draws: Draws) {
    this.#evidence = evidence
    this.#draws = draws
    this.#breaks = evidence.submissions.map(() => false)
    this.#charges = evidence.submissions.map(() => [])
    for (const failure of evidence.failures) {
      this.#culprits.set(failure, 0)
      for (const suspect of failure.suspects) this.#charges[suspect]?.push(failure)
    }
    for (let sweep = 0; sweep < sweepsBefore; sweep++) this.#sweep()
  }

  /** The next world. */
  next(): World {
    for (let sweep = 0; sweep < sweepsBetween; sweep++) this.#sweep()
    const { submissions } = this.#evidence
    return {
      broken: new Set(submissions.filter((_, position) => this.#breaks[position])),
      flakeRate: this.#flakeRate,
      breakRate: this.#breakRate,
      lastBreaks: this.#breaks.at(-1) ?? false,
    }
  }

  #sweep(): void {
    for (let position = 0; position < this.#breaks.length; position++) {
      if (this.#evidence.isHealthy[position] !== true) this.#redraw(position)
    }
    this.#redrawRates()
  }

  /** Draws anew whether this one breaks, given all others. */
  #redraw(position: number): void {
    const was = this.#breaks[position] ?? false
    const last = this.#breaks[position - 1] ?? false
    const next = this.#breaks[position + 1]
    let odds = oddsOf(this.#chanceAfter(last))
    if (next !== undefined) {
      const [ifBroken, ifHealthy] = [this.#chanceAfter(true), this.#chanceAfter(false)]
      odds *= next ? ifBroken / ifHealthy : (1 - ifBroken) / (1 - ifHealthy)
    }
    const charges = this.#charges[position] ?? []
    for (const failure of charges) {
      const others = (this.#culprits.get(failure) ?? 0) - Number(was)
      if (others === 0) odds *= this.#oddsOfBreak(failure)
    }
    const breaks = this.#draws.chance(odds / (1 + odds))
    if (breaks === was) return
    this.#breaks[position] = breaks
    for (const failure of charges) {
      this.#culprits.set(failure, (this.#culprits.get(failure) ?? 0) + (breaks ? 1 : -1))
    }
  }

  #chanceAfter(broken: boolean): number {
    return broken ? this.#breakRate.afterBroken : this.#breakRate.afterHealthy
  }

  /** How much more probable the failure is if somebody breaks it than as a flake. */
  #oddsOfBreak({ onlyKnown }: UnclearFailure): number {
    const [broken, flake] = [this.#knownInBreak, this.#knownInFlake]
    const named = onlyKnown ? broken / flake : (1 - broken) / (1 - flake)
    return named / this.#flakeRate
  }

  #redrawRates(): void {
    const { flakes, passes, failures } = this.#evidence
    const seen = { flake: { ...flakes }, broken: { known: 0, other: 0 } }
    for (const failure of failures) {
      const of = (this.#culprits.get(failure) ?? 0) > 0 ? seen.broken : seen.flake
      of[failure.onlyKnown ? 'known' : 'other']++
    }
    const { flake, broken } = seen
    const draw = ([hits, misses]: readonly [number, number], hit: number, miss: number): number =>
      Math.min(0.999, Math.max(0.001, this.#draws.rate(hits + hit, misses + miss)))
    this.#flakeRate = draw(before.flake, flake.known + flake.other, passes)
    this.#knownInFlake = draw(before.knownInFlake, flake.known, flake.other)
    this.#knownInBreak = draw(before.knownInBreak, broken.known, broken.other)
    const after = [
      [0, 0],
      [0, 0],
    ]
    let last = false
    for (const breaks of this.#breaks) {
      const counts = after[Number(last)]
      if (counts) counts[Number(breaks)] = (counts[Number(breaks)] ?? 0) + 1
      last = breaks
    }
    const [[h0 = 0, h1 = 0] = [], [b0 = 0, b1 = 0] = []] = after
    this.#breakRate = {
      afterHealthy: draw(before.afterHealthy, h1, h0),
      afterBroken: draw(before.afterBroken, b1, b0),
    }
  }
}

const oddsOf = (chance: number): number => chance / (1 - chance)

// What verdicts say about who breaks the tests, before any draw.

export type Evidence = {
  /** Every submission whose fate is uncertain or that follows one, in order of submission. */
  readonly submissions: readonly number[]
  /** By position in `submissions`: it is in a run that passed, so it breaks nothing. */
  readonly isHealthy: readonly boolean[]
  /** Runs that passed. */
  readonly passes: number
  /** Failed runs that hold nobody in doubt: flakes. */
  readonly flakes: { readonly known: number; readonly other: number }
  /** Failed runs that hold somebody in doubt. */
  readonly failures: readonly UnclearFailure[]
  /** The tests that failed in runs that were surely flakes; an empty list where none was named. */
  readonly flakyTests: readonly (readonly string[])[]
}

export type UnclearFailure = {
  /** Positions in `submissions` of those who may have broken it. */
  readonly suspects: readonly number[]
  /** Only tests failed in it that are known to flake. */
  readonly onlyKnown: boolean
}

export type Suspicion = {
  /** The submissions that are in the queue. */
  readonly live: readonly number[]
  /** Those of them that the queue itself holds to be proven. */
  readonly proven: readonly number[]
  readonly isKnownFlake: (test: string) => boolean
}

/** A run that passed proves everybody in it. A failed one accuses those in it that nothing proves. */
export function evidenceOf(
  { verdicts, merged }: Observed,
  { live, proven, isKnownFlake }: Suspicion,
): Evidence {
  const healthy = new Set([...merged, ...proven])
  for (const { outcome, contents } of verdicts) {
    if (outcome === 'passed') for (const submission of contents) healthy.add(submission)
  }
  const all = new Set([...live, ...verdicts.flatMap(({ contents }) => contents)])
  const submissions = [...all].sort((a, b) => a - b)
  const positions = new Map(submissions.map((submission, position) => [submission, position]))
  const isOnlyKnown = ({ failedTests }: ObservedVerdict): boolean =>
    failedTests.length > 0 && failedTests.every(isKnownFlake)
  const failures: UnclearFailure[] = []
  const flakes = { known: 0, other: 0 }
  const flakyTests: (readonly string[])[] = []
  let passes = 0
  for (const verdict of verdicts) {
    if (verdict.outcome === 'passed') {
      passes++
      continue
    }
    const doubted = verdict.contents.filter((submission) => !healthy.has(submission))
    const suspects = doubted.flatMap((submission) => positions.get(submission) ?? [])
    const onlyKnown = isOnlyKnown(verdict)
    if (suspects.length > 0) failures.push({ suspects, onlyKnown })
    else {
      flakes[onlyKnown ? 'known' : 'other']++
      flakyTests.push(verdict.failedTests)
    }
  }
  const isHealthy = submissions.map((submission) => healthy.has(submission))
  return { submissions, isHealthy, passes, flakes, failures, flakyTests }
}
