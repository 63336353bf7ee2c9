/** Failures for no reason: of a run as a whole, of a named test, or of a pull request's own tests. */

import type { TestRun } from '../../engine/index.ts'
import type { Draw, Key } from '../draw.ts'
import type { FlakyRun, FlakyTest, PullRequestEntry, SuiteFlakes } from '../scenario/scenario.ts'

/** What a run does for no reason. */
type Flake = {
  /** It fails, whatever it holds. */
  readonly fails: boolean
  /** The tests to blame, as far as they have names. */
  readonly tests: readonly string[]
  /** Those that failed, and passed when the runner tried them again within the run. */
  readonly retried: readonly string[]
}

export type Flakes = {
  /** Keeps what is said about a pull request's own flakes. */
  learn(entry: PullRequestEntry): void
  /** Must be asked once for each run, in the order in which they start. */
  of(run: TestRun, key: Key): Flake
}

/** A pull request that flakes on given runs, and how many runs have tested it so far. */
type Scripted = { readonly flakyRuns: readonly FlakyRun[]; runs: number }

export function flakesOf(suiteFlakes: SuiteFlakes, draw: Draw): Flakes {
  const rates = new Map<number, number>()
  const scripts = new Map<number, Scripted>()
  return {
    learn({ number, flakeRate = 0, flakyRuns = [] }) {
      if (flakeRate > 0) rates.set(number, flakeRate)
      if (flakyRuns.length > 0) scripts.set(number, { flakyRuns, runs: 0 })
    },
    of(run, key) {
      const asked = { draw, run, key }
      const fails = suiteFails(suiteFlakes, asked) || (rates.size > 0 && ownFails(rates, asked))
      if (scripts.size === 0 && !suiteFlakes.tests) return { fails, tests: [], retried: [] }
      const scripted = run.tested.flatMap((number) => nextOf(scripts.get(number)))
      const drawn = suiteTests(suiteFlakes, asked)
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

type Asked = { readonly draw: Draw; readonly run: TestRun; readonly key: Key }

/** What the script of a pull request says about its next run. */
function nextOf(script: Scripted | undefined): FlakyRun[] {
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

/** A run in which nothing but retried tests flakes goes on to pass. */
const failsRun = (flaky: FlakyRun): boolean =>
  testsOf(flaky).length > 0 || retriedOf(flaky).length === 0

/** The named tests that fail, and those that do so only once. */
function suiteTests(
  { tests = [], per }: SuiteFlakes,
  { draw, run, key }: Asked,
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

function suiteFails({ perRun = 0, per }: SuiteFlakes, { draw, run, key }: Asked): boolean {
  if (perRun === 0) return false
  return keysOf(per, run, key).some((each) => draw.chance('flake of a run', each, perRun))
}

function ownFails(rates: ReadonlyMap<number, number>, { draw, run, key }: Asked): boolean {
  const fails = (number: number): boolean =>
    draw.chance('flake of a pull request', `${key} ${number}`, rates.get(number) ?? 0)
  return run.tested.some(fails) || run.base.some(fails)
}

/** What is drawn for: the run, or each unmerged pull request in it. */
function keysOf(per: SuiteFlakes['per'], { base, tested }: TestRun, key: Key): readonly Key[] {
  if (per !== 'pullRequest') return [key]
  return [...base, ...tested].map((number) => `${key} ${number}`)
}
