/**
 * The world around the queue, which the engine never sees: the truth about pull requests, the real
 * contents of the target branch, and the planned outcome of each test run.
 */

import { isTerminal } from '../../engine/index.ts'
import type { Event, Millis, PullRequestNumber, TestName, TestRun } from '../../engine/index.ts'
import { type Draw, type Key, nameOf } from '../random/draw.ts'
import type {
  FlakyRun,
  FlakyTest,
  PullRequestEntry,
  Push,
  Scenario,
  SuiteFlakes,
} from '../scenario/scenario.ts'
import { type TruthBranch, KnownTruth } from './truth.ts'
import { Clashes } from './clashes.ts'
import { type Lengths, lengthsOf } from './lengths.ts'

/** The planned outcome of a test run, if no fault occurs. */
export type PlannedRun = {
  readonly key: Key
  readonly lengthMs: Millis
  readonly outcome: 'passed' | 'failed'
  readonly failedTests: readonly TestName[]
  /** True if the run fails only because of a flake. */
  readonly flaked: boolean
  /** What makes it fail beside flakes: pull requests, and pushes as negative numbers. */
  readonly culprits: readonly number[]
  /** The named tests that flake, even if the run fails anyway; null if no flake fails it. */
  readonly flakyTests: readonly string[] | null
  /** Tests that failed, passed when repeated within the run, and do not fail the run. */
  readonly retriedTests: readonly string[]
}

/** Two pull requests that no branch can contain, or one that conflicts with the tip. */
type FoundConflict = { readonly number: number; readonly conflictsWith: number | 'tip' }

export class World {
  readonly truth: KnownTruth
  /** The target branch with its real contents. */
  readonly main: TruthBranch
  readonly lengths: Lengths
  readonly #flakes: Flakes
  readonly #keys = new RunKeys()
  readonly #clashes: Clashes
  /** Those that left without a merge. */
  readonly #left = new Set<number>()
  /** What the next pushes do. */
  readonly #pushes: Push[] = []

  constructor(scenario: Scenario, draw: Draw) {
    const { suite = {}, suiteFlakes = {}, traffic = {}, quarantine } = scenario
    this.truth = new KnownTruth(quarantine)
    this.main = this.truth.emptyBranch()
    this.lengths = lengthsOf(suite, draw)
    this.#flakes = flakesOf(suiteFlakes, draw)
    this.#clashes = new Clashes(traffic, draw)
  }

  /**
   * Returns the earlier pull requests that one clashes with that is submitted for the first time. One
   * that breaks alone clashes with nobody.
   */
  clashesOf(entry: PullRequestEntry, at: Millis): number[] {
    const drawn = this.#clashes.of(entry, at)
    return entry.breaks ? [] : drawn.filter((other) => !this.truth.breaksByItself(other))
  }

  /** Stores the facts about a pull request. Call it once, before the submission. */
  learn(entry: PullRequestEntry): void {
    this.truth.learn(entry)
    this.lengths.learn(entry)
    this.#flakes.learn(entry)
  }

  /** Updates the target branch and who is in the queue, and forgets the run keys of what has merged. */
  onEvent(event: Event, at: Millis): void {
    this.truth.onEvent(event)
    if (event.type === 'tipMoved') {
      if (event.number === null) this.#land(event.tip)
      else this.main.add(event.number)
    } else if (event.type === 'pullRequestMoved' && isTerminal(event.to)) {
      this.leave(event.number, at, event.to === 'MERGED')
    } else if (event.type === 'pullRequestSubmitted') {
      this.submit(event.number, at)
    }
  }

  /** It leaves the queue. */
  leave(number: number, at: Millis, isMerged: boolean): void {
    this.#clashes.left(number, at)
    if (isMerged) this.#keys.forget(number)
    else this.#left.add(number)
  }

  /** It enters the queue. If it was there before and is not on the branch, its author knows the branch. */
  submit(number: number, at: Millis): void {
    this.lengths.submitted(at)
    this.#clashes.submitted(number)
    if (!this.#left.delete(number) || this.main.holds(number)) return
    this.truth.renew(number, (other) => this.main.holds(other))
  }

  /** The next push to the branch does this. */
  push(push: Push): void {
    this.#pushes.push(push)
  }

  #land(tip: number): void {
    const push = this.#pushes.shift()
    if (push) this.truth.learnPush(tip, push)
    this.main.addForeign()
  }

