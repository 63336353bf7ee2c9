/**
 * bors-ng: `bors.toml`, and one setting of its dashboard.
 *
 * Modelled on bors-ng (`lib/worker/batcher.ex` and `batcher/divider.ex`). One batch is under test.
 * A pull request that is submitted meanwhile joins the newest waiting batch. A failed batch is
 * split in half, the smaller half first, and both halves wait behind the batches that already wait.
 * A failed batch of one pull request is rejected. A batch starts at the earliest ten seconds after
 * it was made, unless the dashboard says otherwise. Batches have no maximum size unless
 * `max_batch_size` is configured. Then a pull request joins the newest waiting batch with room. The
 * batch size of the scenario is not used for that.
 *
 * A batch with a text conflict is split without a test run. It knows no stacks: a pull request that
 * depends on others is approved when they have merged. Not modelled: priorities, the timeout,
 * and retries of a batch whose push to the branch lost a race.
 */

import type { Millis } from '../../engine/index.ts'
import { numberIn, numberOrNoneIn, whole, wholeFrom, wholeOrNone } from './queue.ts'
import type { Values, Host, OtherQueue, Policy } from './queue.ts'

const source =
  'the parser lib/worker/batcher/bors_toml.ex of bors-ng at ca72579 (2024-01-31), its last commit; there is no schema'

const most = 'max_batch_size'
const delay = 'batch_delay_sec'

/** The dashboard has no longest delay; nobody waits longer than a day. */
const waits = wholeFrom(0, 86_400)

export const bors: OtherQueue = {
  name: 'bors',
  title: 'bors-ng',
  after: 'batcher.ex and divider.ex',
  leavesOut: 'priorities, the timeout, retrying a batch whose push lost a race',
  parameters: [
    // The parser takes any whole number. A batch of none would never be tested.
    wholeOrNone(most, {
      title: 'batch at most',
      ladder: () => [1, 2, 4, 8, 16, null],
    }),
    whole(delay, {
      title: 'batch delay',
      unit: 's',
      accepted: waits,
      usual: 10,
      ladder: [10, 60, 300],
    }),
  ],
  normal: (values) => values,
  kinds: (values) => (values[most] === 1 ? [] : ['mid-batch']),
  slots: () => 1,
  policy: (values) => (host) => new Bors(host, values),
  configuration: (values) => {
    const size = numberOrNoneIn(values, most)
    return {
      target: 'bors.toml',
      language: 'toml',
      text: [
        `# The batch delay is no key of this file: set ${numberIn(values, delay)} seconds on the dashboard.`,
        size === null ? `# No ${most}: a batch has no limit.` : `${most} = ${size}`,
        '',
      ].join('\n'),
      apply: [`keep the other keys of the file, such as status; ${most} goes above any [table]`],
      checked: source,
    }
  },
}

// The policy.

type Batch = { readonly numbers: number[]; readonly madeAt: Millis }

class Bors implements Policy {
  readonly takesStacks = false
  readonly #host: Host
  /** Oldest first. */
  readonly #waiting: Batch[] = []
  readonly #most: number
  readonly #delayMs: Millis
  #isBusy = false

  constructor(host: Host, values: Values) {
    this.#host = host
    this.#most = numberOrNoneIn(values, most) ?? Infinity
    this.#delayMs = numberIn(values, delay) * 1000
  }

  submitted(number: number): void {
    const last = this.#waiting.findLast(
      ({ numbers }) =>
        numbers.length < this.#most && !numbers.some((each) => this.#host.isAlone(each)),
    )
    if (last && !this.#host.isAlone(number)) last.numbers.push(number)
    else this.#make([number])
  }

  advance(): void {
    while (!this.#isBusy) {
      const [first] = this.#waiting
      if (!first || first.madeAt + this.#delayMs > this.#host.now()) return
      this.#waiting.shift()
      this.#test(first.numbers)
    }
  }

  #test(numbers: readonly number[]): void {
    const merges = numbers.every((number, position) =>
      this.#host.mergesOn(number, numbers.slice(0, position)),
    )
    if (!merges) {
      this.#split(numbers, 'conflict')
      return
    }
    this.#isBusy = true
    this.#host.start({ base: [], tested: numbers }, (hasPassed) => {
      this.#isBusy = false
      if (hasPassed) this.#host.merge(numbers)
      else this.#split(numbers, 'tests')
    })
  }

  #split(numbers: readonly number[], cause: 'tests' | 'conflict'): void {
    const [first] = numbers
    if (numbers.length === 1 && first !== undefined) {
      this.#host.evict(first, cause)
      return
    }
    const half = Math.floor(numbers.length / 2)
    this.#make(numbers.slice(0, half))
    this.#make(numbers.slice(half))
  }

  #make(numbers: readonly number[]): void {
    const madeAt = this.#host.now()
    this.#waiting.push({ numbers: [...numbers], madeAt })
    this.#host.wakeAt(madeAt + this.#delayMs)
  }
}
