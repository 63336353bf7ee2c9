/** Schedules the submissions and the events of a scenario on the clock. */

import type { Command, CommandBody, Millis } from '../../engine/index.ts'
import { commandOf, knownOf, submission } from './commands.ts'
import type { Draw } from '../random/draw.ts'
import type { PullRequestEntry, Scenario, ScenarioEvent } from '../scenario/scenario.ts'
import { toMillis } from '../scenario/time.ts'
import type { VirtualClock } from './virtual-clock.ts'
import { TextConflicts, type Presence } from '../world/text-conflicts.ts'
import { arrivalsOf, type Arrival } from '../world/traffic.ts'
import type { World } from '../world/world.ts'

type ScheduleContext = {
  readonly clock: VirtualClock
  readonly world: World
  readonly presenceOf: Presence
  readonly onSubmission?: ((entry: PullRequestEntry) => void) | undefined
}

export class Schedule {
  readonly #context: ScheduleContext
  readonly #entries: readonly PullRequestEntry[]
  readonly #events: readonly ScenarioEvent[]
  readonly #arrivals: Iterator<Arrival>
  readonly #conflicts: TextConflicts
  readonly #isShuffled: boolean
  readonly #areConflictsReported: boolean
  /** Explicit pull requests that have not been submitted yet. */
  readonly #unknown: Map<number, PullRequestEntry>

  constructor(scenario: Scenario, draw: Draw, context: ScheduleContext) {
    this.#context = context
    this.#entries = scenario.pullRequests ?? []
    this.#events = scenario.events ?? []
    this.#unknown = new Map(this.#entries.map((entry) => [entry.number, entry]))
    this.#arrivals = arrivalsOf(scenario, draw)
    this.#conflicts = new TextConflicts(scenario.traffic?.conflictRate ?? 0, draw)
    this.#areConflictsReported = !scenario.codeHost?.conflictsFoundByBuild
    this.#isShuffled = scenario.tieOrder === 'shuffled'
  }

  /** Call it once, before the first step. */
  begin(): void {
    for (const entry of this.#entries) this.#context.world.learn(entry)
    for (const event of this.#events) this.#scheduleEvent(event)
    this.#scheduleArrivals(this.#arrivals.next())
  }

  /**
   * Schedules only the next arrival, so that millions of pull requests fit into memory. For a
   * shuffled order all arrivals of one instant are scheduled together.
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

  #scheduleArrival(arrival: Arrival, onArrival: () => void): void {
    const { at, entry } = arrival
    this.#context.clock.schedule({
      at,
      kind: 'submission',
      name: entry.number,
      commands: () => {
        onArrival()
        return this.#submit(arrival)
      },
    })
  }

  #submit({ at, entry, events, isGenerated }: Arrival): Command[] {
    const { world, presenceOf, onSubmission } = this.#context
    for (const event of events) this.#scheduleEvent(event)
    const isNew = this.#unknown.delete(entry.number) || isGenerated
    const drawn = isGenerated ? this.#conflicts.of(entry.number, presenceOf) : []
    const clashes = isNew ? world.clashesOf(entry, at) : []
    const whole = {
      ...entry,
      ...(clashes.length > 0 ? { clashesWith: [...(entry.clashesWith ?? []), ...clashes] } : {}),
      ...(drawn.length > 0 ? { conflictsWith: drawn } : {}),
    }
    if (isGenerated) world.learn(whole)
    else world.truth.learn({ number: entry.number, clashesWith: clashes })
    onSubmission?.(whole)
    return timed(submission(this.#asReported(whole)), at)
  }

  #scheduleEvent(event: ScenarioEvent): void {
    const about = 'number' in event ? event.number : 'test' in event ? event.test : ''
    const at = toMillis(event.at ?? 0)
    this.#context.clock.schedule({
      at,
      kind: 'event',
      name: `${event.do} ${about}`,
      commands: () => {
        if (event.do === 'pushToBranch') this.#context.world.push(event)
        return timed([...this.#reportsBefore(event), commandOf(event)], at)
      },
    })
  }

  /** If an event submits a pull request before its own time, its facts are reported first. */
  #reportsBefore(event: ScenarioEvent): CommandBody[] {
    const entry = event.do === 'submit' ? this.#unknown.get(event.number) : undefined
    if (!entry) return []
    this.#unknown.delete(entry.number)
    return knownOf(this.#asReported(entry))
  }

  /** Conflicts that are found by a build are not reported beforehand. */
  #asReported(entry: PullRequestEntry): PullRequestEntry {
    if (this.#areConflictsReported || !entry.conflictsWith) return entry
    const { conflictsWith: _conflicts, ...reported } = entry
    return reported
  }
}

const timed = (bodies: readonly CommandBody[], at: Millis): Command[] =>
  bodies.map((body) => ({ ...body, at }))
