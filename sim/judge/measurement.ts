/** Measures a run without keeping lists, which comparisons of many runs do not need. */

import type {
  Command,
  Event,
  Millis,
  PullRequestNumber,
  PullRequestState,
  Rejection,
} from '../../engine/index.ts'
import type { RunContext, RunOutcome, SimulateOptions, StepReader } from '../observe/run-context.ts'
import { flatFigures, type FlatFigures } from '../result/aggregate.ts'
import { FiguresProjection } from '../result/figures.ts'
import type { Expectation, Figures } from '../result/result-document.ts'
import type { ResultContext, ResultProjection } from '../result/result-projection.ts'
import { drained, simulating } from '../run/simulate.ts'
import { boundedFigures, isList } from '../scenario/scenario.ts'
import type { Bound, Expect, Happening, Scenario } from '../scenario/scenario.ts'
import { toMillis } from '../scenario/time.ts'

/** The result of a run without its lists, for comparisons of many runs. */
type MeasuredRun = {
  readonly figures: Figures
  readonly expectations: readonly Expectation[]
}

type CountedRun = MeasuredRun & {
  /** What it cost, in events: budgets count it, so that any machine does the same. */
  readonly work: number
  /** The name of a property that was violated. */
  readonly broken: string | null
}

type MeasureOptions = Pick<SimulateOptions, 'properties'> & {
  /** These receive the same events as the figures. */
  readonly projections?: readonly ResultProjection[]
}

/** Simulates and measures a scenario, without a hash of its trace. */
export const measuredRun = (scenario: Scenario, options?: MeasureOptions): CountedRun =>
  drained(measuring(scenario, options))

/** Like `measuredRun`, but the caller can stop after any step, and knows what the run has cost so far. */
export function* measuring(
  scenario: Scenario,
  { projections = [], ...options }: MeasureOptions = {},
): Generator<number, CountedRun, void> {
  const collector = new MeasurementCollector(scenario, projections)
  let work = 0
  const counting: StepReader = ({ events, queue }) => {
    work += events.length * (1 + queue.bisections.length / bisectionsPerEvent)
  }
  const observers = [collector.observer, () => counting]
  const steps = simulating(scenario, { ...options, observers, isUnhashed: true })
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) yield work
  const outcome = step.value
  const broken = outcome.properties.find(({ violations }) => violations.length > 0)?.name ?? null
  return { ...collector.measure(outcome), work: Math.round(work), broken }
}

/** After each event the engine looks at every bisection: so many take as long as the event. */
const bisectionsPerEvent = 100

/** Measures a run. Pass `observer` to the run, and call `measure` after it. */
export class MeasurementCollector {
  readonly #lists: readonly ResultProjection[]
  readonly #expectations: ExpectationsProjection
  #figures: FiguresProjection | null = null

  /** `lists` receive the same events as the figures. */
  constructor(scenario: Scenario, lists: readonly ResultProjection[] = []) {
    this.#lists = lists
    this.#expectations = new ExpectationsProjection(scenario.expect ?? {})
  }

