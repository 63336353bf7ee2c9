/**
 * All random numbers of a simulation. There is no shared stream: each draw is a pure function of
 * the seed, its purpose and its key. So removing a pull request or changing a setting changes no
 * other draw. Shrinking and paired comparisons depend on this.
 */

import seedrandom from 'seedrandom'
import type { Millis } from '../../engine/index.ts'
import { shortDigest } from './digest.ts'

/**
 * The purposes of draws, each with its position and its key. Each key has a sequence of numbers,
 * and each purpose uses the number at its position. A new purpose needs a new position and never
 * shares one. A changed position changes the run of every recorded seed.
 */
export const purposes = {
  'run minutes': [0, 'length of a run, or another length; by the run, or by pull request'],
  'other half of run minutes': [1, 'second number of a lognormal length; by the same key'],
  'flake of a run': [2, 'whether a run flakes; by the run'],
  'lost run': [3, 'whether the runner loses a run; by the run'],
  hang: [4, 'whether a run never ends; by the run'],
  'contradictory result': [5, 'whether a result is followed by its opposite; by the run'],
  'duplicate result': [6, 'whether a result is reported twice; by the run'],
  'late result': [7, 'delay of a result; by the run'],
  arrivals: [8, 'time from the arrival before to that of a generated pull request; by its number'],
  breaks: [9, 'whether a pull request breaks, if no file says so; by its number'],
  'flaky pull request': [10, 'whether a pull request is flaky, if no file says so; by its number'],
  urgent: [11, 'whether it is urgent; by its number'],
  'no batch': [12, 'whether it is tested alone; by its number'],
  'green on tip': [13, 'whether the code host reports it as green on the tip; by its number'],
  cancel: [14, 'whether and when it is cancelled; by its number'],
  push: [15, 'whether and when its author pushes to it; by its number'],
  conflicts: [16, 'distance back to the next conflicting one; by its number and ordinal'],
  targets: [17, 'which targets it impacts; by its number and the choice'],
  'flake of a pull request': [18, 'whether it makes a run flake; by run and number'],
  'flake of a test': [19, 'whether a named test flakes; by test and run'],
  'retry of a test': [20, 'whether a test that flaked passes when repeated; by test and run'],
  'refused merge': [21, 'whether and why a merge is refused; by number and attempt'],
  crash: [22, 'whether the engine crashes after a command; by the number of commands before'],
  'swarm feature': [23, 'whether a swarm scenario has a feature; by its name'],
  'swarm choice': [24, 'any other choice in a swarm scenario; by its name'],
  'relation checked': [25, 'whether a relation is checked for a swarm run; by the relation'],
  tie: [26, 'the order of events at one instant; by the event'],
  'soak choice': [27, 'what a seed of a soak checks; by its name'],
  'day of a history': [28, 'which days of a history come instead; by the first day replaced'],
  'late notice': [
    29,
    'whether a push during a merge is noticed after the refusal; by the same key',
  ],
  'part of a push': [
    30,
    'how many of one push land, or because of which one it is refused; by the same key and the question',
  ],
  'lost command': [
    31,
    'whether a command is lost in a crash, and when it comes again; by the command',
  ],
  clashes: [32, 'distance back to the next it clashes with; by its number and ordinal'],
  'clash across targets': [33, 'whether such a clash is without a common target; by the same key'],
  stacked: [34, 'whether a pull request depends on the one before; by number'],
  'what a break fails': [35, 'whether what it breaks fails a flaky test; by number and test'],
} as const satisfies Record<string, readonly [position: number, meaning: string]>

type Purpose = keyof typeof purposes
export type Key = string | number

