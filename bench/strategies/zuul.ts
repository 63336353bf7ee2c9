/**
 * After OpenStack Zuul's dependent pipeline (zuul-ci.org, "Project gating", and `_processOneItem`
 * of its manager): a chain without batches. An item is tested on top of its nearest non-failing
 * item ahead; when that changes, it starts over there. A failing item stays in the chain, and is
 * reported only once what it was tested on has merged, so that its verdict can still change.
 *
 * The window holds how many items from the head may be tested: 20 at first, one more for each
 * that merges, half as many for each that fails, at least 3 (Zuul's defaults).
 *
 * Left out: several projects, dependencies between changes, cycles, early failure by a pattern in
 * the log, and the three tries for jobs that the infrastructure lost.
 */

import type { Host, MakePolicy, Policy, PolicyRun } from './policy.ts'

const firstWindow = 20
const leastWindow = 3

type Item = {
  readonly number: number
  /** What it is tested on top of, besides what that is tested on; null is the branch. */
  ahead: Item | null
  run: PolicyRun | null
  verdict: 'none' | 'passed' | 'failed' | 'conflict'
}

export const zuulWindow: MakePolicy = (host) => new Zuul(host)

class Zuul implements Policy {
  readonly #host: Host
  readonly #items: Item[] = []
  #window = firstWindow

  constructor(host: Host) {
    this.#host = host
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

  /** One walk down the chain. True when somebody was reported, and it must be walked again. */
  #pass(): boolean {
    let nearest: Item | null = null
    for (const [place, item] of this.#items.entries()) {
      if (item.ahead !== nearest) this.#move(item, nearest)
      if (place < this.#window) this.#start(item)
      if (item.ahead === null && item.verdict !== 'none') {
        this.#report(item)
        return true
      }
      if (!isFailing(item)) nearest = item
    }
    return false
  }

  /** Its base has changed, and not because it merged. */
  #move(item: Item, nearest: Item | null): void {
    item.ahead = nearest
    this.#startOver(item)
  }

  /** With everybody who was tested on top of it. */
  #startOver(item: Item): void {
    if (item.run) this.#host.cancel(item.run)
    item.run = null
    item.verdict = 'none'
    for (const each of this.#items) if (each.ahead === item) this.#startOver(each)
  }

  #start(item: Item): void {
    if (item.run || item.verdict !== 'none') return
    const base = baseOf(item)
    if (!this.#host.mergesOn(item.number, base)) item.verdict = 'conflict'
    else if (this.#host.freeSlots() > 0) {
      item.run = this.#host.start({ base, tested: [item.number] })
    }
  }

  #report(item: Item): void {
    const { number, verdict } = item
    this.#items.splice(this.#items.indexOf(item), 1)
    const behind = this.#items.filter(({ ahead }) => ahead === item)
    if (verdict === 'passed') {
      this.#host.merge([number])
      this.#window++
      for (const each of behind) each.ahead = null
    } else {
      this.#host.evict(number, verdict === 'conflict' ? 'conflict' : 'tests')
      this.#window = Math.max(leastWindow, Math.floor(this.#window / 2))
      for (const each of behind) this.#move(each, null)
    }
  }
}

const isFailing = ({ verdict }: Item): boolean => verdict === 'failed' || verdict === 'conflict'

/** Everybody it is tested on top of, lowest first. */
function baseOf({ ahead }: Item): number[] {
  const base: number[] = []
  for (let below = ahead; below !== null; below = below.ahead) base.push(below.number)
  return base.reverse()
}
