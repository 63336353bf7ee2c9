/** A running demo: the simulated developers and CI of a scenario, as HTTP clients of a server. */

import type { Api } from '../../../../sim/demo/api.ts'
import { Merges } from '../../../../sim/demo/merges.ts'
import { Pace } from '../../../../sim/demo/pacer.ts'
import { SimulatedUsers } from '../../../../sim/demo/simulated-users.ts'
import type { WebhookMessage } from '../../../../sim/demo/receiver.ts'
import { statusLine, StatusDisplay } from '../../../../sim/demo/screen.ts'
import type { Tally } from '../../../../sim/demo/tally.ts'
import { TestRunReporter } from '../../../../sim/demo/test-run-reporter.ts'
import { drawsOf } from '../../../../sim/random/draw.ts'
import { Faults } from '../../../../sim/run/faults.ts'
import { scenarioDefaults, type Scenario } from '../../../../sim/scenario/scenario.ts'
import type { CliContext } from '../../../../sim/terminal/context.ts'
import { World } from '../../../../sim/world/world.ts'

const showEveryMs = 1_000

type DemoRunPorts = {
  readonly api: Api
  readonly speed: number
  readonly tally: Tally
  readonly context: CliContext
}

/** Runs from construction until `stop`, and updates the status line every second. */
export class DemoRun {
  readonly #pace: Pace
  readonly #users: SimulatedUsers
  readonly #runs: TestRunReporter
  readonly #ports: DemoRunPorts
  readonly #display: StatusDisplay
  readonly #timer: NodeJS.Timeout
  #isStopped = false
  #isOver = false

  constructor(scenario: Scenario, ports: DemoRunPorts) {
    const { api, speed, context } = ports
    this.#ports = ports
    this.#display = new StatusDisplay(context.stdout)
    this.#pace = new Pace(speed, (error) => this.#fault(error))
    const draw = drawsOf(scenario.seed ?? scenarioDefaults.seed)
    const world = new World(scenario, draw)
    const faults = new Faults(scenario.faults ?? {}, draw)
    const merges = new Merges(api, (number) => world.main.add(number))
    const pace = this.#pace
    this.#runs = new TestRunReporter({ api, world, faults, merges, pace })
    this.#users = new SimulatedUsers(scenario, draw, { api, world, pace })
    this.#timer = setInterval(() => {
      this.#show().catch((error: unknown) => this.#fault(error))
    }, showEveryMs)
  }

  /** Handles a verified message of the server. */
  onMessage({ type, test_run_id: run }: WebhookMessage): void {
    if (type !== 'pull_request.testing' || run === undefined) return
    this.#runs.begin(run).catch((error: unknown) => this.#fault(error))
  }

  stop(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    clearInterval(this.#timer)
    this.#pace.stop()
    this.#display.end()
  }

  async #show(): Promise<void> {
    const { api, tally, context } = this.#ports
    type Enqueued = { readonly enqueuedPullRequests: readonly unknown[] }
    const { enqueuedPullRequests } = await api.call<Enqueued>('getQueue')
    if (this.#isStopped || this.#isOver) return
    const enqueued = enqueuedPullRequests.length
    const { submitted, hasEnded } = this.#users
    const { reported } = this.#runs
    const nowMs = this.#pace.now
    this.#display.show(statusLine({ nowMs, submitted, enqueued, reported, tally }))
    // The webhook messages of the last pull requests arrive a moment later.
    if (!hasEnded || enqueued > 0 || tally.left < submitted) return
    this.#isOver = true
    this.#display.end()
    context.stdout.write('The queue is empty. The server runs until Ctrl-C.\n')
  }

  #fault(error: unknown): void {
    if (this.#isStopped) return
    this.#display.end()
    this.#ports.context.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  }
}
