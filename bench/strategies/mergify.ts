/**
 * Modelled on Mergify's merge queue in serial mode (docs.mergify.com, "Merge Queue Batches" and
 * "Performance", read at Mergifyio/docs 905e4957). Batches are made of the pull requests that wait,
 * and tested on top of all batches ahead, at most `max_parallel_checks` at once. A batch that is not
 * full starts when its first pull request has waited for `batch_max_wait_time`. With a range of
 * sizes, the pull requests that wait are spread over the free checks.
 *
 * A batch that fails waits for the batches ahead. If they merge, those behind go back to the queue,
 * and it is split into `max_parallel_checks` parts, but at least two. Each part is tested on top of
 * the parts ahead, but not the last: it is known to fail. A part of one pull request is removed if
 * it fails. With `skip_intermediate_results` a batch that passes merges all batches ahead at once.
 *
 * Assumed, as the documentation does not say: parts are of about the same size; no new batch starts
 * behind one that failed; with `skip_intermediate_results` a failure waits for the checks that run
 * behind it. Not modelled: grouping by similar changes, scopes, retries of checks, and reruns of only
 * the tests that failed.
 */

import type { Millis } from '../../engine/index.ts'
import type { Host, MakePolicy, Policy, PolicyRun } from './policy.ts'

export type MergifyParameters = {
  readonly checks: number
  /** The sizes of a batch: the same number twice unless it is a range. */
  readonly least: number
  readonly most: number
  readonly waitMs: Millis
  readonly skipsIntermediate: boolean
}

/** Mergify's defaults. */
export const mergifyDefaults: MergifyParameters = {
  checks: 5,
  least: 1,
  most: 1,
  waitMs: 30_000,
  skipsIntermediate: false,
}

type Entry = { readonly number: number; readonly since: Millis }

type Batch = {
  readonly entries: readonly Entry[]
  run: PolicyRun | null
  verdict: 'none' | 'passed' | 'failed'
}

export const mergifyBatches =
  (parameters: MergifyParameters): MakePolicy =>
  (host) =>
    new Mergify(host, parameters)

class Mergify implements Policy {
  readonly #host: Host
  readonly #parameters: MergifyParameters
  /** In no batch, in the order of the queue. */
  #waiting: Entry[] = []
  /** Each is tested on top of those before it. */
  #batches: Batch[] = []

  constructor(host: Host, parameters: MergifyParameters) {
    this.#host = host
    this.#parameters = parameters
  }

  submitted(number: number): void {
    const since = this.#host.now()
    this.#waiting.push({ number, since })
    if (this.#parameters.least > 1) this.#host.wakeAt(since + this.#parameters.waitMs)
  }

  finished(run: PolicyRun, hasPassed: boolean): void {
    const batch = this.#batches.find((each) => each.run?.id === run.id)
    if (!batch) return
    batch.run = null
    batch.verdict = hasPassed ? 'passed' : 'failed'
  }

  advance(): void {
    while (this.#mergePassed() || this.#resolveFailed());
    while (this.#startNext());
  }

  /** Merges from the head. Returns true if something merged. */
  #mergePassed(): boolean {
    const isPassed = ({ verdict }: Batch): boolean => verdict === 'passed'
    const [head] = this.#batches
    const count = this.#parameters.skipsIntermediate
      ? this.#batches.findLastIndex(isPassed) + 1
      : Number(head !== undefined && isPassed(head))
    const merged = this.#batches.splice(0, count)
    for (const { run } of merged) if (run) this.#host.cancel(run)
    if (count > 0) this.#host.merge(merged.flatMap(numbersOf))
    return count > 0
  }

  /**
   * Splits the batch at the head if it has failed, or removes its only pull request. Returns true
   * if it did.
   */
  #resolveFailed(): boolean {
    const [head, ...behind] = this.#batches
    const mayBeCleared =
      this.#parameters.skipsIntermediate && behind.some(({ run }) => run !== null)
    if (head?.verdict !== 'failed' || mayBeCleared) return false
    for (const { run } of behind) if (run) this.#host.cancel(run)
    this.#waiting.unshift(...behind.flatMap(({ entries }) => entries))
    this.#batches = this.#partsOf(head)
    const [culprit] = head.entries
    if (this.#batches.length === 0 && culprit) this.#host.evict(culprit.number, 'tests')
    return true
  }

  /** The parts of a failed batch; none if it has a single pull request. */
  #partsOf({ entries }: Batch): Batch[] {
    if (entries.length === 1) return []
    const count = Math.min(entries.length, Math.max(2, this.#parameters.checks))
    const startOf = (part: number): number => Math.ceil((part * entries.length) / count)
    return Array.from({ length: count }, (_, part) => {
      const own = entries.slice(startOf(part), startOf(part + 1))
      // All parts together are the batch that failed.
      return { entries: own, run: null, verdict: part === count - 1 ? 'failed' : 'none' }
    })
  }

  /** Starts the next run. Returns true if one started or the queue changed. */
  #startNext(): boolean {
    if (this.#freeChecks() <= 0) return false
    const position = this.#batches.findIndex(({ run, verdict }) => !run && verdict === 'none')
    const batch = this.#batches[position]
    if (batch) {
      const base = this.#batches.slice(0, position).flatMap(numbersOf)
      batch.run = this.#host.start({ base, tested: numbersOf(batch) })
      return true
    }
    const hasFailed = this.#batches.some(({ verdict }) => verdict === 'failed')
    return !hasFailed && this.#makeBatch()
  }

  /** Makes a batch if enough pull requests wait, or the first has waited long enough. */
  #makeBatch(): boolean {
    const { least, waitMs } = this.#parameters
    const chosen = this.#nextEntries()
    const [first] = chosen
    if (!first) return false
    const isFull = chosen.length >= least || this.#host.isAlone(first.number)
    if (!isFull && first.since + waitMs > this.#host.now()) return false
    const conflicting = this.#conflictIn(chosen)
    if (conflicting) {
      this.#waiting = this.#waiting.filter((entry) => entry !== conflicting)
      this.#host.evict(conflicting.number, 'conflict')
      return true
    }
    this.#waiting = this.#waiting.filter((entry) => !chosen.includes(entry))
    this.#batches.push({ entries: chosen, run: null, verdict: 'none' })
    return true
  }

  /** The pull requests of the next batch. One whose author asked for no batch is in its own. */
  #nextEntries(): Entry[] {
    const { least, most } = this.#parameters
    const [first] = this.#waiting
    if (!first) return []
    if (this.#host.isAlone(first.number)) return [first]
    const spread = Math.ceil(this.#waiting.length / this.#freeChecks())
    const size = Math.min(most, Math.max(least, spread))
    return this.#waiting.filter(({ number }) => !this.#host.isAlone(number)).slice(0, size)
  }

  #conflictIn(chosen: readonly Entry[]): Entry | undefined {
    const base = this.#batches.flatMap(numbersOf)
    const numbers = chosen.map(({ number }) => number)
    return chosen.find(
      ({ number }, index) => !this.#host.mergesOn(number, [...base, ...numbers.slice(0, index)]),
    )
  }

  #freeChecks(): number {
    const running = this.#batches.filter(({ run }) => run !== null).length
    return Math.min(this.#host.freeSlots(), this.#parameters.checks - running)
  }
}

function numbersOf({ entries }: Batch): number[] {
  return entries.map(({ number }) => number)
}
