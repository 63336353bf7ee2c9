/**
 * A code host in simulated time: it takes a while to answer a merge, and may refuse. It always
 * refuses what does not merge as text with the branch as it has become: pull requests in lanes
 * that declared no target in common are tested and merged without regard to each other.
 */

import type { CodeHost, CommandBody, Millis, PullRequestNumber } from '../engine/index.ts'
import type { Faults } from './faults.ts'
import type { VirtualClock } from './virtual-clock.ts'
import type { World } from './world/world.ts'

type Surroundings = {
  readonly clock: VirtualClock
  readonly faults: Faults
  readonly world: World
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
        return [this.#conflictsWithBranch(number) ? conflicting(number) : answer]
      },
    })
  }

  #conflictsWithBranch(number: PullRequestNumber): boolean {
    const { truth, main } = this.#around.world
    return truth.conflictsOf(number).some((other) => main.holds(other))
  }

  #answer(number: PullRequestNumber): CommandBody {
    const before = this.#asked.get(number) ?? 0
    this.#asked.set(number, before + 1)
    const refused = this.#around.faults.refusalOf(`${number}#${before}`)
    return { type: 'finishMerge', number, refused }
  }
}

function conflicting(number: PullRequestNumber): CommandBody {
  return { type: 'finishMerge', number, refused: 'START_TEST_RUN_MERGE_CONFLICT' }
}
