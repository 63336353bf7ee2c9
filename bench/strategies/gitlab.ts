/**
 * Modelled on GitLab's merge trains (docs.gitlab.com, "Merge trains"). Each car is tested on top of
 * all cars ahead. Only so many cars from the head have a pipeline: 20, unless the project or the
 * instance has a lower limit (`max_pipelines_per_merge_train`). A car whose pipeline fails leaves at once,
 * at any position, even if the culprit is a car ahead. All cars behind it start over.
 *
 * Not modelled: "merge immediately" and skipping the train. Both merge untested states.
 */

import { Chain } from './chain.ts'
import type { Host, MakePolicy, Policy, PolicyRun } from './policy.ts'

export const gitlabDefaults = { pipelines: 20 }

export type GitlabParameters = typeof gitlabDefaults

export const gitlabTrain =
  (parameters: GitlabParameters): MakePolicy =>
  (host) =>
    new Train(host, parameters)

class Train implements Policy {
  readonly #chain: Chain

  constructor(host: Host, { pipelines }: GitlabParameters) {
    this.#chain = new Chain(host, pipelines)
  }

  submitted(number: number): void {
    this.#chain.add(number)
  }

  finished(run: PolicyRun, hasPassed: boolean): void {
    this.#chain.finished(run, hasPassed)
  }

  advance(): void {
    const failed = this.#chain.cars.find(({ verdict }) => verdict === 'failed')
    if (failed) this.#chain.evict(failed, 'tests')
    while (this.#chain.cars[0]?.verdict === 'passed') this.#chain.merge(1)
    this.#chain.start()
  }
}
