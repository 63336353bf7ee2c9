/**
 * The faults of a run, drawn with the rates of its scenario. Faults end with the fault phase (S-39,
 * S-40).
 */

import type { Command, MergeRefusal, Millis, Queue } from '../../engine/index.ts'
import type { CrashKind } from '../steps/step.ts'
import type { Draw, Key } from '../random/draw.ts'
import type { Faults as Rates, Outage, Scenario } from '../scenario/scenario.ts'
import { toMillis } from '../scenario/time.ts'

export type TimeSpan = { readonly from: Millis; readonly to: Millis }

/** How the result of a test run is delivered. */
export type ResultDelivery = {
  readonly kind: 'verdict' | 'lost' | 'never'
  readonly lateMs: Millis
  /**
   * A second report that follows the first. If there is one, both are sent even for a cancelled
   * run.
   */
  readonly echo: 'none' | 'same' | 'opposite'
}

export class Faults {
  readonly #rates: Rates
  readonly #draw: Draw
  readonly #outages: readonly TimeSpan[]
  /** By their beginning. */
  readonly #serverOutages: readonly TimeSpan[]
  #isOver = false

  constructor(rates: Rates, draw: Draw) {
    this.#rates = rates
    this.#draw = draw
    this.#outages = (rates.outages ?? []).map(spanOf)
    this.#serverOutages = (rates.serverOutages ?? []).map(spanOf).sort((a, b) => a.from - b.from)
  }

  /** Ends the fault phase: no fault occurs after this call. */
  end(): void {
    this.#isOver = true
  }

