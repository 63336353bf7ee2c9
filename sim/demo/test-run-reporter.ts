/**
 * Simulates the CI of a scenario. A webhook notifies it that a run has started. It then queries the
 * contents of the run and reports its result.
 */

import type { TestRun } from '../../engine/index.ts'
import type { Faults } from '../run/faults.ts'
import { toMillis } from '../scenario/time.ts'
import type { PlannedRun, World } from '../world/world.ts'
import type { Api, RunDetails } from './api.ts'
import type { RunContents, Merges } from './merges.ts'
import type { Pace } from './pacer.ts'

type TestRunsContext = {
  readonly api: Api
  readonly world: World
  readonly faults: Faults
  readonly merges: Merges
  readonly pace: Pace
}

type ReportedOutcome = 'passed' | 'failed' | 'errored'

const echoAfterMs = toMillis(1)

export class TestRunReporter {
  readonly #context: TestRunsContext
  readonly #known = new Set<string>()
  #reported = 0

  constructor(context: TestRunsContext) {
    this.#context = context
  }

  get reported(): number {
    return this.#reported
  }

  /** Starts a run, once per id: webhooks arrive for each pull request and may arrive repeatedly. */
  async begin(testRunId: string): Promise<void> {
    if (this.#known.has(testRunId)) return
    this.#known.add(testRunId)
    const { api, world, faults, merges, pace } = this.#context
    const details = await api.call<RunDetails>('getMergeQueueTestingDetails', { testRunId })
    const run = runOf(await merges.compositionOf(details), this.#known.size)
    const planned = world.plannedRunOf(run)
    const from = pace.now
    const report = faults.reportOf(planned.key, { from, to: from + planned.lengthMs })
    if (report.kind === 'never') return
    const outcome = report.kind === 'lost' ? 'errored' : planned.outcome
    const at = from + planned.lengthMs + report.lateMs
    this.#report({ testRunId, outcome, planned, at })
    if (report.echo === 'none') return
    const opposite = outcome === 'passed' ? 'failed' : 'passed'
    const echo = report.echo === 'same' ? outcome : opposite
    this.#report({ testRunId, outcome: echo, planned, at: at + echoAfterMs })
  }

  #report(report: {
    readonly testRunId: string
    readonly outcome: ReportedOutcome
    readonly planned: PlannedRun
    readonly at: number
  }): void {
    const { testRunId, outcome, planned, at } = report
    this.#context.pace.at(at, async () => {
      await this.#context.api.call('reportTestRun', {
        testRunId,
        outcome,
        failedTests: outcome === 'failed' ? planned.failedTests : [],
        flakyTests: outcome === 'errored' ? [] : planned.retriedTests.map((name) => ({ name })),
      })
      this.#reported++
    })
  }
}

/** Returns a test run with the fields that the world reads. */
function runOf({ tip, base, tested }: RunContents, id: number): TestRun {
  return {
    id,
    owner: { kind: 'main', group: 0 },
    tip,
    base,
    tested,
    submissions: [],
    composition: '',
    startedAt: 0,
    deadline: 0,
    attempt: 0,
  }
}