  /**
   * Returns the first pull request of the run that cannot be built on what is below it, and with which
   * one it conflicts as text; null if the branch can be built. What has merged since counts as part
   * of the tip.
   */
  conflictIn({ base, tested, tip }: TestRun): FoundConflict | null {
    const contents = [...base, ...tested]
    const hasMerged = (number: number): boolean =>
      contents.includes(number) && this.main.holds(number) && !this.main.holds(number, tip)
    const below: number[] = []
    for (const number of contents) {
      if (hasMerged(number)) continue
      const others = this.truth.conflictsOf(number)
      const isOnTip = others.some((other) => this.main.holds(other, tip) || hasMerged(other))
      const conflictsWith = isOnTip ? 'tip' : below.find((other) => others.includes(other))
      if (conflictsWith !== undefined) return { number, conflictsWith }
      below.push(number)
    }
    return null
  }

  /** Returns the planned outcome of a run that has just been started. Call it once per run. */
  plannedRunOf(run: TestRun): PlannedRun {
    const held = run.base.concat(run.tested)
    const key = this.#keys.next(held)
    const culprits = this.main.breakers(held, run.tip)
    const flake = this.#flakes.of(run, key)
    const fails = culprits.length > 0 || flake.fails
    return {
      key,
      lengthMs: this.lengths.of(run, key, fails),
      outcome: fails ? 'failed' : 'passed',
      failedTests: fails ? this.#failedTests(culprits, flake.tests) : [],
      flaked: culprits.length === 0 && flake.fails,
      culprits,
      flakyTests: flake.fails ? flake.tests : null,
      retriedTests: flake.retried,
    }
  }

  /** Whether every run of these on the branch fails, by what they break or by a flake that is certain. */
  failsAlways(numbers: readonly number[]): boolean {
    return this.main.wouldBreak(numbers) || this.#flakes.areCertain(numbers)
  }

  #failedTests(culprits: readonly number[], flaky: readonly string[]): TestName[] {
    const broken = culprits.flatMap((number) => this.truth.testsOf(number))
    return [...new Set([...broken, ...flaky])].map((name) => ({ name }))
  }
}

// Keys of draws about test runs: the pull requests in the run, in order, and how many runs of the
// same pull requests were started before. The id of the run is not used, because it changes when
// an unrelated run is removed.

class RunKeys {
  /** The number of runs of each composition, by the last pull request in it. */
  readonly #made = new Map<PullRequestNumber, Map<string, number>>()

  /** Returns the key of a run that has just been started. Each call counts as a run. */
  next(held: readonly PullRequestNumber[]): Key {
    const name = nameOf(held)
    const last = held.at(-1) ?? 0
    const made = this.#made.get(last) ?? new Map<string, number>()
    const attempt = made.get(name) ?? 0
    this.#made.set(last, made.set(name, attempt + 1))
    return attempt === 0 ? name : `${name}#${attempt}`
  }

  /**
   * Forgets a merged pull request. A pull request that left in another way must stay known: it may
   * be submitted again, and must not get the same flakes again.
   */
  forget(number: PullRequestNumber): void {
    this.#made.delete(number)
  }
}

// Flakes: of a whole run, of a named test, or of the tests of one pull request.

type Flake = {
  /** The run fails, even if everything in it is good. */
  readonly fails: boolean
  /** The named tests that fail. */
  readonly tests: readonly string[]
  /** The named tests that failed, and passed when the runner repeated them within the run. */
  readonly retried: readonly string[]
}

type Flakes = {
  learn(entry: PullRequestEntry): void
  /** Returns the flakes of a run. Call it once per run, in the order in which runs start. */
  of(run: TestRun, key: Key): Flake
  /** Whether each run of these flakes. */
  areCertain(numbers: readonly number[]): boolean
}

/** The given flaky runs of a pull request, and how many runs have tested it so far. */
type ScriptedFlakes = { readonly flakyRuns: readonly FlakyRun[]; runs: number }

