/**
 * Merged commits whose exact tree no run had passed, by cause.
 *
 * A tree that a run tested ends with the last pull request of that run; so the compositions that
 * passed are kept with that one, until it leaves the queue.
 */

import {
  isTerminal,
  type Event,
  type EventOf,
  type PullRequestNumber,
  type TestRun,
} from '../../engine/index.ts'
import type { Book, EndedRun } from './book.ts'

export type UnprovenMerges = {
  /** Merged as part of a batch: the batch was tested as a whole. */
  readonly batchMiddle: number
  /** Cleared by a later run that contains it. */
  readonly optimistic: number
  /** Others that share no target with it were merged in between. */
  readonly disjointTargets: number
  /** Merged without a run, directly or by a person. */
  readonly direct: number
}

/** How the run that cleared a pull request holds it. */
type Part = 'middle' | 'last' | 'below'

export class UnprovenMergesBook implements Book {
  readonly counts = { batchMiddle: 0, optimistic: 0, disjointTargets: 0, direct: 0 }
  readonly #passed = new Map<PullRequestNumber, Set<string>>()
  readonly #parts = new Map<PullRequestNumber, Part>()
  readonly #tell: (number: PullRequestNumber) => void
  #clearing: TestRun | null = null
  #tip = ''

  /** `tell` hears of each pull request that is counted. */
  constructor(tell: (number: PullRequestNumber) => void = () => undefined) {
    this.#tell = tell
  }

  seeEnd({ run, outcome }: EndedRun): void {
    const last = run.tested.at(-1)
    if (outcome !== 'passed' || last === undefined) return
    const known = this.#passed.get(last)
    if (known) known.add(run.composition)
    else this.#passed.set(last, new Set([run.composition]))
  }

  see(event: Event): void {
    if (event.type === 'groupPassed' || event.type === 'membersProven') this.#clearing = event.run
    else if (event.type === 'tipMoved') this.#tip = event.composition
    else if (event.type === 'pullRequestMoved') this.#seeMove(event)
  }

  #seeMove({ number, to, reason }: EventOf<'pullRequestMoved'>): void {
    if (to === 'TESTS_PASSED' && this.#clearing) {
      this.#parts.set(number, partOf(number, this.#clearing))
    }
    if (to === 'MERGED' && !this.#passed.get(number)?.has(this.#tip)) {
      this.counts[causeOf(reason, this.#parts.get(number))]++
      this.#tell(number)
    }
    if (!isTerminal(to)) return
    this.#passed.delete(number)
    this.#parts.delete(number)
  }
}

function partOf(number: PullRequestNumber, { base, tested }: TestRun): Part {
  if (base.includes(number)) return 'below'
  return tested.at(-1) === number ? 'last' : 'middle'
}

/** A whole group whose tree still is another: only groups that share nothing can have come between. */
function causeOf(
  reason: EventOf<'pullRequestMoved'>['reason'],
  part: Part | undefined,
): keyof UnprovenMerges {
  if (reason !== 'MERGE_GRAPH_MERGE') return 'direct'
  if (part === 'below') return 'optimistic'
  return part === 'middle' ? 'batchMiddle' : 'disjointTargets'
}
