/**
 * Every random number of a simulation. There is no shared stream: each draw is keyed by the seed,
 * what it decides, and whom it is about, and is the same whenever and however often it is made.
 * So removing a pull request or turning a knob reshuffles nothing else, which shrinking and
 * paired comparisons depend on.
 */

import { hash } from 'node:crypto'
import seedrandom from 'seedrandom'
import type { Millis } from '../engine/index.ts'

/**
 * What is drawn, by which key, and where it stands: a key has a sheet of numbers, and each purpose
 * its place on it. A new decision takes a new place, never a second use of one; and one that
 * changes its place changes every recorded seed.
 */
export const purposes = {
  'run minutes': [0, 'how long a run takes; by the run, or by pull request'],
  'other half of run minutes': [1, 'the second number that a lognormal length takes; likewise'],
  'flake of a run': [2, 'whether a run fails for no reason; by the run'],
  'lost run': [3, 'whether the runner loses a run; by the run'],
  hang: [4, 'whether a run never ends; by the run'],
  'contradictory result': [5, 'whether a result is followed by its opposite; by the run'],
  'duplicate result': [6, 'whether a result comes twice; by the run'],
  'late result': [7, 'how late a result comes; by the run'],
  arrivals: [8, 'how long after the one before a generated pull request comes; by its number'],
  breaks: [9, 'whether a generated pull request breaks; by its number'],
  'flaky pull request': [10, 'whether a generated pull request is flaky; by its number'],
  urgent: [11, 'whether it is urgent; by its number'],
  'no batch': [12, 'whether it is to be tested alone; by its number'],
  'green on tip': [13, 'whether the code host calls it green on the tip; by its number'],
  cancel: [14, 'whether and when somebody cancels it; by its number'],
  push: [15, 'whether and when its author pushes to it; by its number'],
  conflicts: [16, 'how far back the next is that it conflicts with; by its number, and which'],
  targets: [17, 'which targets it impacts; by its number, and which'],
  'flake of a pull request': [18, 'whether it makes a run fail for no reason; by run and number'],
  'flake of a test': [19, 'whether a named test fails for no reason; by test and run'],
  'retry of a test': [20, 'whether a test that flaked passes when tried again; by test and run'],
  'refused merge': [21, 'whether and why a merge is refused; by number, and how often asked'],
  crash: [22, 'whether the engine dies after a command; by how many commands came before'],
  'swarm feature': [23, 'whether a scenario of the swarm has a feature; by its name'],
  'swarm choice': [24, 'anything else about a scenario of the swarm; by what is chosen'],
  'relation checked': [25, 'whether it is checked for a swarm run; by the relation'],
  tie: [26, 'what comes first of things that happen at one instant; by what they are'],
} as const satisfies Record<string, readonly [place: number, what: string]>

type Purpose = keyof typeof purposes
export type Key = string | number

export type Draw = {
  /** Evenly distributed over 0 (included) to 1 (excluded). */
  unit(purpose: Purpose, key: Key): number
  /** True with this probability; 0 and 1 are certain. */
  chance(purpose: Purpose, key: Key, rate: number): boolean
  /** One of 0 .. below - 1, each as likely. */
  integer(purpose: Purpose, key: Key, below: number): number
  /** How many tries it takes, each of which succeeds with this probability; 1 or more. */
  tries(purpose: Purpose, key: Key, rate: number): number
  /** Evenly distributed between the two, both included. */
  uniformMs(purpose: Purpose, key: Key, range: readonly [Millis, Millis]): Millis
  exponentialMs(purpose: Purpose, key: Key, meanMs: Millis): Millis
  /** How long a run takes. Cut off at four standard deviations, so that there is a longest. */
  lognormalMs(key: Key, shape: Lognormal): Millis
}

export type Lognormal = { readonly medianMs: Millis; readonly p95Ms: Millis }

/** The 95th percentile of the standard normal distribution. */
const normalP95 = 1.6448536269514722

const lognormalCutoff = 4

/** The spread of a lognormal: the standard deviation of its logarithm. */
function spreadOf({ medianMs, p95Ms }: Lognormal): number {
  return medianMs === 0 ? 0 : Math.log(p95Ms / medianMs) / normalP95
}

/** The longest that `lognormalMs` ever gives. */
export function longestLognormalMs(shape: Lognormal): Millis {
  return Math.round(shape.medianMs * Math.exp(lognormalCutoff * spreadOf(shape)))
}

/**
 * The numbers of a seed, by key and place. Making a generator costs as much as a hundred numbers,
 * and who is asked about is mostly asked about at once: the sheet of the last key is kept.
 */
function sheetsOf(seed: number): (key: Key, place: number) => number {
  let last: Key | null = null
  let generator = seedrandom.tychei('')
  let sheet: number[] = []
  return (key, place) => {
    if (key !== last) {
      last = key
      generator = seedrandom.tychei(`${key}|${seed}`)
      sheet = []
    }
    let drawn = sheet[place]
    while (drawn === undefined) {
      sheet.push(generator())
      drawn = sheet[place]
    }
    return drawn
  }
}

/** All draws of a seed. */
export function drawsOf(seed: number): Draw {
  const numberOf = sheetsOf(seed)
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
      return Math.round(shape.medianMs * Math.exp(spreadOf(shape) * cut))
    },
  }
}

/** A short name for a list of numbers, to key draws by; the list itself could be hundreds long. */
export function nameOf(numbers: readonly number[]): string {
  const text = numbers.join()
  return numbers.length <= 2 ? text : hash('sha1', text, 'base64url')
}