  readonly observer = (context: RunContext): StepReader => {
    const figures = new FiguresProjection(context, [...this.#lists, this.#expectations])
    this.#figures = figures
    return (step) => figures.read(step)
  }

  readonly onRejection: NonNullable<SimulateOptions['onRejection']> = (command, rejection) =>
    this.#expectations.onRefusal(command, rejection)

  measure(outcome: RunOutcome): MeasuredRun {
    if (!this.#figures) throw new Error('no run was observed')
    const figures = this.#figures.figures(outcome)
    return { figures, expectations: this.#expectations.judge(figures) }
  }
}

// Compares a run with the expectations of its scenario.

/** Collects what the expectations refer to. Without expectations it collects nothing. */
class ExpectationsProjection implements ResultProjection {
  readonly #expect: Expect
  /** Every move, in order. */
  readonly #moves: {
    readonly at: Millis
    readonly number: number
    readonly to: PullRequestState
  }[] = []
  readonly #mergeOrder: PullRequestNumber[] = []
  readonly #keepsLists: boolean
  readonly #listed: Event[] = []
  readonly #refused: object[] = []

  constructor(expect: Expect) {
    this.#expect = expect
    const { states = [], merged, failed, cancelled, mergeOrder } = expect
    this.#keepsLists =
      states.length > 0 || [merged, failed, cancelled, mergeOrder].some(Array.isArray)
  }

  onEvent(event: Event, { at }: ResultContext): void {
    if (this.#expect.events?.[event.type]) this.#listed.push(event)
    if (!this.#keepsLists) return
    const { type } = event
    if (type === 'pullRequestSubmitted') this.#move(at, event.number, event.state)
    else if (type === 'pullRequestMoved') this.#move(at, event.number, event.to)
    else if (type === 'tipMoved' && event.number !== null) this.#mergeOrder.push(event.number)
  }

  #move(at: Millis, number: PullRequestNumber, to: PullRequestState): void {
    this.#moves.push({ at, number, to })
  }

  onRefusal(command: Command, rejection: Rejection): void {
    if (this.#expect.refused) this.#refused.push({ ...command, ...rejection })
  }

  /** Returns every expectation of the scenario with its verdict, in the order of the schema. */
  judge(figures: Figures): Expectation[] {
    const { merged, failed, cancelled, mergeOrder, maxTestRuns, states = [] } = this.#expect
    const { events = {}, refused } = this.#expect
    const { totals } = figures
    const flat = flatFigures(figures)
    const expectations = [
      this.#judgeOutcome('merged', merged, 'MERGED', totals.merged),
      this.#judgeOutcome('failed', failed, 'FAILED', totals.failed),
      this.#judgeOutcome('cancelled', cancelled, 'CANCELLED', totals.cancelled),
      mergeOrder && listExpectation('mergeOrder', mergeOrder, this.#mergeOrder),
      maxTestRuns === undefined
        ? undefined
        : {
            ...judgeBound('maxTestRuns', { max: maxTestRuns }, totals.testRuns),
            expected: maxTestRuns,
          },
      ...states.map(({ at, number, is: expected }) => {
        const until = this.#moves.filter(
          (move) => move.number === number && move.at <= toMillis(at),
        )
        const actual = until.at(-1)?.to ?? null
        return { name: `state of ${number} at ${at}`, expected, actual, holds: actual === expected }
      }),
      ...Object.entries(events).map(([type, expected]) => {
        const happened = this.#listed.filter((event) => event.type === type)
        return judgeList(`events of ${type}`, expected, happened)
      }),
      refused && judgeList('refused', refused, this.#refused),
      ...boundedFigures.map(([name, path]) => {
        const bound = this.#expect[name]
        return bound === undefined ? undefined : judgeBound(name, bound, figureAt(path, flat))
      }),
    ]
    return expectations.flatMap((expectation) => expectation ?? [])
  }

  #judgeOutcome(
    name: string,
    expected: Expect['merged'],
    state: PullRequestState,
    count: number,
  ): Expectation | undefined {
    const states = new Map(this.#moves.map(({ number, to }) => [number, to]))
    const actual = [...states].flatMap(([number, is]) => (is === state ? [number] : []))
    return judgeOutcome(name, expected, actual, count)
  }
}

/** Those who ended so, against a list of them or against bounds of how many. */
export function judgeOutcome(
  name: string,
  expected: Expect['merged'],
  actual: readonly number[],
  count = actual.length,
): Expectation | undefined {
  if (expected === undefined) return undefined
  if (!isList(expected)) return judgeBound(name, expected, count)
  return listExpectation(name, byNumber(expected), byNumber(actual))
}

/** The figure at a path. A total that a run does not have is 0; any other figure may have no value. */
function figureAt(path: string, figures: FlatFigures): number | null {
  if (!path.startsWith('totals.')) return figures[path] ?? null
  const parts = Object.entries(figures).filter(([at]) => at === path || at.startsWith(`${path}.`))
  return parts.reduce((sum, [, value]) => sum + value, 0)
}

/** A figure without a value, for example because no pull request merged, meets no bound. */
function judgeBound(name: string, expected: Bound, actual: number | null): Expectation {
  const { min = -Infinity, max = Infinity } =
    typeof expected === 'number' ? { min: expected, max: expected } : expected
  return { name, expected, actual, holds: actual !== null && min <= actual && actual <= max }
}

function listExpectation(
  name: string,
  expected: readonly number[],
  actual: readonly number[],
): Expectation {
  return { name, expected, actual, holds: expected.join() === actual.join() }
}

const byNumber = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b)

// Compares everything of a kind that happened with what a scenario lists: in the same order, no more and
// no less. A scenario names only the fields that matter to it.

function judgeList(
  name: string,
  expected: readonly Happening[],
  happened: readonly object[],
): Expectation {
  const actual = happened.map((each, at) => partOf(each, expected[at]))
  return { name, expected, actual, holds: JSON.stringify(actual) === JSON.stringify(expected) }
}

/** The fields of the value that the pattern names, in its order; all of them without a pattern. */
function partOf(value: unknown, pattern: unknown): unknown {
  if (!isRecord(value) || !isRecord(pattern)) return value
  const names = Object.keys(pattern).filter((name) => name in value)
  return Object.fromEntries(names.map((name) => [name, partOf(value[name], pattern[name])]))
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
