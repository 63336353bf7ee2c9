/**
 * After GitHub's merge queue (docs.github.com, "Managing a merge queue"): every entry has a build
 * of its own, on top of all entries ahead, as many at once as the build concurrency allows (here
 * the scenario's; GitHub takes 1 to 100), and entries merge in groups from the head.
 *
 * "Only merge non-failing pull requests" on: an entry that fails is removed at once, those behind
 * are built anew; so one may go for the fault of another ahead whose build takes longer. Off: those that failed merge too as long as the last of the group has passed, so
 * the head is removed only once nobody in its group has passed.
 *
 * Left out: the minimum group size and its wait (GitHub's default minimum is 1), jumping the
 * queue, and the timeout of status checks.
 */

import { Chain } from './chain.ts'
import type { Host, MakePolicy, Policy, PolicyRun, PolicySettings } from './policy.ts'

/** GitHub's own default. */
const defaultGroupSize = 5

export const githubAllGreen: MakePolicy = (host) => new Groups(host, { size: 1 })

export const githubLastGreen: MakePolicy = (host, { batchSize }: PolicySettings) =>
  new Groups(host, { size: batchSize ?? defaultGroupSize })

class Groups implements Policy {
  readonly #chain: Chain
  /** The most entries that merge together. With one, everybody must pass by its own build. */
  readonly #size: number

  constructor(host: Host, { size }: { readonly size: number }) {
    this.#chain = new Chain(host, Infinity)
    this.#size = size
  }

  submitted(number: number): void {
    this.#chain.add(number)
  }

  finished(run: PolicyRun, hasPassed: boolean): void {
    this.#chain.note(run, hasPassed)
  }

  advance(): void {
    if (this.#size === 1) this.#evictFailed()
    for (let count = this.#groupAtHead(); count > 0; count = this.#groupAtHead()) {
      this.#chain.merge(count)
    }
    this.#chain.start()
    if (this.#isHeadHopeless()) {
      const [head] = this.#chain.cars
      if (head) this.#chain.evict(head, 'tests')
      this.advance()
    }
  }

  #evictFailed(): void {
    const failed = this.#chain.cars.find(({ verdict }) => verdict === 'failed')
    if (failed) this.#chain.evict(failed, 'tests')
  }

  /** How many from the head have finished, up to the last that passed, within one group. */
  #groupAtHead(): number {
    const group = this.#chain.cars.slice(0, this.#size)
    const pending = group.findIndex(({ verdict }) => verdict === 'none')
    const finished = pending === -1 ? group : group.slice(0, pending)
    return finished.findLastIndex(({ verdict }) => verdict === 'passed') + 1
  }

  /** The head has failed, and so has everybody who could still have merged it along. */
  #isHeadHopeless(): boolean {
    const group = this.#chain.cars.slice(0, this.#size)
    return group.length > 0 && group.every(({ verdict }) => verdict === 'failed')
  }
}
