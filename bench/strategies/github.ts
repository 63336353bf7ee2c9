/**
 * Modelled on GitHub's merge queue (docs.github.com, "Managing a merge queue"). Every entry has a
 * separate build, on top of all entries ahead. The build concurrency limits the number of
 * concurrent builds: it is that of the policy's settings. Entries merge in groups from the head. A
 * group with fewer entries than the minimum merges only when its first entry has waited long enough.
 *
 * With "Only merge non-failing pull requests" (`ALLGREEN`), a failing entry is removed at once, and
 * its successors are rebuilt. An entry may therefore be removed because of a culprit ahead whose
 * build takes longer. Without it (`HEADGREEN`), failed and pending entries merge too if the last of
 * the group has passed, so the head is removed only if all entries in its group have failed.
 *
 * Assumed: a group that failed may still fill while its first entry waits. Not modelled: jumping the
 * queue, and the timeout of status checks.
 */

import type { Millis } from '../../engine/index.ts'
import { Chain, type Car } from './chain.ts'
import type { Host, MakePolicy, Policy, PolicyRun } from './policy.ts'

export type GithubParameters = {
  readonly strategy: 'ALLGREEN' | 'HEADGREEN'
  /** The fewest and the most entries that merge together. */
  readonly least: number
  readonly most: number
  /** After this time a group of fewer entries may merge. */
  readonly waitMs: Millis
}

/** GitHub's defaults. */
export const githubDefaults: GithubParameters = {
  strategy: 'ALLGREEN',
  least: 1,
  most: 5,
  waitMs: 5 * 60_000,
}

export const githubGroups =
  (parameters: GithubParameters): MakePolicy =>
  (host) =>
    new Groups(host, parameters)

/** All green, or with groups of the scenario's batch size if only the last must be green. */
export const githubAllGreen: MakePolicy = githubGroups(githubDefaults)

export const githubLastGreen: MakePolicy = (host, { batchSize }) =>
  new Groups(host, {
    ...githubDefaults,
    strategy: 'HEADGREEN',
    most: batchSize ?? githubDefaults.most,
  })

class Groups implements Policy {
  readonly #host: Host
  readonly #chain: Chain
  readonly #parameters: GithubParameters

  constructor(host: Host, parameters: GithubParameters) {
    this.#host = host
    this.#chain = new Chain(host, Infinity)
    this.#parameters = parameters
  }

  submitted(number: number): void {
    this.#chain.add(number)
    if (this.#parameters.least > 1) this.#host.wakeAt(this.#host.now() + this.#parameters.waitMs)
  }

  finished(run: PolicyRun, hasPassed: boolean): void {
    this.#chain.finished(run, hasPassed)
  }

  advance(): void {
    if (this.#parameters.strategy === 'ALLGREEN') this.#evictFailed()
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

  get #firstGroup(): readonly Car[] {
    return this.#chain.cars.slice(0, this.#parameters.most)
  }

  /**
   * The number of entries from the head that can merge: those of the first group up to the last that
   * passed; 0 if that is too few and the group may still wait. With `ALLGREEN` none of them may be
   * pending. With `HEADGREEN` only the last has to be green: its build holds all those ahead.
   */
  #groupAtHead(): number {
    const group = this.#firstGroup
    const pending = group.findIndex(({ verdict }) => verdict === 'none')
    const mayCarry = this.#parameters.strategy === 'HEADGREEN' || pending === -1
    const candidates = mayCarry ? group : group.slice(0, pending)
    const count = candidates.findLastIndex(({ verdict }) => verdict === 'passed') + 1
    return this.#isEnough(count) ? count : 0
  }

  /** True if so many entries may leave, by the minimum or because the first has waited. */
  #isEnough(count: number): boolean {
    const { least, waitMs } = this.#parameters
    const [head] = this.#chain.cars
    return count >= least || (head !== undefined && head.addedAt + waitMs <= this.#host.now())
  }

  /** True if all entries of the first group have failed, so that the head can no longer merge. */
  #isHeadHopeless(): boolean {
    const group = this.#firstGroup
    return (
      group.length > 0 &&
      group.every(({ verdict }) => verdict === 'failed') &&
      this.#isEnough(group.length)
    )
  }
}
