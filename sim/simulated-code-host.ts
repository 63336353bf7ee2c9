/** A code host in simulated time: it takes a while to answer a merge, and may refuse. */

import type { CodeHost, CommandBody, Millis, PullRequestNumber } from '../engine/index.ts'
import type { Faults } from './faults.ts'
import type { VirtualClock } from './virtual-clock.ts'

type Surroundings = {
  readonly clock: VirtualClock
  readonly faults: Faults
  readonly now: () => Millis
}

export class SimulatedCodeHost implements CodeHost {
  readonly #around: Surroundings
  readonly #merging = new Set<PullRequestNumber>()
  /** How often the merge of each was asked for, so that one refused may get through later. */
  readonly #asked = new Map<PullRequestNumber, number>()

  constructor(around: Surroundings) {
    this.#around = around
  }

  /** Takes the same request twice, as after a crash. */
  merge(number: PullRequestNumber): void {
    if (this.#merging.has(number)) return
    this.#merging.add(number)
    const { clock, faults, now } = this.#around
    const answer = this.#answer(number)
    clock.schedule({
      at: now() + faults.mergeMs,
      lane: 'merge',
      name: number,
      commands: () => {
        this.#merging.delete(number)
        return [answer]
      },
    })
  }

  #answer(number: PullRequestNumber): CommandBody {
    const before = this.#asked.get(number) ?? 0
    this.#asked.set(number, before + 1)
    const refused = this.#around.faults.refusalOf(`${number}#${before}`)
    return { type: 'finishMerge', number, refused }
  }
}
