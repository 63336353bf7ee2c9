/**
 * A code host in simulated time. It answers a merge after some time, and may refuse it, or land
 * only the first of several. It always
 * refuses a pull request that conflicts as text with the current branch: pull requests in lanes
 * without a common target are tested and merged independently of each other. If it refuses because
 * somebody has pushed to the branch, it may also report that push, before the answer or after it.
 */

import type {
  CodeHost,
  CommandBody,
  MergeRefusal,
  Millis,
  PullRequestNumber,
} from '../../engine/index.ts'
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
  /** The requests that the engine has not heard an answer to, by their first pull request. */
  readonly #merging = new Map<PullRequestNumber, readonly PullRequestNumber[]>()
  /**
   * The number of merge requests per pull request: each request has its own draw, so that a later
   * one may succeed.
   */
  readonly #requests = new Map<PullRequestNumber, number>()

  constructor(context: CodeHostContext) {
    this.#context = context
  }

  /**
   * The engine repeats a request after a crash: the second call has no effect. A request is known by
   * its first pull request.
   */
  merge(numbers: readonly PullRequestNumber[]): void {
    const [number] = numbers
    if (number === undefined || this.#merging.has(number)) return
    this.#merging.set(number, numbers)
    const key = this.#keyOfRequest(number)
    const { faults } = this.#context
    const refused = this.#refusalOf(number, key)
    const isMoved = refused === 'TARGET_BRANCH_MOVED'
    const noticed = isMoved ? faults.noticeOf(key) : 'never'
    if (noticed === 'before') this.#reportPush(number)
    this.#answer(numbers, refused, key)
    if (noticed === 'after') this.#reportPush(number)
  }

  /** The engine has heard an answer about this pull request. A crash may have lost it before. */
  heard(number: PullRequestNumber): void {
    for (const [first, numbers] of this.#merging) {
      if (numbers.includes(number)) this.#merging.delete(first)
    }
  }

  /** An event of its own, because the engine may crash between the push and the answer. */
  #reportPush(number: PullRequestNumber): void {
    this.#schedule(`push ${number}`, () => ({ type: 'reportPush' }))
  }

  #answer(numbers: readonly PullRequestNumber[], refused: MergeRefusal | null, key: string): void {
    const [first = 0] = numbers
    this.#schedule(first, () => {
      const conflicted = this.#notMerged(numbers).find((each) => this.#conflictsWithBranch(each))
      if (conflicted !== undefined) return conflicting(conflicted)
      return this.#answerOf(numbers, refused, key)
    })
  }

  #answerOf(
    numbers: readonly PullRequestNumber[],
    refused: MergeRefusal | null,
    key: string,
  ): CommandBody {
    const { faults } = this.#context
    const [number = 0] = numbers
    if (refused === null) {
      const landed = numbers.slice(0, faults.landedOf(key, numbers.length))
      return {
        type: 'finishMerge',
        number,
        ...(numbers.length > 1 ? { numbers: landed } : {}),
        refused,
      }
    }
    const left = this.#notMerged(numbers)
    const culprit = left[faults.culpritOf(key, left.length)] ?? number
    return { type: 'finishMerge', number: culprit, refused }
  }

  #schedule(name: string | number, command: () => CommandBody): void {
    const { clock, faults, now } = this.#context
    const at = now() + faults.mergeMs
    clock.schedule({ at, kind: 'merge', name, commands: () => [{ ...command(), at }] })
  }

  /** Somebody may have merged some of them by hand meanwhile; these are not to blame. */
  #notMerged(numbers: readonly PullRequestNumber[]): readonly PullRequestNumber[] {
    return numbers.filter((number) => !this.#context.world.main.holds(number))
  }

  #conflictsWithBranch(number: PullRequestNumber): boolean {
    const { truth, main } = this.#context.world
    return truth.conflictsOf(number).some((other) => main.holds(other))
  }

  /** Each request has draws of its own. */
  #keyOfRequest(number: PullRequestNumber): string {
    const before = this.#requests.get(number) ?? 0
    this.#requests.set(number, before + 1)
    return `${number}#${before}`
  }

  /** A branch that moved at every merge would never let the run end. */
  #refusalOf(number: PullRequestNumber, key: string): MergeRefusal | null {
    const refused = this.#context.faults.refusalOf(key)
    const isOnceMore = (this.#requests.get(number) ?? 0) > mostMoves
    return refused === 'TARGET_BRANCH_MOVED' && isOnceMore ? null : refused
  }
}

function conflicting(number: PullRequestNumber): CommandBody {
  return { type: 'finishMerge', number, refused: 'START_TEST_RUN_MERGE_CONFLICT' }
}
