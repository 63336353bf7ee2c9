/** One forward simulation: a copy of the queue runs on in a drawn world until its line has left. */

import {
  type CommandBody,
  Engine,
  type Event,
  type Millis,
  type Ports,
  type PullRequestNumber,
  type Queue,
  type TestName,
  type TestRun,
  type TestRunId,
} from '../../engine/index.ts'
import type { Newcomers } from './arrivals.ts'
import type { World } from './beliefs.ts'
import type { Draws } from './draws.ts'
import type { Lengths } from './lengths.ts'

/** What a code host takes for a merge. */
const mergeMs: Millis = 5000

export type ForwardParts = {
  readonly world: World
  readonly lengths: Lengths
  readonly newcomers: Newcomers
  /** The tests that failed in flakes of late; an empty list where none was named. */
  readonly flakyTests: readonly (readonly string[])[]
  readonly draws: Draws
}

export type Limits = {
  readonly until: Millis
  /** A line that grows faster than it moves would take forever. */
  readonly mostCommands: number
}

export class Forward {
  /** When each pull request that lands has merged. */
  readonly landed = new Map<PullRequestNumber, Millis>()
  /** Those that left without merging. */
  readonly lost = new Set<PullRequestNumber>()
  commands = 0
  readonly #engine: Engine
  readonly #agenda = new Agenda()
  readonly #parts: ForwardParts
  readonly #broken: Set<number>
  readonly #cancelled = new Set<TestRunId>()
  /** Those of whom nobody knows yet how they leave. */
  readonly #awaited: Set<PullRequestNumber>
  #lastBreaks: boolean
  #now: Millis

  /** `copy` is the state of a queue as text; the simulation begins at `now`. */
  constructor(
    copy: string,
    { now, awaited }: { readonly now: Millis; readonly awaited: Iterable<PullRequestNumber> },
    parts: ForwardParts,
  ) {
    const queue: Queue = JSON.parse(copy)
    this.#parts = parts
    this.#broken = new Set(parts.world.broken)
    this.#lastBreaks = parts.world.lastBreaks
    this.#awaited = new Set(awaited)
    this.#now = Math.max(now, queue.now)
    this.#engine = new Engine(queue, this.#ports())
    this.#engine.resume()
    this.#expectNewcomer()
  }

  /** Runs until everybody awaited has left, or a limit is reached. */
  run({ until, mostCommands }: Limits): this {
    while (this.#awaited.size > 0 && this.commands < mostCommands) {
      const next = this.#agenda.next()
      if (!next || next.at > until) break
      this.#now = Math.max(this.#now, next.at)
      const command = next.command()
      if (command) this.#dispatch(command)
    }
    return this
  }

  #dispatch(body: CommandBody): void {
    this.commands++
    const outcome = this.#engine.dispatch({ ...body, at: this.#now })
    if (outcome.accepted) for (const event of outcome.events) this.#read(event)
  }

  #read(event: Event): void {
    if (event.type === 'pullRequestSubmitted') this.#drawNewcomer(event.submission)
    if (event.type !== 'pullRequestMoved') return
    const { number, to } = event
    if (!this.#awaited.has(number)) return
    if (to === 'MERGED') this.landed.set(number, this.#now)
    else if (to === 'FAILED' || to === 'CANCELLED') this.lost.add(number)
    else return
    this.#awaited.delete(number)
  }

  #ports(): Ports {
    return {
      clock: { wakeAt: (at) => this.#agenda.add({ at, command: () => ({ type: 'wake' }) }) },
      testRunner: {
        start: (run) => this.#plan(run),
        cancel: (id) => void this.#cancelled.add(id),
      },
      codeHost: { merge: (numbers) => this.#merge(numbers) },
    }
  }

  /** Plans the end of a run; one that is in progress already lasts longer than it has. */
  #plan({ id, startedAt, submissions }: TestRun): void {
    const { lengths, draws, world, flakyTests } = this.#parts
    const lengthMs = lengths.draw(Math.max(0, this.#now - startedAt), draws)
    const at = Math.max(this.#now + 1, startedAt + lengthMs)
    const culprit = submissions.find((submission) => this.#broken.has(submission))
    const flakes = draws.chance(world.flakeRate)
    const flaky = flakes ? (draws.oneOf(flakyTests) ?? []) : []
    const failedTests: TestName[] = flaky.map((name) => ({ name }))
    if (culprit !== undefined) failedTests.push({ name: `broken by submission ${culprit}` })
    const outcome = flakes || culprit !== undefined ? 'failed' : 'passed'
    const command = (): CommandBody | null =>
      this.#cancelled.has(id) ? null : { type: 'finishTestRun', testRun: id, outcome, failedTests }
    this.#agenda.add({ at, command })
  }

  #merge(numbers: readonly PullRequestNumber[]): void {
    const [number] = numbers
    if (number === undefined) return
    const command = (): CommandBody => ({ type: 'finishMerge', number, numbers, refused: null })
    this.#agenda.add({ at: this.#now + mergeMs, command })
  }

  #expectNewcomer(): void {
    const newcomer = this.#parts.newcomers.next()
    if (!newcomer || newcomer.at === Infinity) return
    const [last, ...before] = newcomer.commands.toReversed()
    if (!last) return
    const command = (): CommandBody => {
      for (const each of before.toReversed()) this.#dispatch(each)
      this.#expectNewcomer()
      return last
    }
    this.#agenda.add({ at: newcomer.at, command })
  }

  #drawNewcomer(submission: number): void {
    const { draws, world } = this.#parts
    const { afterBroken, afterHealthy } = world.breakRate
    this.#lastBreaks = draws.chance(this.#lastBreaks ? afterBroken : afterHealthy)
    if (this.#lastBreaks) this.#broken.add(submission)
  }
}

// What is to come in a forward simulation, by instant; what was added first comes first.

type Appointment = { readonly at: Millis; readonly command: () => CommandBody | null }

class Agenda {
  /** Latest first, so that the next one is taken from the end. */
  readonly #entries: Appointment[] = []

  add(entry: Appointment): void {
    let [low, high] = [0, this.#entries.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#entries[middle]?.at ?? 0) <= entry.at) high = middle
      else low = middle + 1
    }
    this.#entries.splice(low, 0, entry)
  }

  next(): Appointment | undefined {
    return this.#entries.pop()
  }
}