export type Draw = {
  /** Uniform over 0 (included) to 1 (excluded). */
  unit(purpose: Purpose, key: Key): number
  /** True with this probability; 0 and 1 are certain. */
  chance(purpose: Purpose, key: Key, rate: number): boolean
  /** Uniform over the whole numbers 0 .. below - 1. */
  integer(purpose: Purpose, key: Key, below: number): number
  /** The number of tries up to the first success, which has this probability; 1 or more. */
  tries(purpose: Purpose, key: Key, rate: number): number
  /** Uniform over the range, both ends included. */
  uniformMs(purpose: Purpose, key: Key, range: readonly [Millis, Millis]): Millis
  /** Exponential with this mean. */
  exponentialMs(purpose: Purpose, key: Key, meanMs: Millis): Millis
  /** The length of a run. Cut off at four standard deviations, so that it has a maximum. */
  lognormalMs(key: Key, shape: Lognormal): Millis
}

export type Lognormal = { readonly medianMs: Millis; readonly p95Ms: Millis }

/** The 95th percentile of the standard normal distribution. */
const normalP95 = 1.6448536269514722

const lognormalCutoff = 4

/** The spread of a lognormal: the standard deviation of its logarithm. */
export function spreadOf(median: number, p95: number): number {
  return median === 0 ? 0 : Math.log(p95 / median) / normalP95
}

export function longestLognormalMs(shape: Lognormal): Millis {
  return Math.round(
    shape.medianMs * Math.exp(lognormalCutoff * spreadOf(shape.medianMs, shape.p95Ms)),
  )
}

/**
 * Returns the numbers of a seed by key and position. A new generator costs as much as a hundred
 * numbers, and consecutive draws mostly have the same key, so the numbers of the last key are kept.
 */
function numbersOfSeed(seed: number): (key: Key, position: number) => number {
  let last: Key | null = null
  let generator = seedrandom.tychei('')
  const numbers = new Float64Array(Object.keys(purposes).length)
  let known = 0
  return (key, position) => {
    if (key !== last) {
      last = key
      generator = seedrandom.tychei(`${key}|${seed}`)
      known = 0
    }
    for (; known <= position; known++) numbers[known] = generator()
    return numbers[position] ?? 0
  }
}

export function drawsOf(seed: number): Draw {
  const numberOf = numbersOfSeed(seed)
  const unit: Draw['unit'] = (purpose, key) => numberOf(key, purposes[purpose][0])
  return {
    unit,
    chance: (purpose, key, rate) => rate > 0 && (rate >= 1 || unit(purpose, key) < rate),
    integer: (purpose, key, below) => Math.floor(unit(purpose, key) * below),
    tries: (purpose, key, rate) =>
      rate >= 1 ? 1 : 1 + Math.floor(Math.log(1 - unit(purpose, key)) / Math.log(1 - rate)),
    uniformMs: (purpose, key, [from, to]) =>
      from + Math.floor(unit(purpose, key) * (to - from + 1)),
    exponentialMs: (purpose, key, meanMs) => Math.round(-Math.log(1 - unit(purpose, key)) * meanMs),
    lognormalMs(key, shape) {
      const radius = Math.sqrt(-2 * Math.log(1 - unit('run minutes', key)))
      const normal = radius * Math.cos(2 * Math.PI * unit('other half of run minutes', key))
      const cut = Math.max(-lognormalCutoff, Math.min(lognormalCutoff, normal))
      return Math.round(shape.medianMs * Math.exp(spreadOf(shape.medianMs, shape.p95Ms) * cut))
    },
  }
}

/** Returns the numbers of a key, uniform over 0 (included) to 1 (excluded), for uses with many. */
export function sequenceOf(seed: number, key: Key): () => number {
  return seedrandom.tychei(`${key}|${seed}`)
}

/** A run is made twice, so each name is asked for again soon. More names than these are not kept. */
const namesKept = 500
const knownNames = new Map<string, string>()

/** Returns a short name for a list of numbers, for draw keys: the list may be hundreds long. */
export function nameOf(numbers: readonly number[]): string {
  const text = numbers.join()
  if (numbers.length <= 2) return text
  const known = knownNames.get(text)
  if (known !== undefined) return known
  const name = shortDigest(text)
  if (knownNames.size === namesKept) knownNames.clear()
  knownNames.set(text, name)
  return name
}
