/** What goes wrong around the queue, drawn from the scenario's rates; nothing in the calm. */

import type { Millis, RefusalReason } from '../engine/index.ts'
import type { Death } from './crashes.ts'
import type { Draw, Key } from './draw.ts'
import type { Faults as Rates, Scenario } from './scenario/scenario.ts'
import { toMillis } from './time.ts'

export type Span = { readonly from: Millis; readonly to: Millis }

/** What becomes of a run's report. */
export type Report = {
  readonly kind: 'verdict' | 'lost' | 'never'
  readonly lateMs: Millis
  /** A second report that follows; with one, both come even though the run was cancelled. */
  readonly echo: 'none' | 'same' | 'opposite'
}

export class Faults {
  readonly #rates: Rates
  readonly #draw: Draw
  readonly #outages: readonly Span[]
  #isOver = false

  constructor(rates: Rates, draw: Draw) {
    this.#rates = rates
    this.#draw = draw
    this.#outages = (rates.outages ?? []).map(({ from, minutes }) => ({
      from: toMillis(from),
      to: toMillis(from + minutes),
    }))
  }

  /** From now on nothing goes wrong any more. */
  end(): void {
    this.#isOver = true
  }

  /**
   * What becomes of the report of a run that is under way for this span. A run that an outage
   * touches is lost; the runner finds out when it should have reported.
   */
  reportOf(key: Key, span: Span): Report {
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

  #echo(key: Key): Report['echo'] {
    const { duplicateResultRate = 0, contradictoryResultRate = 0 } = this.#rates
    if (this.#draw.chance('contradictory result', key, contradictoryResultRate)) return 'opposite'
    return this.#draw.chance('duplicate result', key, duplicateResultRate) ? 'same' : 'none'
  }

  #lateMs(key: Key): Millis {
    const longest = toMillis(this.#rates.lateResultMinutes ?? 0)
    return longest === 0 ? 0 : this.#draw.uniformMs('late result', key, [0, longest])
  }

  get mergeMs(): Millis {
    return this.#isOver ? 0 : toMillis(this.#rates.mergeMinutes ?? 0)
  }

  /** Why the code host refuses the merge; null when it merges. */
  refusalOf(key: Key): RefusalReason | null {
    const { mergeRefusedRate = 0, mergeConflictRate = 0, mergePushedRate = 0 } = this.#rates
    const refusedRate = mergeRefusedRate + mergeConflictRate + mergePushedRate
    if (this.#isOver || refusedRate === 0) return null
    const drawn = this.#draw.unit('refused merge', key)
    if (drawn < mergeRefusedRate) return 'GITHUB_API_MERGE_PR_FAILED'
    if (drawn < mergeRefusedRate + mergeConflictRate) return 'START_TEST_RUN_MERGE_CONFLICT'
    return drawn < refusedRate ? 'PR_UPDATED_AT_MERGE_TIME' : null
  }

  /** Whether the engine dies after this command, and if so, whether before anybody hears of it. */
  crashAfter(command: number): Death | null {
    const { crashRate = 0 } = this.#rates
    if (this.#isOver || crashRate === 0) return null
    const drawn = this.#draw.unit('crash', command)
    if (drawn >= crashRate) return null
    return drawn < crashRate / 2 ? 'unheard' : 'heard'
  }
}

/**
 * Whether the code host answers merges, rather than merging at once. It must where lanes may merge
 * what does not merge as text: only the host finds out.
 */
export function hostAnswers(scenario: Scenario): boolean {
  const { mergeMinutes, mergeRefusedRate, mergeConflictRate, mergePushedRate } =
    scenario.faults ?? {}
  const said = [mergeMinutes, mergeRefusedRate, mergeConflictRate, mergePushedRate]
  return said.some((each) => each !== undefined) || (hasLanes(scenario) && hasConflicts(scenario))
}

function hasLanes({ queue = {}, events = [] }: Scenario): boolean {
  const becomesParallel = events.some(
    (event) => event.do === 'updateQueue' && event.set.mode === 'parallel',
  )
  return queue.mode === 'parallel' || becomesParallel
}

function hasConflicts({ pullRequests = [], traffic = {} }: Scenario): boolean {
  const isSaid = pullRequests.some(({ conflictsWith = [] }) => conflictsWith.length > 0)
  return isSaid || (traffic.conflictRate ?? 0) > 0
}
