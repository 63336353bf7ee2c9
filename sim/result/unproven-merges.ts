/**
 * Counts the merged commits whose exact tree no run had passed, by cause.
 *
 * The tree that a run tests ends with the last pull request of the run. So each passed composition is
 * stored with that pull request until it leaves the queue.
 */

import {
  isTerminal,
  type Event,
  type EventOf,
  type PullRequestNumber,
  type TestRun,
  type GroupId,
  type Millis,
} from '../../engine/index.ts'
import { toMinutes } from '../scenario/time.ts'
import type { ResultProjection, EndedRun } from './result-projection.ts'

export type UnprovenMerges = {
  /** Merged as part of a batch that was tested only as a whole. */
  readonly batchMiddle: number
  /** Cleared by the run of a successor that contains it. */
  readonly optimistic: number
  /** Pull requests without a common target merged between its run and its merge. */
  readonly disjointTargets: number
  /** Merged without a run: a direct merge or a merge by hand. */
  readonly direct: number
}

type ReportUnproven = (number: PullRequestNumber, cause: keyof UnprovenMerges) => void

/** The position of a pull request in the run that cleared it. */
type ClearedPosition = 'middle' | 'last' | 'below'

export class UnprovenMergesProjection implements ResultProjection {
  readonly counts = { batchMiddle: 0, optimistic: 0, disjointTargets: 0, direct: 0 }
  readonly #passed = new Map<PullRequestNumber, Set<string>>()
  readonly #positions = new Map<PullRequestNumber, ClearedPosition>()
  readonly #report: ReportUnproven
  #clearing: TestRun | null = null
  #tip = ''

  /** `report` is called for each pull request that is counted. */
  constructor(report: ReportUnproven = () => undefined) {
    this.#report = report
  }

  onRunEnd({ run, outcome }: EndedRun): void {
    const last = run.tested.at(-1)
    if (outcome !== 'passed' || last === undefined) return
    const known = this.#passed.get(last)
    if (known) known.add(run.composition)
    else this.#passed.set(last, new Set([run.composition]))
  }

  onEvent(event: Event): void {
    if (event.type === 'groupPassed' || event.type === 'membersProven') this.#clearing = event.run
    else if (event.type === 'tipMoved') this.#tip = event.composition
    else if (event.type === 'pullRequestMoved') this.#onMove(event)
  }

  #onMove({ number, to, reason }: EventOf<'pullRequestMoved'>): void {
    if (to === 'TESTS_PASSED' && this.#clearing) {
      this.#positions.set(number, positionIn(this.#clearing, number))
    }
    if (to === 'MERGED' && !this.#passed.get(number)?.has(this.#tip)) {
      const cause = causeOf(reason, this.#positions.get(number))
      this.counts[cause]++
      this.#report(number, cause)
    }
    if (!isTerminal(to)) return
    this.#passed.delete(number)
    this.#positions.delete(number)
  }
}

function positionIn({ base, tested }: TestRun, number: PullRequestNumber): ClearedPosition {
  if (base.includes(number)) return 'below'
  return tested.at(-1) === number ? 'last' : 'middle'
}

/** If the last member of a group merges with another tree, other lanes have merged in between. */
function causeOf(
  reason: EventOf<'pullRequestMoved'>['reason'],
  position: ClearedPosition | undefined,
): keyof UnprovenMerges {
  if (reason !== 'MERGE_GRAPH_MERGE') return 'direct'
  if (position === 'below') return 'optimistic'
  return position === 'middle' ? 'batchMiddle' : 'disjointTargets'
}

// The minutes of useless test runs, by cause. Each run counts under one cause at most.

export type Waste = {
  /**
   * The predecessors of the run changed, or a restart was requested. The run was cancelled, or its
   * verdict was discarded.
   */
  readonly restarted: number
  /** A pull request in the run left, or the run was no longer needed. */
  readonly cancelled: number
  /** The run failed only because of a flake. */
  readonly flakes: number
  /** The runner lost the run, or the run timed out. */
  readonly errored: number
}

/** The causes that count as `cancelled`. */
const cancelCauses = new Set([
  'PREREQUISITE_MERGE_ITEM_CANCELLED',
  'SUCCESSOR_TEST_RUN_PASSED',
  'MANUAL_MERGE',
])

export class WastedMinutes implements ResultProjection {
  readonly #ms = { restarted: 0, cancelled: 0, flakes: 0, errored: 0 }
  /** The duration of the run that gave the current verdict of a group. */
  readonly #verdicts = new Map<GroupId, Millis>()

  onRunEnd({ run, lengthMs, outcome, cause, flaked }: EndedRun): void {
    if (outcome === 'errored' || outcome === 'timed_out') this.#ms.errored += lengthMs
    else if (cause !== null)
      this.#ms[cancelCauses.has(cause) ? 'cancelled' : 'restarted'] += lengthMs
    else if (flaked) this.#ms.flakes += lengthMs
    else if (run.owner.kind === 'main') this.#verdicts.set(run.owner.group, lengthMs)
  }

  onEvent(event: Event): void {
    if (event.type === 'groupRestarted') {
      this.#ms.restarted += this.#verdicts.get(event.group) ?? 0
      this.#verdicts.delete(event.group)
    } else if (event.type === 'groupLeft' || event.type === 'bisectionStarted') {
      this.#verdicts.delete(event.group)
    }
  }

  get minutes(): Waste {
    const { restarted, cancelled, flakes, errored } = this.#ms
    return {
      restarted: toMinutes(restarted),
      cancelled: toMinutes(cancelled),
      flakes: toMinutes(flakes),
      errored: toMinutes(errored),
    }
  }
}
