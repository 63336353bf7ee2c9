/** Flakes: of a whole run, of a named test, or of the tests of one pull request. */

import type { TestRun } from '../../engine/index.ts'
import type { Draw, Key } from '../random/draw.ts'
import type { FlakyRun, FlakyTest, PullRequestEntry, SuiteFlakes } from '../scenario/scenario.ts'

/** The flakes of one run. */
type Flake = {
  /** The run fails, even if everything in it is good. */
  readonly fails: boolean
  /** The named tests that fail. */
  readonly tests: readonly string[]
  /** The named tests that failed, and passed when the runner repeated them within the run. */
  readonly retried: readonly string[]
}

export type Flakes = {
  /** Stores the flakes of a pull request. */
  learn(entry: PullRequestEntry): void
  /** Returns the flakes of a run. Call it once per run, in the order in which runs start. */
  of(run: TestRun, key: Key): Flake
}

/** The given flaky runs of a pull request, and how many runs have tested it so far. */
type ScriptedFlakes = { readonly flakyRuns: readonly FlakyRun[]; runs: number }

export function flakesOf(suiteFlakes: SuiteFlakes, draw: Draw): Flakes {
  const rates = new Map<number, number>()
  const scripts = new Map<number, ScriptedFlakes>()
  return {
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
