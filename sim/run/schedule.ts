/** Schedules the submissions and the events of a scenario on the clock. */

import { urgentPriority } from '../../engine/index.ts'
import type { CancelReason, CommandBody, Command, Millis } from '../../engine/index.ts'
import type { Priority, PullRequestEntry, ScenarioEvent, Scenario } from '../scenario/scenario.ts'
import { toMillis } from '../scenario/time.ts'
import type { Draw } from '../random/draw.ts'
import { TextConflicts, type Presence } from '../world/clashes.ts'
import { arrivalsOf, type Arrival } from '../world/traffic.ts'
import type { World } from '../world/world.ts'
import type { VirtualClock } from './virtual-clock.ts'

// The pull requests and events of a scenario as commands for the engine.

/** The values of the named priorities, as in the API. */
const priorityValues = { urgent: urgentPriority, high: 10, medium: 100, low: 200 } as const

const cancelReasons = {
  cancel: 'USER_REQUESTED',
  push: 'PR_PUSHED_TO',
  close: 'PR_CLOSED',
  convertToDraft: 'PR_CONVERTED_TO_DRAFT',
  changeBase: 'PR_BASE_BRANCH_CHANGED',
} as const satisfies Record<string, CancelReason>

/** The commands of a first submission: the facts about the pull request, then the submission. */
export function submission(entry: PullRequestEntry): CommandBody[] {
  return [...knownOf(entry), submit(entry)]
}

/** Reports the facts about a pull request that the code host and the build know. */
function knownOf(entry: PullRequestEntry): CommandBody[] {
  const { number, targets, greenOnTip, conflictsWith = [] } = entry
  const commands: CommandBody[] = []
  if (conflictsWith.length > 0 || greenOnTip) {
    commands.push({
      type: 'reportPullRequest',
      number,
      ...(greenOnTip ? { greenOnTip } : {}),
      ...(conflictsWith.length > 0 ? { conflictsWith } : {}),
    })
  }
  if (targets !== undefined) commands.push({ type: 'setImpactedTargets', number, targets })
  return commands
}

type SubmissionFields = {
  readonly number: number
  readonly priority?: Priority
  readonly noBatch?: boolean
  readonly sha?: string
  readonly dependsOn?: readonly number[]
}

function submit({ number, priority, noBatch, sha, dependsOn }: SubmissionFields): CommandBody {
  return {
    type: 'submitPullRequest',
    number,
    ...(sha === undefined ? {} : { sha }),
    ...(priority === undefined ? {} : { priority: valueOf(priority) }),
    ...(noBatch === undefined ? {} : { noBatch }),
    ...(dependsOn === undefined ? {} : { dependsOn }),
  }
}

const valueOf = (priority: Priority): number =>
  typeof priority === 'number' ? priority : priorityValues[priority]

type Departure = Extract<ScenarioEvent, { readonly do: keyof typeof cancelReasons }>
type OfQuarantine = Extract<ScenarioEvent, { readonly test: string }>

/** Whether the event takes a pull request out. */
const isDeparture = (event: ScenarioEvent): event is Departure => event.do in cancelReasons

function ofQuarantine(event: OfQuarantine): CommandBody {
  const test = { name: event.test }
  if (event.do === 'release') return { type: 'releaseTest', test }
  const { until } = event
  return {
    type: 'quarantineTest',
    test,
    ...(until === undefined ? {} : { until: toMillis(until) }),
  }
}

function commandOf(event: ScenarioEvent): CommandBody {
  if ('test' in event) return ofQuarantine(event)
  if (isDeparture(event))
    return { type: 'cancelPullRequest', number: event.number, reason: cancelReasons[event.do] }
  switch (event.do) {
    case 'submit':
      return submit(event)
    case 'restart':
      return { type: 'restartTests', number: event.number }
    case 'forget':
      return { type: 'forget', numbers: [event.number] }
    case 'manualMerge':
      return { type: 'reportManualMerge', number: event.number }
    case 'setImpactedTargets':
      return { type: 'setImpactedTargets', number: event.number, targets: event.targets }
    case 'setMergeable':
      return { type: 'reportPullRequest', number: event.number, mergeable: event.mergeable }
    case 'pushToBranch':
      return { type: 'reportPush' }
    case 'attachHost':
      return { type: 'attachHost', codeHost: event.codeHost }
    case 'updateQueue':
      return { type: 'updateQueue', set: event.set }
  }
}

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
