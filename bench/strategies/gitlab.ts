/**
 * After GitLab's merge trains (docs.gitlab.com, "Merge trains"): each car is tested on top of all
 * cars ahead, at most 20 pipelines at once; a car whose pipeline fails leaves at once, wherever it
 * stands, even if one ahead of it turns out to be to blame, and all cars behind start over.
 *
 * Left out: "merge immediately", and skipping the train; both land what nobody has tested.
 */

import { Chain } from './chain.ts'
import type { Host, MakePolicy, Policy, PolicyRun } from './policy.ts'

const mostPipelines = 20

export const gitlabTrain: MakePolicy = (host) => new Train(host)

class Train implements Policy {
  readonly #chain: Chain

  constructor(host: Host) {
    this.#chain = new Chain(host, mostPipelines)
  }

  submitted(number: number): void {
    this.#chain.add(number)
  }

  finished(run: PolicyRun, hasPassed: boolean): void {
    this.#chain.note(run, hasPassed)
  }

  advance(): void {
    const failed = this.#chain.cars.find(({ verdict }) => verdict === 'failed')
    if (failed) this.#chain.evict(failed, 'tests')
    while (this.#chain.cars[0]?.verdict === 'passed') this.#chain.merge(1)
    this.#chain.start()
  }
}
