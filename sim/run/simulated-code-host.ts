/**
 * A code host in simulated time. It answers a merge after some time, and may refuse it. It always
 * refuses a pull request that conflicts as text with the current branch: pull requests in lanes
 * without a common target are tested and merged independently of each other. If it refuses because
 * somebody has pushed to the branch, it also reports that push.
 */

import type { CodeHost, CommandBody, Millis, PullRequestNumber } from '../../engine/index.ts'
import type { Faults } from './faults.ts'
import type { VirtualClock } from './virtual-clock.ts'
import type { World } from '../world/world.ts'

/** The branch moves during at most this many merges of one pull request. */
const mostMoves = 3

type CodeHostContext = {
  readonly clock: VirtualClock
  readonly faults: Faults
  readonly world: World
  readonly now: () => Millis
}

export class SimulatedCodeHost implements CodeHost {
  readonly #context: CodeHostContext
  readonly #merging = new Set<PullRequestNumber>()
  /**
   * The number of merge requests per pull request: each request has its own draw, so that a later
   * one may succeed.
   */
  readonly #requests = new Map<PullRequestNumber, number>()

  constructor(context: CodeHostContext) {
    this.#context = context
  }

  /** The engine repeats a request after a crash: the second call has no effect. */
  merge(number: PullRequestNumber): void {
    if (this.#merging.has(number)) return
    this.#merging.add(number)
    const { clock, faults, now } = this.#context
    const answers = this.#answers(number)
    clock.schedule({
      at: now() + faults.mergeMs,
      kind: 'merge',
      name: number,
      commands: () => {
        this.#merging.delete(number)
        return this.#conflictsWithBranch(number) ? [conflicting(number)] : answers
      },
    })
  }

  #conflictsWithBranch(number: PullRequestNumber): boolean {
    const { truth, main } = this.#context.world
    return truth.conflictsOf(number).some((other) => main.holds(other))
  }

  #answers(number: PullRequestNumber): readonly CommandBody[] {
    const { faults } = this.#context
    const before = this.#requests.get(number) ?? 0
    this.#requests.set(number, before + 1)
    const key = `${number}#${before}`
    const refused = faults.refusalOf(key)
    const isMoved = refused === 'TARGET_BRANCH_MOVED'
    // A branch that moves at every merge would never let the run end.
    if (isMoved && before >= mostMoves) return [{ type: 'finishMerge', number, refused: null }]
    const answer: CommandBody = { type: 'finishMerge', number, refused }
    if (!isMoved) return [answer]
    const push: CommandBody = { type: 'reportPush' }
    return faults.isPushNoticedLate(key) ? [answer, push] : [push, answer]
  }
}

function conflicting(number: PullRequestNumber): CommandBody {
  return { type: 'finishMerge', number, refused: 'START_TEST_RUN_MERGE_CONFLICT' }
}
