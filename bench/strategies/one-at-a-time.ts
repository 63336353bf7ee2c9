/**
 * One pull request at a time, on the tip; what passes merges, what fails leaves. The rule of homu
 * and rust-lang/bors ("test, then merge exactly that"), without their priorities and without the
 * roll-ups that people make by hand.
 */

import type { Host, MakePolicy, Policy, PolicyRun } from './policy.ts'

export const oneAtATime: MakePolicy = (host) => new OneAtATime(host)

class OneAtATime implements Policy {
  readonly #host: Host
  readonly #waiting: number[] = []
  #underWay: PolicyRun | null = null

  constructor(host: Host) {
    this.#host = host
  }

  submitted(number: number): void {
    this.#waiting.push(number)
  }

  finished({ tested }: PolicyRun, hasPassed: boolean): void {
    this.#underWay = null
    if (hasPassed) this.#host.merge(tested)
    else for (const number of tested) this.#host.evict(number, 'tests')
  }

  advance(): void {
    while (this.#underWay === null) {
      const number = this.#waiting.shift()
      if (number === undefined) return
      if (this.#host.mergesOn(number, [])) {
        this.#underWay = this.#host.start({ base: [], tested: [number] })
      } else {
        this.#host.evict(number, 'conflict')
      }
    }
  }
}
