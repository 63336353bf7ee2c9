/**
 * Every random number of a simulation. There is no shared stream: each draw is keyed by the seed,
 * what it decides, and whom it is about, and is the same whenever and however often it is made.
 * So removing a pull request or turning a knob reshuffles nothing else, which shrinking and
 * paired comparisons depend on.
 */

import { hash } from 'node:crypto'
import seedrandom from 'seedrandom'
import type { Millis } from '../engine/index.ts'

/** What is drawn, and the key of each draw. A new decision is a new row, never a second use of one. */
const purposes = {
  arrivals: 'how long after the one before a generated pull request comes; by its number',
  breaks: 'whether a generated pull request breaks; by its number',
  conflicts:
    'how far back the next one is that it conflicts with as text; by its number, and which',
  'flaky pull request': 'whether a generated pull request is flaky; by its number',
  'green on tip': 'whether the code host calls it green on the tip; by its number',
  'no batch': 'whether it is to be tested alone; by its number',
  urgent: 'whether it is urgent; by its number',
  cancel: 'whether and when somebody cancels it; by its number',
  push: 'whether and when its author pushes to it; by its number',
  targets: 'which targets it impacts; by its number, and which',
  'run minutes': 'how long a run takes; by the run, or by pull request',
  'flake of a run': 'whether a run fails for no reason; by the run',
  'flake of a pull request':
    'whether one in the run makes it fail for no reason; by number and run',
  'flake of a test': 'whether a named test fails for no reason; by test and run',
  'retry of a test': 'whether a test that flaked passes when tried again; by test and run',
  'lost run': 'whether the runner loses a run; by the run',
  hang: 'whether a run never ends; by the run',
  'duplicate result': 'whether a result comes twice; by the run',
  'contradictory result': 'whether a result is followed by its opposite; by the run',
  'late result': 'how late a result comes; by the run',
  'refused merge':
    'whether and why the code host refuses a merge; by number, and how often it was asked',
  crash: 'whether the engine dies after a command; by how many commands came before',
  'swarm feature': 'whether a scenario of the swarm has a feature; by its name',
  'swarm choice': 'anything else about a scenario of the swarm; by what is chosen',
  'relation checked': 'whether a run of the swarm is checked against its variant; by the relation',
  tie: 'what comes first of things that happen at one instant; by what they are',
} as const satisfies Record<string, string>

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
  /** Cut off at four standard deviations, so that there is a longest. */
  lognormalMs(purpose: Purpose, key: Key, shape: Lognormal): Millis
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

/** The generator of one key. Its first two values still show the key's last digits, so they go. */
function generatorOf(seed: number, purpose: Purpose, key: Key): seedrandom.PRNG {
  const generator = seedrandom.alea(`${key}|${purpose}|${seed}`)
  generator()
  generator()
  return generator
}

/** All draws of a seed. */
export function drawsOf(seed: number): Draw {
  const unit: Draw['unit'] = (purpose, key) => generatorOf(seed, purpose, key)()
  return {
    unit,
    chance: (purpose, key, rate) => rate > 0 && (rate >= 1 || unit(purpose, key) < rate),
    integer: (purpose, key, below) => Math.floor(unit(purpose, key) * below),
    tries: (purpose, key, rate) =>
      rate >= 1 ? 1 : 1 + Math.floor(Math.log(1 - unit(purpose, key)) / Math.log(1 - rate)),
    uniformMs: (purpose, key, [from, to]) =>
      from + Math.floor(unit(purpose, key) * (to - from + 1)),
    exponentialMs: (purpose, key, meanMs) => Math.round(-Math.log(1 - unit(purpose, key)) * meanMs),
    lognormalMs(purpose, key, shape) {
      const generator = generatorOf(seed, purpose, key)
      const radius = Math.sqrt(-2 * Math.log(1 - generator()))
      const normal = radius * Math.cos(2 * Math.PI * generator())
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
