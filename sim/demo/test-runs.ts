/** The scenario's CI: told by webhook that a run starts, it asks what is in it, and reports. */

import type { TestRun } from '../../engine/index.ts'
import type { Faults } from '../faults.ts'
import { toMillis } from '../time.ts'
import type { Fate, World } from '../world/world.ts'
import type { Api, RunDetails } from './api.ts'
import type { Composition, Merges } from './merges.ts'
import type { Pace } from './pace.ts'

type Around = {
  readonly api: Api
  readonly world: World
  readonly faults: Faults
  readonly merges: Merges
  readonly pace: Pace
}

type Outcome = 'passed' | 'failed' | 'errored'

const echoAfterMs = toMillis(1)

export class TestRuns {
  readonly #around: Around
  readonly #known = new Set<string>()
  #reported = 0

  constructor(around: Around) {
    this.#around = around
  }

  get reported(): number {
    return this.#reported
  }

  /** A run starts. Webhooks tell of it more than once: for each pull request, and again if in doubt. */
  async begin(testRunId: string): Promise<void> {
    if (this.#known.has(testRunId)) return
    this.#known.add(testRunId)
    const { api, world, faults, merges, pace } = this.#around
    const details = await api.call<RunDetails>('getMergeQueueTestingDetails', { testRunId })
    const run = runOf(await merges.compositionOf(details), this.#known.size)
    const fate = world.fateOf(run)
    const from = pace.now
    const report = faults.reportOf(fate.key, { from, to: from + fate.lengthMs })
    if (report.kind === 'never') return
    const outcome = report.kind === 'lost' ? 'errored' : fate.outcome
    const at = from + fate.lengthMs + report.lateMs
    this.#report({ testRunId, outcome, fate, at })
    if (report.echo === 'none') return
    const opposite = outcome === 'passed' ? 'failed' : 'passed'
    const echo = report.echo === 'same' ? outcome : opposite
    this.#report({ testRunId, outcome: echo, fate, at: at + echoAfterMs })
  }

  #report(report: {
    readonly testRunId: string
    readonly outcome: Outcome
    readonly fate: Fate
    readonly at: number
  }): void {
    const { testRunId, outcome, fate, at } = report
    this.#around.pace.at(at, async () => {
      await this.#around.api.call('reportTestRun', {
        testRunId,
        outcome,
        failedTests: outcome === 'failed' ? fate.failedTests : [],
        flakyTests: outcome === 'errored' ? [] : fate.retriedTests.map((name) => ({ name })),
      })
      this.#reported++
    })
  }
}

/** As much of a run as the world looks at. */
function runOf({ tip, base, tested }: Composition, id: number): TestRun {
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