function flakesOf(suiteFlakes: SuiteFlakes, draw: Draw): Flakes {
  const rates = new Map<number, number>()
  const scripts = new Map<number, ScriptedFlakes>()
  const { perRun = 0, tests: named = [] } = suiteFlakes
  const isCertain =
    perRun === 1 || named.some(({ rate, retryPassRate = 0 }) => rate === 1 && retryPassRate === 0)
  return {
    areCertain: (numbers) => isCertain || numbers.some((number) => rates.get(number) === 1),
    learn({ number, flakeRate = 0, flakyRuns = [] }) {
      if (flakeRate > 0) rates.set(number, flakeRate)
      if (flakyRuns.length > 0) scripts.set(number, { flakyRuns, runs: 0 })
    },
    of(run, key) {
      const query = { draw, run, key }
      const fails = suiteFails(suiteFlakes, query) || (rates.size > 0 && ownFails(rates, query))
      if (scripts.size === 0 && !suiteFlakes.tests) return { fails, tests: [], retried: [] }
      const scripted = run.tested.flatMap((number) => nextOf(scripts.get(number)))
      const drawn = suiteTests(suiteFlakes, query)
      const tests = new Set([...scripted.flatMap(testsOf), ...drawn.tests])
      const retried = new Set([...scripted.flatMap(retriedOf), ...drawn.retried])
      return {
        fails: fails || scripted.some(failsRun) || tests.size > 0,
        tests: [...tests],
        retried: [...retried].filter((name) => !tests.has(name)),
      }
    },
  }
}

type FlakeQuery = { readonly draw: Draw; readonly run: TestRun; readonly key: Key }

/** Counts a run of the pull request, and returns the flakes given for it. */
function nextOf(script: ScriptedFlakes | undefined): FlakyRun[] {
  if (!script) return []
  script.runs++
  const { runs } = script
  return script.flakyRuns.filter(
    (flaky) => (typeof flaky === 'number' ? flaky : flaky.run) === runs,
  )
}

const testsOf = (flaky: FlakyRun): readonly string[] =>
  typeof flaky === 'number' ? [] : flaky.tests

const retriedOf = (flaky: FlakyRun): readonly string[] =>
  typeof flaky === 'number' ? [] : (flaky.retried ?? [])

/** A run in which only repeated tests flake can still pass. */
const failsRun = (flaky: FlakyRun): boolean =>
  testsOf(flaky).length > 0 || retriedOf(flaky).length === 0

/** Draws the named tests that fail, and those that pass when repeated. */
function suiteTests(
  { tests = [], per }: SuiteFlakes,
  { draw, run, key }: FlakeQuery,
): Pick<Flake, 'tests' | 'retried'> {
  const flaking = tests.filter(({ name, rate }) =>
    keysOf(per, run, key).some((each) => draw.chance('flake of a test', `${each} ${name}`, rate)),
  )
  const isRetried = ({ name, retryPassRate = 0 }: FlakyTest): boolean =>
    draw.chance('retry of a test', `${key} ${name}`, retryPassRate)
  return {
    tests: flaking.filter((test) => !isRetried(test)).map(({ name }) => name),
    retried: flaking.filter(isRetried).map(({ name }) => name),
  }
}

function suiteFails({ perRun = 0, per }: SuiteFlakes, { draw, run, key }: FlakeQuery): boolean {
  if (perRun === 0) return false
  return keysOf(per, run, key).some((each) => draw.chance('flake of a run', each, perRun))
}

function ownFails(rates: ReadonlyMap<number, number>, { draw, run, key }: FlakeQuery): boolean {
  const fails = (number: number): boolean =>
    draw.chance('flake of a pull request', `${key} ${number}`, rates.get(number) ?? 0)
  return run.tested.some(fails) || run.base.some(fails)
}

/** The keys of the draws: one for the run, or one for each unmerged pull request in it. */
function keysOf(per: SuiteFlakes['per'], { base, tested }: TestRun, key: Key): readonly Key[] {
  if (per !== 'pullRequest') return [key]
  return [...base, ...tested].map((number) => `${key} ${number}`)
}
