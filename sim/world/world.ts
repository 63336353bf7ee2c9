/**
 * Everything around the queue that the engine never sees: what is true about pull requests, what
 * the target branch really holds, and how each test run will end.
 */

import type { Event, Millis, TestName, TestRun } from '../../engine/index.ts'
import type { Draw, Key } from '../draw.ts'
import type { PullRequestEntry, Scenario } from '../scenario/scenario.ts'
import type { TruthBranch } from './branch.ts'
import { flakesOf, type Flakes } from './flakes.ts'
import { KnownTruth } from './known-truth.ts'
import { lengthsOf, type Lengths } from './lengths.ts'
import { RunKeys } from './run-keys.ts'

/** How a test run ends, if nothing goes wrong around it. */
export type Fate = {
  readonly key: Key
  readonly lengthMs: Millis
  readonly outcome: 'passed' | 'failed'
  readonly failedTests: readonly TestName[]
  /** It fails, and would not without a flake. */
  readonly flaked: boolean
  /** The named tests that flake, whether or not it fails anyway; null where none makes it fail. */
  readonly flakyTests: readonly string[] | null
  /** Tests that failed and passed within the run, and do not make it fail. */
  readonly retriedTests: readonly string[]
}

export class World {
  readonly truth = new KnownTruth()
  /** The target branch as it really is. */
  readonly main: TruthBranch
  readonly lengths: Lengths
  readonly #flakes: Flakes
  readonly #keys = new RunKeys()

  constructor({ suite = {}, suiteFlakes = {} }: Scenario, draw: Draw) {
    this.main = this.truth.emptyBranch()
    this.lengths = lengthsOf(suite, draw)
    this.#flakes = flakesOf(suiteFlakes, draw)
  }

  /** Keeps what is said about a pull request; to be called once, before it is submitted. */
  learn(entry: PullRequestEntry): void {
    this.truth.learn(entry)
    this.lengths.learn(entry)
    this.#flakes.learn(entry)
  }

  /** Follows the target branch, and forgets who is merged. */
  see(event: Event): void {
    if (event.type === 'tipMoved') {
      if (event.number === null) this.main.addForeign()
      else this.main.add(event.number)
    } else if (event.type === 'pullRequestMoved' && event.to === 'MERGED') {
      this.#keys.forget(event.number)
    }
  }

  /** How a run that has just been started will end. To be asked once per run. */
  fateOf(run: TestRun): Fate {
    const held = run.base.concat(run.tested)
    const key = this.#keys.next(held)
    const culprits = this.main.culprits(held, run.tip)
    const flake = this.#flakes.of(run, key)
    const fails = culprits.length > 0 || flake.fails
    return {
      key,
      lengthMs: this.lengths.of(run, key),
      outcome: fails ? 'failed' : 'passed',
      failedTests: fails ? failedTestsOf(culprits, flake.tests) : [],
      flaked: culprits.length === 0 && flake.fails,
      flakyTests: flake.fails ? flake.tests : null,
      retriedTests: flake.retried,
    }
  }
}

function failedTestsOf(culprits: readonly number[], flaky: readonly string[]): TestName[] {
  return [...culprits.map(testOf), ...flaky].map((name) => ({ name }))
}

/** The test that a pull request breaks. */
const testOf = (number: number): string => `what pull request ${number} breaks`
