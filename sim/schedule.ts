/** Puts what people do on the clock: submissions as they come, and the events. */

import type { CommandBody } from '../engine/index.ts'
import { commandOf, knownOf, submission } from './commands.ts'
import type { Draw } from './draw.ts'
import type { PullRequestEntry, Scenario, ScenarioEvent } from './scenario/scenario.ts'
import { toMillis } from './time.ts'
import type { VirtualClock } from './virtual-clock.ts'
import { TextConflicts, type Whereabouts } from './world/text-conflicts.ts'
import { arrivalsOf, type Arrival } from './world/traffic.ts'
import type { World } from './world/world.ts'

type Surroundings = {
  readonly clock: VirtualClock
  readonly world: World
  readonly whereabouts: Whereabouts
  readonly onSubmission?: ((entry: PullRequestEntry) => void) | undefined
}

export class Schedule {
  readonly #around: Surroundings
  readonly #entries: readonly PullRequestEntry[]
  readonly #events: readonly ScenarioEvent[]
  readonly #arrivals: Iterator<Arrival>
  readonly #conflicts: TextConflicts
  readonly #isShuffled: boolean
  /** Explicit pull requests that nobody has submitted yet. */
  readonly #unknown: Map<number, PullRequestEntry>

  constructor(scenario: Scenario, draw: Draw, around: Surroundings) {
    this.#around = around
    this.#entries = scenario.pullRequests ?? []
    this.#events = scenario.events ?? []
    this.#unknown = new Map(this.#entries.map((entry) => [entry.number, entry]))
    this.#arrivals = arrivalsOf(scenario, draw)
    this.#conflicts = new TextConflicts(scenario.traffic?.conflictRate ?? 0, draw)
    this.#isShuffled = scenario.tieOrder === 'shuffled'
  }

  /** To be called once, before time starts. */
  begin(): void {
    for (const entry of this.#entries) this.#around.world.learn(entry)
    for (const event of this.#events) this.#scheduleEvent(event)
    this.#scheduleArrivals(this.#arrivals.next())
  }

  /**
   * Only the next arrival is on the clock, so that millions can come. To be shuffled, all of one
   * instant must be there together.
   */
  #scheduleArrivals(first: IteratorResult<Arrival>): void {
    if (first.done) return
    const { at } = first.value
    if (!this.#isShuffled) {
      this.#scheduleArrival(first.value, () => this.#scheduleArrivals(this.#arrivals.next()))
      return
    }
    const together = [first.value]
    let next = this.#arrivals.next()
    for (; !next.done && next.value.at === at; next = this.#arrivals.next()) {
      together.push(next.value)
    }
    let left = together.length
    const scheduleNext = (): void => {
      left--
      if (left === 0) this.#scheduleArrivals(next)
    }
    for (const arrival of together) this.#scheduleArrival(arrival, scheduleNext)
  }

  #scheduleArrival(arrival: Arrival, then: () => void): void {
    const { at, entry } = arrival
    this.#around.clock.schedule({
      at,
      lane: 'submission',
      name: entry.number,
      commands: () => {
        then()
        return this.#submit(arrival)
      },
    })
  }

  #submit({ entry, events, isGenerated }: Arrival): CommandBody[] {
    const { world, whereabouts, onSubmission } = this.#around
    for (const event of events) this.#scheduleEvent(event)
    this.#unknown.delete(entry.number)
    const drawn = isGenerated ? this.#conflicts.of(entry.number, whereabouts) : []
    const whole = drawn.length > 0 ? { ...entry, conflictsWith: drawn } : entry
    if (isGenerated) world.learn(whole)
    onSubmission?.(whole)
    return submission(whole)
  }

  #scheduleEvent(event: ScenarioEvent): void {
    const about = 'number' in event ? event.number : ''
    this.#around.clock.schedule({
      at: toMillis(event.at ?? 0),
      lane: 'event',
      name: `${event.do} ${about}`,
      commands: () => [...this.#toldBefore(event), commandOf(event)],
    })
  }

  /** An event may submit a pull request before its own time: it is known from then on. */
  #toldBefore(event: ScenarioEvent): CommandBody[] {
    const entry = event.do === 'submit' ? this.#unknown.get(event.number) : undefined
    if (!entry) return []
    this.#unknown.delete(entry.number)
    return knownOf(entry)
  }
}
