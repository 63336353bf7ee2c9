/**
 * Mergify's merge queue: `.mergify.yml`.
 *
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
 * A stack is queued in its order, and a batch takes one of it only with or behind those below it. When
 * one is removed, those above it are removed too ("Stacked Pull Requests", read on 2026-11-28).
 *
 * Assumed, as the documentation does not say: parts are of about the same size; no new batch starts
 * behind one that failed; with `skip_intermediate_results` a failure waits for the checks that run
 * behind it. Not modelled: grouping by similar changes, scopes, retries of checks, and reruns of only
 * the tests that failed.
 */

import type { Millis } from '../../engine/index.ts'
import {
  forgetTest,
  numberIn,
  onOff,
  slotCount,
  startTest,
  untested,
  whole,
  wholeFrom,
} from './queue.ts'
import type { Parameter, Values, Host, OtherQueue, Policy, Tested } from './queue.ts'

const source =
  'the JSON Schema that Mergify publishes, public/mergify-configuration-schema.json of Mergifyio/docs at 905e495 (2026-08-21)'

const checks = 'max_parallel_checks'
const skip = 'skip_intermediate_results'
const sizes = 'batch_size'
const wait = 'batch_max_wait_time'

/** One size, and each end of a range of sizes. */
const [leastSize, mostSize] = [1, 128]

/** The schema has no longest wait; nobody waits longer than a day. */
const waits = wholeFrom(0, 86_400)

const batchSize: Parameter = {
  name: sizes,
  title: 'batch size',
  unit: '',
  usual: 1,
  ladder: () => [1, 2, 4, 8, 16, '1..4', '1..8', '1..16'],
  expected: `sizes from ${leastSize} to ${mostSize}, or a range such as 1..8`,
  read: (range) => {
    const [least, most] = sizesIn(range)
    const isValid =
      /^\d{1,3}(?:\.\.\d{1,3})?$/.test(range) &&
      least >= leastSize &&
      least <= most &&
      most <= mostSize
    if (!isValid) return null
    return { value: least === most ? least : `${least}..${most}` }
  },
}

export const mergify: OtherQueue = {
  name: 'mergify',
  title: "Mergify's merge queue",
  after: 'docs.mergify.com, "Merge Queue Batches" and "Performance", in serial mode',
  leavesOut: 'grouping by similar changes, scopes, retries of checks, reruns of only what failed',
  parameters: [
    slotCount(checks, {
      title: 'parallel checks',
      accepted: wholeFrom(1, 128),
      usual: 5,
      ladder: [1, 2, 5, 10],
    }),
    batchSize,
    whole(wait, {
      title: 'batch wait',
      unit: 's',
      accepted: waits,
      usual: 30,
      ladder: [0, 30, 300, 600],
    }),
    onOff(skip, 'skip intermediate results', false),
  ],
  normal,
  kinds: (values) => [
    ...(sizesOf(values)[1] > 1 ? (['mid-batch'] as const) : []),
    ...(values[skip] === true ? (['cleared-by-successor'] as const) : []),
  ],
  slots: (values) => numberIn(values, checks),
  policy: (values) => (host) => new Mergify(host, values),
  configuration: (values) => {
    const [least, most] = sizesOf(values)
    return {
      target: '.mergify.yml',
      language: 'yaml',
      text: [
        'merge_queue:',
        `  ${checks}: ${numberIn(values, checks)}`,
        `  ${skip}: ${values[skip] === true}`,
        'queue_rules:',
        '  - name: default',
        ...(least === most
          ? [`    ${sizes}: ${most}`]
          : [`    ${sizes}:`, `      min: ${least}`, `      max: ${most}`]),
        `    ${wait}: ${durationText(numberIn(values, wait))}`,
        '',
      ].join('\n'),
      apply: ['keep the other keys of the file, such as the conditions of your queue rule'],
      checked: source,
    }
  },
}

/** A batch that may hold one pull request never waits. With one check nothing is speculative. */
function normal(values: Values, fallback: Values): Values {
  const [least] = sizesOf(values)
  return {
    ...values,
    [wait]: least === 1 ? numberIn(fallback, wait) : numberIn(values, wait),
    [skip]: numberIn(values, checks) > 1 && values[skip] === true,
  }
}

function sizesOf(values: Values): readonly [least: number, most: number] {
  return sizesIn(String(values[sizes]))
}

function sizesIn(range: string): readonly [least: number, most: number] {
  const [least = NaN, most = least] = range.split('..').map(Number)
  return [least, most]
}

