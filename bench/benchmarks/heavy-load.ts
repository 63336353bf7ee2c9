/**
 * The scenario that the benchmarks simulate: a queue under heavy load, with many failures. And the parent's side
 * of the process that simulates it.
 */

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Scenario } from '../../sim/scenario/scenario.ts'

/**
 * Returns a scenario with `pullRequests` generated pull requests. It has failing batches,
 * bisections, flakes, conflicts, cancels, pushes and faults of the test runner. Pull requests
 * arrive at the highest rate that the queue can still handle.
 */
export function heavyScenario(pullRequests: number): Scenario {
  return {
    name: 'heavy-load',
    seed: 1,
    queue: {
      concurrency: 10,
      batch: true,
      batchingMinSize: 4,
      batchingMaxWaitTimeMinutes: 5,
      pendingFailureDepth: 1,
      canOptimisticallyMerge: true,
    },
    suite: { minutes: { median: 16, p95: 40 } },
    traffic: {
      count: pullRequests,
      arrivals: { perHour: 15 },
      breakRate: 0.06,
      conflictRate: 0.002,
      noBatchRate: 0.03,
      urgentRate: 0.01,
      cancelRate: 0.02,
      pushRate: 0.02,
    },
    suiteFlakes: { perRun: 0.03 },
    faults: { lostRunRate: 0.01, duplicateResultRate: 0.01, hangRate: 0.002 },
  }
}

/**
 * `begin` prepares a simulation of so many pull requests. `continue` runs it until so many more are
 * submitted.
 */
export type LoadRequest =
  | { readonly do: 'begin'; readonly pullRequests: number }
  | { readonly do: 'continue'; readonly pullRequests: number }

export type LoadProgress = {
  /** Submitted so far. */
  readonly submitted: number
  readonly isOver: boolean
  /** Processor time of this request alone. */
  readonly cpuNs: number
  readonly peakBytes: number
  /** The number of violations found. Known at the end of the simulation, 0 before. */
  readonly violations: number
}

export class LoadProcess {
  readonly #child: ChildProcess
  readonly #failure: Promise<never>

  /**
   * Starts the process. With a heap limit V8 collects garbage early; without a limit it lets the
   * heap grow.
   */
  constructor(heapMebibytes: number | null = null) {
    const limit = heapMebibytes === null ? [] : [`--max-old-space-size=${heapMebibytes}`]
    const execArgv = [...process.execArgv, ...limit]
    this.#child = fork(fileURLToPath(new URL('./load-worker.js', import.meta.url)), [], {
      execArgv,
    })
    this.#failure = once(this.#child, 'exit').then(() => {
      throw new Error('the load process has ended')
    })
    this.#failure.catch(() => undefined)
  }

  /** Sends a request and waits for the answer. Throws if the process ends before it answers. */
  async send(request: LoadRequest): Promise<LoadProgress> {
    const answered = once(this.#child, 'message')
    this.#child.send(request)
    const [answer]: LoadProgress[] = await Promise.race([answered, this.#failure])
    if (!answer) throw new Error('the load process did not answer')
    return answer
  }

  async end(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.kill()
    await ended
  }
}
