/**
 * Modelled on GitHub's merge queue (docs.github.com, "Managing a merge queue"). Every entry has a
 * separate build, on top of all entries ahead. The build concurrency (here that of the scenario;
 * GitHub allows 1 to 100) limits the number of concurrent builds. Entries merge in groups from the
 * head.
 *
 * With "Only merge non-failing pull requests", a failing entry is removed at once, and its
 * successors are rebuilt. An entry may therefore be removed because of a culprit ahead whose build
 * takes longer. Without it, failed entries merge too if the last of the group has passed, so the
 * head is removed only if no entry in its group has passed.
 *
 * Not modelled: the minimum group size and its wait (GitHub's default minimum is 1), jumping the
 * queue, and the timeout of status checks.
 */

import { Chain } from './chain.ts'
import type { Host, MakePolicy, Policy, PolicyRun, PolicySettings } from './policy.ts'

/** GitHub's default. */
const defaultGroupSize = 5

export const githubAllGreen: MakePolicy = (host) => new Groups(host, { size: 1 })

export const githubLastGreen: MakePolicy = (host, { batchSize }: PolicySettings) =>
  new Groups(host, { size: batchSize ?? defaultGroupSize })

class Groups implements Policy {
  readonly #chain: Chain
  /** The most entries that merge together. With 1, every entry must pass in its own build. */
  readonly #size: number

  constructor(host: Host, { size }: { readonly size: number }) {
    this.#chain = new Chain(host, Infinity)
    this.#size = size
  }

  submitted(number: number): void {
    this.#chain.add(number)
  }

  finished(run: PolicyRun, hasPassed: boolean): void {
    this.#chain.finished(run, hasPassed)
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

  /**
   * The number of entries from the head that can merge: all finished ones of the first group, up to
   * the last that passed.
   */
  #groupAtHead(): number {
    const group = this.#chain.cars.slice(0, this.#size)
    const pending = group.findIndex(({ verdict }) => verdict === 'none')
    const finished = pending === -1 ? group : group.slice(0, pending)
    return finished.findLastIndex(({ verdict }) => verdict === 'passed') + 1
  }

  /** True if all entries of the first group have failed, so that the head can no longer merge. */
  #isHeadHopeless(): boolean {
    const group = this.#chain.cars.slice(0, this.#size)
    return group.length > 0 && group.every(({ verdict }) => verdict === 'failed')
  }
}