  /**
   * Returns when the server is back, if it is away before or at the instant at which something happens next;
   * null if it is not.
   */
  backAt(now: Millis, next: Millis): Millis | null {
    if (this.#isOver) return null
    let back = now
    for (const { from, to } of this.#serverOutages) {
      if (to > back && from <= Math.max(next, back)) back = to
    }
    return back > now ? back : null
  }

  /**
   * Returns how the result of a run is delivered, if the run is in progress for this span. A run
   * that overlaps an outage is lost. The runner reports the loss when the result is due.
   */
  reportOf(key: Key, span: TimeSpan): ResultDelivery {
    if (this.#isOver) return { kind: 'verdict', lateMs: 0, echo: 'none' }
    const { hangRate = 0, lostRunRate = 0 } = this.#rates
    const isOut = this.#outages.some(({ from, to }) => span.from < to && from <= span.to)
    const isLost = isOut || this.#draw.chance('lost run', key, lostRunRate)
    const isHanging = this.#draw.chance('hang', key, hangRate)
    return {
      kind: isHanging ? 'never' : isLost ? 'lost' : 'verdict',
      lateMs: this.#lateMs(key),
      echo: this.#echo(key),
    }
  }

  #echo(key: Key): ResultDelivery['echo'] {
    const { duplicateResultRate = 0, contradictoryResultRate = 0 } = this.#rates
    if (this.#draw.chance('contradictory result', key, contradictoryResultRate)) return 'opposite'
    return this.#draw.chance('duplicate result', key, duplicateResultRate) ? 'same' : 'none'
  }

  #lateMs(key: Key): Millis {
    const longest = toMillis(this.#rates.lateResultMinutes ?? 0)
    return longest === 0 ? 0 : this.#draw.uniformMs('late result', key, [0, longest])
  }

  /** How long the code host takes to answer a merge, in milliseconds. */
  get mergeMs(): Millis {
    return this.#isOver ? 0 : toMillis(this.#rates.mergeMinutes ?? 0)
  }

  /** The reason why the code host refuses a merge; null if it merges. */
  refusalOf(key: Key): MergeRefusal | null {
    const { mergeRefusedRate = 0, mergeConflictRate = 0, mergePushedRate = 0 } = this.#rates
    const { branchMovedRate = 0 } = this.#rates
    const refusedRate = mergeRefusedRate + mergeConflictRate + mergePushedRate
    if (this.#isOver || refusedRate + branchMovedRate === 0) return null
    const drawn = this.#draw.unit('refused merge', key)
    if (drawn < mergeRefusedRate) return 'GITHUB_API_MERGE_PR_FAILED'
    if (drawn < mergeRefusedRate + mergeConflictRate) return 'START_TEST_RUN_MERGE_CONFLICT'
    if (drawn < refusedRate) return 'PR_UPDATED_AT_MERGE_TIME'
    return drawn < refusedRate + branchMovedRate ? 'TARGET_BRANCH_MOVED' : null
  }

  /** How many of the pull requests of one push land: mostly all of them. */
  landedOf(key: Key, count: number): number {
    const { partialPushRate = 0 } = this.#rates
    if (this.#isOver || count < 2) return count
    if (!this.#draw.chance('part of a push', `${key} partial`, partialPushRate)) return count
    return 1 + this.#draw.integer('part of a push', `${key} landed`, count - 1)
  }

  /** Because of which of the pull requests of one push the code host refuses it. */
  culpritOf(key: Key, count: number): number {
    return count < 2 ? 0 : this.#draw.integer('part of a push', `${key} refused`, count)
  }

  /** Whether the push that moved the branch during a merge is reported apart from the refusal, and when. */
  noticeOf(key: Key): 'before' | 'after' | 'never' {
    if (!this.#draw.chance('late notice', key, 0.5)) return 'before'
    return this.#draw.chance('late notice', `${key} never`, 0.5) ? 'never' : 'after'
  }

  /** Whether any command can be lost: in most runs none can, and none need be looked at. */
  get canLoseCommands(): boolean {
    return !this.#isOver && (this.#rates.lostCommandRate ?? 0) > 0
  }

  /**
   * After how long a client sends the command again, because the engine crashed before it was on disk;
   * null if it is not lost. Drawn by its content, because refused commands differ after a crash.
   */
  repeatOf(command: Command): Millis | null {
    const { lostCommandRate = 0 } = this.#rates
    if (!this.canLoseCommands) return null
    const key = JSON.stringify(command)
    if (!this.#draw.chance('lost command', key, lostCommandRate)) return null
    return this.#draw.uniformMs('lost command', `${key} again`, [0, longestRepeatMs])
  }

  /**
   * Whether the engine crashes after the command with this number: before its effects reach the
   * ports, after that, or not at all (null).
   */
  crashAfter(command: number): CrashKind | null {
    const { crashRate = 0 } = this.#rates
    if (this.#isOver || crashRate === 0) return null
    const drawn = this.#draw.unit('crash', command)
    if (drawn >= crashRate) return null
    return drawn < crashRate / 2 ? 'unpublished' : 'published'
  }
}

/** A client that got no answer sends its command again after at most this time. */
const longestRepeatMs: Millis = toMillis(0.5)

const spanOf = ({ from, minutes }: Outage): TimeSpan => ({
  from: toMillis(from),
  to: toMillis(from + minutes),
})

const faultsOfMerges = [
  'mergeMinutes',
  'mergeRefusedRate',
  'mergeConflictRate',
  'mergePushedRate',
  'branchMovedRate',
  'partialPushRate',
] as const

/** How the code host of a scenario answers to merges (E-10, E-219). */
export function codeHostOf(scenario: Scenario): Queue['codeHost'] {
  if (scenario.codeHost?.landsGroups) return 'groups'
  return hostAnswers(scenario) ? 'answers' : 'merges at once'
}

/**
 * Whether the queue waits for an answer of the code host to each merge (E-10). It must wait if the
 * scenario has lanes and text conflicts: a conflict between lanes shows only when the host merges.
 */
function hostAnswers(scenario: Scenario): boolean {
  const faults = scenario.faults ?? {}
  return (
    faultsOfMerges.some((name) => faults[name] !== undefined) ||
    (hasLanes(scenario) && hasConflicts(scenario))
  )
}

function hasLanes({ queue = {}, events = [] }: Scenario): boolean {
  const becomesParallel = events.some(
    (event) => event.do === 'updateQueue' && event.set.mode === 'parallel',
  )
  return queue.mode === 'parallel' || becomesParallel
}

function hasConflicts({ pullRequests = [], traffic = {} }: Scenario): boolean {
  const isStated = pullRequests.some(({ conflictsWith = [] }) => conflictsWith.length > 0)
  return isStated || (traffic.conflictRate ?? 0) > 0
}
