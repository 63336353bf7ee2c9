/**
 * Tests one pull request at a time on the tip. If it passes, it merges; if it fails, it leaves.
 * Modelled on homu and rust-lang/bors ("test, then merge exactly that"), without their priorities
 * and manual roll-ups.
 */

import type { Host, MakePolicy, Policy, PolicyRun } from './queue.ts'

export const oneAtATime: MakePolicy = (host) => new OneAtATime(host)

class OneAtATime implements Policy {
  readonly #host: Host
  readonly #waiting: number[] = []
  #running: PolicyRun | null = null

  constructor(host: Host) {
    this.#host = host
  }

  submitted(number: number): void {
    this.#waiting.push(number)
  }

  finished({ tested }: PolicyRun, hasPassed: boolean): void {
    this.#running = null
    if (hasPassed) this.#host.merge(tested)
    else for (const number of tested) this.#host.evict(number, 'tests')
  }

  advance(): void {
    while (this.#running === null) {
      const number = this.#waiting.shift()
      if (number === undefined) return
      if (this.#host.mergesOn(number, [])) {
        this.#running = this.#host.start({ base: [], tested: [number] })
      } else {
        this.#host.evict(number, 'conflict')
      }
    }
  }
}
