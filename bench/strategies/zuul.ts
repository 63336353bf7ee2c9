/**
 * Modelled on OpenStack Zuul's dependent pipeline (zuul-ci.org, "Project gating", and
 * `_processOneItem` of its manager): a chain without batches. An item is tested on top of the
 * nearest non-failing item ahead. When that item changes, the test starts over. A failing item
 * stays in the chain. It is reported only when everything below it has merged, so its verdict can
 * still change.
 *
 * The window limits how many items from the head may be tested. By Zuul's defaults it is 20 at
 * first, one more after each merge, and half as many after each failure, but at least 3.
 *
 * Not modelled: several projects, dependencies between changes, cycles, early failure by a pattern
 * in the log, and the three tries for jobs that the infrastructure lost.
 */

import type { Host, MakePolicy, Policy, PolicyRun } from './policy.ts'
import { zuulWindow, type ZuulParameters } from './zuul-window.ts'

type Item = {
  readonly number: number
  /** The item directly below it in its tests; null if that is the branch. */
  ahead: Item | null
  run: PolicyRun | null
  verdict: 'none' | 'passed' | 'failed' | 'conflict'
}

export const zuulChain =
  (parameters: ZuulParameters): MakePolicy =>
  (host) =>
    new Zuul(host, parameters)

class Zuul implements Policy {
  readonly #host: Host
  readonly #items: Item[] = []
  readonly #parameters: ZuulParameters
  #window: number

  constructor(host: Host, parameters: ZuulParameters) {
    this.#host = host
    this.#parameters = parameters
    this.#window = parameters.window
  }

  submitted(number: number): void {
    this.#items.push({ number, ahead: null, run: null, verdict: 'none' })
  }

  finished(run: PolicyRun, hasPassed: boolean): void {
    const item = this.#items.find((each) => each.run?.id === run.id)
    if (!item) return
    item.run = null
    item.verdict = hasPassed ? 'passed' : 'failed'
  }

  advance(): void {
    while (this.#pass());
  }

  /**
   * Walks the chain once. Returns true if an item was reported, so that a further pass is needed.
   */
  #pass(): boolean {
    let nearest: Item | null = null
    for (const [position, item] of this.#items.entries()) {
      if (item.ahead !== nearest) this.#move(item, nearest)
      if (position < this.#window) this.#start(item)
      if (item.ahead === null && item.verdict !== 'none') {
        this.#report(item)
        return true
      }
      if (!isFailing(item)) nearest = item
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
    if (item.run) this.#host.cancel(item.run)
    item.run = null
    item.verdict = 'none'
    for (const each of this.#items) if (each.ahead === item) this.#startOver(each)
  }

  #start(item: Item): void {
    if (item.run || item.verdict !== 'none') return
    if (this.#host.freeSlots() === 0) return
    const base = baseOf(item)
    if (!this.#host.mergesOn(item.number, base)) item.verdict = 'conflict'
    else item.run = this.#host.start({ base, tested: [item.number] })
  }

  #report(item: Item): void {
    const { number, verdict } = item
    this.#items.splice(this.#items.indexOf(item), 1)
    const behind = this.#items.filter(({ ahead }) => ahead === item)
    if (verdict === 'passed') {
      this.#host.merge([number])
      this.#window = zuulWindow.afterMerge(this.#window, this.#parameters)
      for (const each of behind) each.ahead = null
    } else {
      this.#host.evict(number, verdict === 'conflict' ? 'conflict' : 'tests')
      this.#window = zuulWindow.afterFailure(this.#window, this.#parameters)
      for (const each of behind) this.#move(each, null)
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
