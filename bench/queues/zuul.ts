/**
 * Zuul's dependent pipeline.
 *
 * Modelled on OpenStack Zuul's dependent pipeline (zuul-ci.org, "Project gating", and
 * `_processOneItem` of its manager): a chain without batches. An item is tested on top of the
 * nearest non-failing item ahead. When that item changes, the test starts over. A failing item
 * stays in the chain. It is reported only when everything below it has merged, so its verdict can
 * still change.
 *
 * The window limits how many items from the head may be tested. By Zuul's defaults it is 20 at
 * first, one more after each merge, and half as many after each failure, but at least 3.
 *
 * A change is not tested while one that it depends on is failing, and counts as failing too. It leaves
 * when that one is reported ("Cross-Project Dependencies", and `getFailingDependentItems`).
 *
 * Assumed: what leaves with a failed change does not shrink the window. Not modelled: several projects,
 * cycles, early failure by a pattern in the log, and the three tries for jobs that the infrastructure
 * lost.
 */

import {
  choice,
  forgetTest,
  labelOfValue,
  mostSlots,
  numberIn,
  numberOrNoneIn,
  startTest,
  untested,
  whole,
  wholeOrNone,
} from './queue.ts'
import type { Values, Host, OtherQueue, Policy, Tested } from './queue.ts'

const source =
  'the attributes of a pipeline in the documentation on zuul-ci.org (read 2026-08-21); Zuul publishes no schema'

const changes = ['linear', 'exponential']

const parameters = [
  whole('window', {
    title: 'window',
    usual: 20,
    ladder: [5, 10, 20, 40],
  }),
  whole('window-floor', {
    title: 'floor',
    usual: 3,
    ladder: [1, 3, 10],
  }),
  wholeOrNone('window-ceiling', {
    title: 'ceiling',
    ladder: (slots) => [slots, mostSlots(slots), null],
  }),
  choice('window-increase-type', {
    title: 'increase',
    accepted: changes,
    usual: 'linear',
    isSearched: false,
  }),
  whole('window-increase-factor', {
    title: 'increase factor',
    usual: 1,
    ladder: [1, 2],
  }),
  choice('window-decrease-type', {
    title: 'decrease',
    accepted: changes,
    usual: 'exponential',
  }),
  whole('window-decrease-factor', {
    title: 'decrease factor',
    usual: 2,
    ladder: [1, 2],
  }),
]

export const zuul: OtherQueue = {
  name: 'zuul',
  title: "Zuul's dependent pipeline",
  after: 'zuul-ci.org, "Project gating"',
  leavesOut: 'several projects, cycles of changes, early failure by a pattern in the log',
  parameters,
  normal,
  kinds: () => [],
  slots: () => null,
  policy: (values) => (host) => new Zuul(host, values),
  configuration: (values) => ({
    target: 'the gate pipeline, in a config-project',
    language: 'yaml',
    text: [
      '- pipeline:',
      '    name: gate',
      '    manager: dependent',
      ...parameters
        .filter(({ name }) => (values[name] ?? null) !== null)
        .map(({ name }) => `    ${name}: ${labelOfValue(values[name] ?? null)}`),
      '',
    ].join('\n'),
    apply: [
      'keep the triggers, reporters and requirements of your pipeline',
      ...(values['window-ceiling'] === null ? ['no window-ceiling: the window has no limit'] : []),
    ],
    checked: source,
  }),
}

/** A window above its ceiling is as large as the ceiling, and so is the floor. */
function normal(values: Values): Values {
  const ceiling = numberOrNoneIn(values, 'window-ceiling') ?? Infinity
  const limited = (name: string): number => Math.min(ceiling, numberIn(values, name))
  return { ...values, window: limited('window'), 'window-floor': limited('window-floor') }
}

// The policy.

type Item = Tested & {
  readonly number: number
  /** The item directly below it in its tests; null if that is the branch. */
  ahead: Item | null
}

class Zuul implements Policy {
  readonly takesStacks = true
  readonly #host: Host
  #items: Item[] = []
  readonly #values: Values
  #window: number

  constructor(host: Host, values: Values) {
    this.#host = host
    this.#values = values
    this.#window = numberIn(values, 'window')
  }

  submitted(number: number): void {
    this.#items.push({ number, ahead: null, ...untested })
  }

  advance(): void {
    while (this.#pass());
  }

  /**
   * Walks the chain once. Returns true if an item was reported, so that a further pass is needed.
   */
  #pass(): boolean {
    let nearest: Item | null = null
    const failing = new Set<number>()
    for (const [position, item] of this.#items.entries()) {
      if (this.#host.below(item.number).some((below) => failing.has(below))) {
        this.#startOver(item)
        continue
      }
      if (item.ahead !== nearest) this.#move(item, nearest)
      if (position < this.#window) this.#start(item)
      if (item.ahead === null && item.verdict !== 'none') {
        this.#report(item)
        return true
      }
      if (isFailing(item)) failing.add(item.number)
      else nearest = item
    }
    return false
  }

  /**
   * Sets a new item below `item`, and starts its test over. Not for an item below that has merged.
   */
  #move(item: Item, nearest: Item | null): void {
    item.ahead = nearest
    this.#startOver(item)
  }

  /** Restarts the test of an item and of all items tested on top of it. */
  #startOver(item: Item): void {
    forgetTest(this.#host, item)
    for (const each of this.#items) if (each.ahead === item) this.#startOver(each)
  }

  #start(item: Item): void {
    if (item.run || item.verdict !== 'none') return
    if (this.#host.freeSlots() === 0) return
    const base = baseOf(item)
    if (!this.#host.mergesOn(item.number, base)) item.verdict = 'conflict'
    else startTest(this.#host, item, { base, tested: [item.number] })
  }

  #report(item: Item): void {
    const { number, verdict } = item
    this.#items.splice(this.#items.indexOf(item), 1)
    const behind = this.#items.filter(({ ahead }) => ahead === item)
    if (verdict === 'passed') {
      this.#host.merge([number])
      this.#window = windowAfterMerge(this.#window, this.#values)
      for (const each of behind) each.ahead = null
    } else {
      const leaving = this.#host.evict(number, verdict === 'conflict' ? 'conflict' : 'tests')
      this.#window = windowAfterFailure(this.#window, this.#values)
      for (const each of behind) this.#move(each, null)
      this.#items = this.#items.filter((each) => !leaving.includes(each.number))
    }
  }
}

const isFailing = ({ verdict }: Item): boolean => verdict === 'failed' || verdict === 'conflict'

/** All items that it is tested on top of, the lowest first. */
function baseOf({ ahead }: Item): number[] {
  const base: number[] = []
  for (let below = ahead; below !== null; below = below.ahead) base.push(below.number)
  return base.reverse()
}

/** It grows by the factor, or times the factor, up to the ceiling. */
export function windowAfterMerge(window: number, values: Values): number {
  const factor = numberIn(values, 'window-increase-factor')
  const isLinear = values['window-increase-type'] === 'linear'
  const larger = isLinear ? window + factor : window * factor
  return Math.min(numberOrNoneIn(values, 'window-ceiling') ?? Infinity, larger)
}

/** It shrinks by the factor, or is divided by it, down to the floor. */
export function windowAfterFailure(window: number, values: Values): number {
  const factor = numberIn(values, 'window-decrease-factor')
  const isLinear = values['window-decrease-type'] === 'linear'
  const smaller = isLinear ? window - factor : window / factor
  return Math.max(numberIn(values, 'window-floor'), Math.floor(smaller))
}
