/**
 * Lane clashes: two pull requests that do not work together and declared no common target. They
 * break the branch together, or the later one has a text conflict. Parallel mode tests them without
 * each other, so a lane clash is a fault of the declared targets, not of the engine.
 */

import { isTerminal, sharesTarget } from '../../engine/index.ts'
import type { Event, EventOf, ImpactedTargets, PullRequestNumber } from '../../engine/index.ts'
import type { RunContext } from '../observe/run-context.ts'
import { toMinutes } from '../scenario/time.ts'
import type { ResultProjection, ResultContext } from './result-projection.ts'

export type LaneClash = {
  readonly atMinutes: number
  /** The second one merged later or failed to merge. */
  readonly pullRequests: readonly [PullRequestNumber, PullRequestNumber]
  readonly how: 'break together' | 'conflict as text'
}

/** Merged by the queue. A merge by hand does not count, because the queue cannot prevent it. */
const mergeReasons: ReadonlySet<unknown> = new Set([
  'MERGE_GRAPH_MERGE',
  'MERGE_GRAPH_DIRECT_MERGE',
])

/** Finds lane clashes. Whom a pull request breaks with may be written after it has started, so all are kept. */
export class LaneClashes implements ResultProjection {
  readonly found: LaneClash[] = []
  readonly #context: RunContext
  /** The targets of each pull request at its last start. */
  readonly #declared = new Map<PullRequestNumber, ImpactedTargets>()
  readonly #merged = new Set<PullRequestNumber>()
  #refused: PullRequestNumber | null = null

  constructor(context: RunContext) {
    this.#context = context
  }

  onEvent(event: Event, context: ResultContext): void {
    if (event.type === 'groupPlaced') this.#declare(event.members, context)
    else if (event.type === 'testRunStarted') this.#declare(event.run.tested, context)
    else if (event.type === 'mergeRefused') this.#refused = event.number
    else if (event.type === 'pullRequestMoved' && isTerminal(event.to)) this.#end(event, context)
  }

  #declare(numbers: readonly PullRequestNumber[], { queue }: ResultContext): void {
    const isSingleMode = queue.configuration.mode === 'single'
    for (const number of numbers) {
      this.#declared.set(number, isSingleMode ? 'ALL' : (queue.impactedTargets[number] ?? []))
    }
  }

  #end({ number, to, reason }: EventOf<'pullRequestMoved'>, { at }: ResultContext): void {
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
    return some !== undefined && others !== undefined && !sharesTarget(some, others)
  }
}