function durationText(seconds: number): string {
  return seconds > 0 && seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} seconds`
}

// The policy.

type Entry = { readonly number: number; readonly since: Millis }

type Batch = Tested & { readonly entries: readonly Entry[] }

class Mergify implements Policy {
  readonly takesStacks = true
  readonly #host: Host
  readonly #checks: number
  /** The sizes of a batch: the same number twice unless it is a range. */
  readonly #least: number
  readonly #most: number
  readonly #waitMs: Millis
  readonly #skipsIntermediate: boolean
  /** In no batch, in the order of the queue. */
  #waiting: Entry[] = []
  /** Each is tested on top of those before it. */
  #batches: Batch[] = []

  constructor(host: Host, values: Values) {
    this.#host = host
    this.#checks = numberIn(values, checks)
    ;[this.#least, this.#most] = sizesOf(values)
    this.#waitMs = numberIn(values, wait) * 1000
    this.#skipsIntermediate = values[skip] === true
  }

  submitted(number: number): void {
    const since = this.#host.now()
    this.#waiting.push({ number, since })
    if (this.#least > 1) this.#host.wakeAt(since + this.#waitMs)
  }

  advance(): void {
    while (this.#mergePassed() || this.#resolveFailed());
    while (this.#startNext());
  }

  /** Merges from the head. Returns true if something merged. */
  #mergePassed(): boolean {
    const isPassed = ({ verdict }: Batch): boolean => verdict === 'passed'
    const [head] = this.#batches
    const count = this.#skipsIntermediate
      ? this.#batches.findLastIndex(isPassed) + 1
      : Number(head !== undefined && isPassed(head))
    const merged = this.#batches.splice(0, count)
    for (const batch of merged) forgetTest(this.#host, batch)
    if (count > 0) this.#host.merge(merged.flatMap(numbersOf))
    return count > 0
  }

  /**
   * Splits the batch at the head if it has failed, or removes its only pull request. Returns true
   * if it did.
   */
  #resolveFailed(): boolean {
    const [head, ...behind] = this.#batches
    const mayBeCleared = this.#skipsIntermediate && behind.some(({ run }) => run !== null)
    if (head?.verdict !== 'failed' || mayBeCleared) return false
    for (const batch of behind) forgetTest(this.#host, batch)
    this.#waiting.unshift(...behind.flatMap(({ entries }) => entries))
    this.#batches = this.#partsOf(head)
    const [culprit] = head.entries
    if (this.#batches.length === 0 && culprit) this.#remove(culprit, 'tests')
    return true
  }

  /** The parts of a failed batch; none if it has a single pull request. */
  #partsOf({ entries }: Batch): Batch[] {
    if (entries.length === 1) return []
    const count = Math.min(entries.length, Math.max(2, this.#checks))
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
      startTest(this.#host, batch, { base, tested: numbersOf(batch) })
      return true
    }
    const hasFailed = this.#batches.some(({ verdict }) => verdict === 'failed')
    return !hasFailed && this.#makeBatch()
  }

  /** Makes a batch if enough pull requests wait, or the first has waited long enough. */
  #makeBatch(): boolean {
    const chosen = this.#nextEntries()
    const [first] = chosen
    if (!first) return false
    const isFull = chosen.length >= this.#least || this.#host.isAlone(first.number)
    if (!isFull && first.since + this.#waitMs > this.#host.now()) return false
    const conflicting = this.#conflictIn(chosen)
    if (conflicting) {
      this.#remove(conflicting, 'conflict')
      return true
    }
    this.#waiting = this.#waiting.filter((entry) => !chosen.includes(entry))
    this.#batches.push({ entries: chosen, ...untested })
    return true
  }

  /** The pull requests of the next batch. One whose author asked for no batch is in its own. */
  #nextEntries(): Entry[] {
    const [first] = this.#waiting
    if (!first) return []
    if (this.#host.isAlone(first.number)) return [first]
    const spread = Math.ceil(this.#waiting.length / this.#freeChecks())
    const size = Math.min(this.#most, Math.max(this.#least, spread))
    const passedOver = new Set<number>()
    for (const { number } of this.#waiting) {
      const isOnTop = this.#host.below(number).some((below) => passedOver.has(below))
      if (this.#host.isAlone(number) || isOnTop) passedOver.add(number)
    }
    return this.#waiting.filter(({ number }) => !passedOver.has(number)).slice(0, size)
  }

  /** Removes one that is in no batch, with those that depend on it: they are in no batch either. */
  #remove({ number }: Entry, cause: 'tests' | 'conflict'): void {
    const leaving = new Set([number, ...this.#host.evict(number, cause)])
    this.#waiting = this.#waiting.filter((entry) => !leaving.has(entry.number))
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
    return Math.min(this.#host.freeSlots(), this.#checks - running)
  }
}

function numbersOf({ entries }: Batch): number[] {
  return entries.map(({ number }) => number)
}
