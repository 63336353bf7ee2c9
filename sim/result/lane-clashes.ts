/**
 * Clashes between lanes: two pull requests that do not go together, and declared no target in
 * common. Each was tested without the other, as parallel mode promises; so this is told of the
 * targets, not of the engine. They break the branch together, or the later one does not merge.
 */

import {
  isTerminal,
  type Event,
  type EventOf,
  type ImpactedTargets,
  type PullRequestNumber,
} from '../../engine/index.ts'
import { shareTarget, type Touched } from '../properties/model/targets.ts'
import type { RunContext } from '../run-context.ts'
import { toMinutes } from '../time.ts'
import type { Book, Seen } from './book.ts'

export type LaneClash = {
  readonly atMinutes: number
  /** The one that came later is the second. */
  readonly pullRequests: readonly [PullRequestNumber, PullRequestNumber]
  readonly how: 'break together' | 'conflict as text'
}

/** Merged as any other; not by a person, whom nobody could stop. */
const mergeReasons: ReadonlySet<unknown> = new Set([
  'MERGE_GRAPH_MERGE',
  'MERGE_GRAPH_DIRECT_MERGE',
])

/** Only pull requests with something to clash with are kept. */
export class LaneClashes implements Book {
  readonly found: LaneClash[] = []
  readonly #context: RunContext
  readonly #uploaded = new Map<PullRequestNumber, ImpactedTargets>()
  /** What each touched when it last started. */
  readonly #declared = new Map<PullRequestNumber, Touched>()
  readonly #merged = new Set<PullRequestNumber>()
  #refused: PullRequestNumber | null = null

  constructor(context: RunContext) {
    this.#context = context
  }

  see(event: Event, seen: Seen): void {
    if (event.type === 'impactedTargetsSet') this.#upload(event)
    else if (event.type === 'groupPlaced') this.#declare(event.members, seen)
    else if (event.type === 'testRunStarted') this.#declare(event.run.tested, seen)
    else if (event.type === 'mergeRefused') this.#refused = event.number
    else if (event.type === 'pullRequestMoved' && isTerminal(event.to)) this.#end(event, seen)
  }

  #upload({ number, targets }: EventOf<'impactedTargetsSet'>): void {
    if (this.#context.truth.relativesOf(number).length > 0) this.#uploaded.set(number, targets)
  }

  #declare(numbers: readonly PullRequestNumber[], { queue }: Seen): void {
    const isOneLine = queue.configuration.mode === 'single'
    for (const number of numbers) {
      if (this.#context.truth.relativesOf(number).length === 0) continue
      const targets = isOneLine ? 'ALL' : (this.#uploaded.get(number) ?? [])
      this.#declared.set(number, targets === 'ALL' ? targets : new Set(targets))
    }
  }

  #end({ number, to, reason }: EventOf<'pullRequestMoved'>, { at }: Seen): void {
    const { truth, main } = this.#context
    const wasRefused = this.#refused === number && reason === 'START_TEST_RUN_MERGE_CONFLICT'
    if (this.#refused === number) this.#refused = null
    const isMerged = to === 'MERGED' && mergeReasons.has(reason)
    if (!this.#declared.has(number) || !(isMerged || wasRefused)) return
    const add = (others: readonly PullRequestNumber[], how: LaneClash['how']): void => {
      const apart = others.filter(
        (other) => this.#merged.has(other) && this.#isApart(number, other),
      )
      for (const other of apart) {
        this.found.push({ atMinutes: toMinutes(at), pullRequests: [other, number], how })
      }
    }
    add(truth.conflictsOf(number), 'conflict as text')
    if (!isMerged) return
    const culprits = new Set(main.culprits([]))
    const partners = culprits.has(number) ? truth.partnersOf(number) : []
    add(
      partners.filter((other) => culprits.has(other)),
      'break together',
    )
    this.#merged.add(number)
  }

  #isApart(number: PullRequestNumber, other: PullRequestNumber): boolean {
    const [some, others] = [this.#declared.get(number), this.#declared.get(other)]
    return some !== undefined && others !== undefined && !shareTarget(some, others)
  }
}
