/** A test runner in simulated time: the world decides how each run ends, unless a fault occurs. */

import type {
  Command,
  FinishTestRun,
  Millis,
  TestRun,
  TestRunId,
  TestRunner,
} from '../../engine/index.ts'
import type { Faults } from './faults.ts'
import { toMillis } from '../scenario/time.ts'
import type { VirtualClock } from './virtual-clock.ts'
import type { PlannedRun, World } from '../world/world.ts'

/** The time between the first and the second report. */
const echoAfterMs: Millis = toMillis(1)

/** The time that the build of a branch takes. */
const buildMs: Millis = toMillis(0.1)

type TestRunnerContext = {
  readonly clock: VirtualClock
  readonly world: World
  readonly faults: Faults
  /** Text conflicts are found when the branch of a run is built. */
  readonly conflictsFoundByBuild: boolean
  /** Called when a run starts, with the way it will end. */
  readonly onRunPlanned: ((run: TestRun, planned: PlannedRun) => void) | undefined
}

type Build = {
  readonly run: TestRun
  readonly planned: PlannedRun
  readonly found?: ReturnType<World['conflictIn']>
}

export class SimulatedTestRunner implements TestRunner {
  readonly #context: TestRunnerContext
  readonly #underWay = new Map<TestRunId, PlannedRun>()

  constructor(context: TestRunnerContext) {
    this.#context = context
  }

  /** The engine repeats a start after a crash: the second call has no effect. */
  start(run: TestRun): void {
    if (this.#underWay.has(run.id)) return
    const { world, faults, onRunPlanned } = this.#context
    const planned = world.plannedRunOf(run)
    onRunPlanned?.(run, planned)
    this.#underWay.set(run.id, planned)
    if (this.#findsConflict(run, planned)) return
    const { startedAt } = run
    const due = startedAt + planned.lengthMs
    const report = faults.reportOf(planned.key, { from: startedAt, to: due })
    if (report.kind === 'never') return
    const at = due + report.lateMs
    const result = resultOf(run, report.kind === 'lost' ? null : planned, at)
    const isEchoed = report.echo !== 'none'
    this.#report(at, planned, () =>
      isEchoed || this.#underWay.has(run.id) ? [result] : noCommands,
    )
    if (!isEchoed) return
    const echo = report.echo === 'same' ? result : oppositeOf(result)
    const echoAt = at + echoAfterMs
    this.#report(echoAt, planned, () => [{ ...echo, at: echoAt }])
  }

  /**
   * True if the branch of the run cannot be built. It tries again while the run is under way: the
   * report may be refused because the code host is merging one of the two.
   */
  #findsConflict(run: TestRun, planned: PlannedRun): boolean {
    const { conflictsFoundByBuild, world } = this.#context
    const found = conflictsFoundByBuild ? world.conflictIn(run) : null
    if (!found) return false
    this.#build({ run, planned, found }, run.startedAt + buildMs)
    return true
  }

  /** What it has found at first may have merged by the time of the report. */
  #build({ run, planned, found }: Build, at: Millis): void {
    this.#report(at, planned, () => {
      if (!this.#underWay.has(run.id)) return noCommands
      this.#build({ run, planned }, at + echoAfterMs)
      const conflict = found ?? this.#context.world.conflictIn(run)
      return conflict
        ? [{ type: 'reportUnbuildable', testRun: run.id, ...conflict, at }]
        : noCommands
    })
  }

  cancel(testRun: TestRunId): void {
    this.#underWay.delete(testRun)
  }

  /** Whether the run, in progress or just ended, fails only because of a flake. */
  isFlake(testRun: TestRunId): boolean {
    const planned = this.#underWay.get(testRun)
    if (!planned) return false
    const { truth } = this.#context.world
    // What breaks only tests in quarantine fails no run.
    const hasCause = planned.culprits.some((number) => !truth.isHidden(number))
    return planned.flakyTests !== null && !hasCause
  }

  /** Forgets a run that has ended. */
  forget(testRun: TestRunId): void {
    this.#underWay.delete(testRun)
  }

  #report(at: Millis, { key }: PlannedRun, commands: () => readonly Command[]): void {
    this.#context.clock.schedule({ at, kind: 'result', name: key, commands })
  }
}

const noCommands: readonly Command[] = []

/** The command that reports the result of a run; without a plan, that the runner has lost it. */
function resultOf(
  { id: testRun }: TestRun,
  planned: PlannedRun | null,
  at: Millis,
): FinishTestRun & { readonly at: Millis } {
  const type = 'finishTestRun'
  if (!planned) return { type, testRun, outcome: 'errored', at }
  const { outcome, failedTests, retriedTests } = planned
  return {
    type,
    testRun,
    outcome,
    ...(failedTests.length > 0 ? { failedTests } : {}),
    ...(retriedTests.length > 0 ? { flakyTests: retriedTests.map((name) => ({ name })) } : {}),
    at,
  }
}

/** A report of the same run with the opposite outcome; for a lost run, that it passed. */
function oppositeOf({ type, testRun, outcome }: FinishTestRun): FinishTestRun {
  return { type, testRun, outcome: outcome === 'passed' ? 'failed' : 'passed' }
}
