/**
 * Makes what a queue wants come true in its repository: test runs and merges.
 *
 * It acts on the durable state alone, so no effect outlives a crash that its command did not. Nothing is
 * stored here: each pass compares what is wanted with what is there. So a missed message costs one
 * poll, and a start after a crash needs no path of its own.
 */

import type { Millis } from '../../engine/index.ts'
import { Backoff, ReportedFaults } from './backoff.ts'
import { type HostedParts, targetMoved, tipOf } from './hosted-parts.ts'
import { type Afterwards, goOn, isMergeDue, landMerge } from './landing.ts'
import { poll } from './polling.ts'
import { messageOf } from '../terminal/text.ts'
import type { RunJobs } from './run-jobs.ts'
import type { TestLimit } from './test-limit.ts'
import type { Tester } from './testers.ts'
import { wantedOf } from './wanted.ts'

type ReconcilerPorts = {
  readonly jobs: RunJobs
  readonly tester: Tester
  /** How long a test run may take. */
  readonly limit: TestLimit
}

export class Reconciler {
  readonly #parts: HostedParts
  readonly #ports: ReconcilerPorts
  readonly #backoff = new Backoff()
  readonly #reported = new ReportedFaults()
  #running: Promise<void> | null = null
  #isDue = false
  #isPollDue = true
  #isClosed = false
  #timer: NodeJS.Timeout | null = null
  #retry: NodeJS.Timeout | null = null
  #fault: string | null = null
  #polledAt: Millis | null = null

  constructor(parts: HostedParts, ports: ReconcilerPorts) {
    this.#parts = parts
    this.#ports = ports
  }

  /** Begins to poll the repository at this interval. Settles after the first look, also if that has failed. */
  async start(pollMs: number): Promise<void> {
    this.#timer = setInterval(() => this.poll(), pollMs)
    this.poll()
    await this.#running
  }

  get lastLookAt(): Millis | null {
    return this.#polledAt
  }

  /** What is waited for, for people; null if nothing is wrong. */
  get fault(): string | null {
    return this.#fault
  }

  /** A command of the queue is durable: what it wants done may have changed. */
  schedule(): void {
    this.#isDue = true
    if (this.#isClosed || this.#retry) return
    this.#running ??= this.#run().finally(() => {
      this.#running = null
    })
  }

  /** Polls the repository before the next pass. */
  poll(): void {
    this.#isPollDue = true
    this.schedule()
  }

  /** Settles when no pass is under way, and none will follow. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer) clearInterval(this.#timer)
    if (this.#retry) clearTimeout(this.#retry)
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#isDue && !this.#isClosed) {
      this.#isDue = false
      try {
        await this.#parts.alone(() => this.#pass())
        this.#fault = null
        this.#backoff.worked()
      } catch (error) {
        this.failed(error)
        return
      }
    }
  }

  /** Facts first, effects second: nothing is done for a world that has moved. */
  async #pass(): Promise<void> {
    const hasPolled = this.#isPollDue
    if (hasPolled) {
      this.#isPollDue = false
      await poll(this.#parts)
      this.#polledAt = this.#parts.now()
    }
    await this.#durable()
    if (this.#isClosed) return
    const { queue, observation, codeHost } = this.#parts
    const { jobs, tester, limit } = this.#ports
    const wanted = wantedOf(queue.engine.queue)
    const { runs, merges } = wanted
    goOn(this.#parts, wanted)
    limit.adjust()
    jobs.reconcile(runs)
    if (hasPolled) await tester.tidy([...(observation?.heads.keys() ?? [])], runs)
    const [first] = merges
    if (first && isMergeDue(this.#parts, first)) {
      await this.#after(await landMerge(this.#parts, first))
    }
    await this.#durable()
    void codeHost?.show()
  }

  async #after(afterwards: Afterwards): Promise<void> {
    if (afterwards === 'no poll') return
    await poll(this.#parts)
    if (afterwards === 'a poll') return
    const { movedFrom, next } = afterwards
    if (tipOf(this.#parts) === movedFrom) targetMoved(this.#parts, next)
  }

  /** Settles when what was sent is seen, and the state in memory is durable. */
  async #durable(): Promise<void> {
    const { settled, durable } = this.#parts
    for (;;) {
      const pending = settled() ?? durable()
      if (!pending) return
      await pending
    }
  }

  /** A fault outside: everything is tried again after a while. */
  failed(error: unknown): void {
    // A stop ends what is under way, and the next start begins with all of it.
    if (this.#isClosed) return
    const { logger, mirror, queue, now, codeHost } = this.#parts
    if (codeHost?.tester && codeHost.meaningForOne(error) === null) this.#ports.limit.renew()
    // Runs that fail together have failed once: each would double the wait.
    const waitMs = this.#retry ? null : this.#backoff.next()
    mirror.noteDamage(error)
    this.#fault = messageOf(error)
    this.#isDue = true
    this.#isPollDue = true
    if (this.#reported.isNew(this.#fault, now())) {
      logger.error({ err: error, queue: queue.name, waitMs }, 'the repository failed')
    }
    if (waitMs === null) return
    this.#retry = setTimeout(() => {
      this.#retry = null
      this.schedule()
    }, waitMs)
  }
}
