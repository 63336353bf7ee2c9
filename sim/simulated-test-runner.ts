/** Test runs in simulated time: each ends as the world has it, unless a fault comes between. */

import type {
  CommandBody,
  FinishTestRun,
  Millis,
  TestRun,
  TestRunId,
  TestRunner,
} from '../engine/index.ts'
import type { Faults } from './faults.ts'
import { toMillis } from './time.ts'
import type { VirtualClock } from './virtual-clock.ts'
import type { Fate, World } from './world/world.ts'

/** A second report follows the first after this long. */
const echoAfterMs: Millis = toMillis(1)

type Surroundings = {
  readonly clock: VirtualClock
  readonly world: World
  readonly faults: Faults
  /** Hears how each run will end, as soon as it starts. */
  readonly onFate: ((run: TestRun, fate: Fate) => void) | undefined
}

export class SimulatedTestRunner implements TestRunner {
  readonly #around: Surroundings
  readonly #underWay = new Map<TestRunId, Fate>()

  constructor(around: Surroundings) {
    this.#around = around
  }

  /** Takes the same start twice, as after a crash. */
  start(run: TestRun): void {
    if (this.#underWay.has(run.id)) return
    const { world, faults, onFate } = this.#around
    const fate = world.fateOf(run)
    onFate?.(run, fate)
    this.#underWay.set(run.id, fate)
    const { startedAt } = run
    const due = startedAt + fate.lengthMs
    const report = faults.reportOf(fate.key, { from: startedAt, to: due })
    if (report.kind === 'never') return
    const result = resultOf(run, report.kind === 'lost' ? null : fate)
    const at = due + report.lateMs
    const comesAnyway = report.echo !== 'none'
    this.#report(at, fate, () => (comesAnyway || this.#underWay.has(run.id) ? [result] : pointless))
    if (!comesAnyway) return
    const echo = report.echo === 'same' ? result : oppositeOf(result)
    this.#report(at + echoAfterMs, fate, () => [echo])
  }

  cancel(testRun: TestRunId): void {
    this.#underWay.delete(testRun)
  }

  /** Whether the run, under way or just over, fails for no other reason than a flake. */
  isFlake(testRun: TestRunId): boolean {
    return this.#underWay.get(testRun)?.flaked ?? false
  }

  /** Lets go of a run that is over. */
  forget(testRun: TestRunId): void {
    this.#underWay.delete(testRun)
  }

  #report(at: Millis, { key }: Fate, commands: () => readonly CommandBody[]): void {
    this.#around.clock.schedule({ at, lane: 'result', name: key, commands })
  }
}

const pointless: readonly CommandBody[] = []

/** The command that reports a run; without a fate the runner has lost it. */
function resultOf({ id: testRun }: TestRun, fate: Fate | null): FinishTestRun {
  const type = 'finishTestRun'
  if (!fate) return { type, testRun, outcome: 'errored' }
  const { outcome, failedTests, retriedTests } = fate
  return {
    type,
    testRun,
    outcome,
    ...(failedTests.length > 0 ? { failedTests } : {}),
    ...(retriedTests.length > 0 ? { flakyTests: retriedTests.map((name) => ({ name })) } : {}),
  }
}

/** A report that says of the same run what the first one did not; of a lost one that it passed. */
function oppositeOf({ type, testRun, outcome }: FinishTestRun): FinishTestRun {
  return { type, testRun, outcome: outcome === 'passed' ? 'failed' : 'passed' }
}
