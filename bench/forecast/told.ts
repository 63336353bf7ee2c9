/**
 * What a queue would have told people at some moments of a simulated run, and what came true. The
 * forecasts know nothing of the simulated world but what the queue has shown.
 */

import type { Millis, PullRequestNumber, QueueView } from '../../engine/index.ts'
import { copyOf, mostInQueue, present } from '../../server/forecast/copy.ts'
import { forecastOf, type RawForecast } from '../../server/forecast/forecast.ts'
import { hasSeenEnough, type Observed } from '../../server/forecast/observed.ts'
import { Observer } from '../../server/forecast/observer.ts'
import { simulate } from '../../sim/run/simulate.ts'
import { loadScenario } from '../../sim/scenario/load.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import type { Step } from '../../sim/steps/step.ts'
import { archetypeFile } from './archetypes.ts'

export type ToldTask = {
  readonly archetype: string
  readonly seed: number
  /** So many moments, spread over the submissions. */
  readonly moments: number
  readonly simulations: number
  /** For a smoke run: only so many pull requests. */
  readonly count: number | null
}

/** One forecast for one pull request. */
export type Told = RawForecast & {
  /** Minutes until it landed; null if it never did. */
  readonly minutes: number | null
  /** Minutes until somebody changed the settings or the state of the queue; infinite if nobody did. */
  readonly untilChange: number
}

type Moment = {
  /** Everybody for whom there was a forecast. */
  readonly told: readonly Told[]
  /** Those in the queue for whom there was none. */
  readonly untold: number
}

export type ToldRun = {
  readonly archetype: string
  readonly seed: number
  readonly moments: readonly Moment[]
}

type Made = {
  readonly at: Millis
  readonly forecasts: ReadonlyMap<PullRequestNumber, RawForecast>
  readonly untold: number
}

const minuteMs = 60_000

/** Runs an archetype once, and forecasts at each moment. */
export function toldIn(task: ToldTask): ToldRun {
  const scenario = scenarioOf(task)
  const teller = new Teller(task, scenario.traffic?.count ?? 0)
  simulate(scenario, { isUnhashed: true, observers: [() => (step) => teller.read(step)] })
  return { archetype: task.archetype, seed: task.seed, moments: teller.moments }
}

/** Follows a run as a server does, and forecasts when enough have been submitted since the last time. */
class Teller {
  readonly #task: ToldTask
  /** A moment comes after so many submissions. */
  readonly #every: number
  readonly #made: Made[] = []
  readonly #landed = new Map<PullRequestNumber, Millis>()
  readonly #changes: Millis[] = []
  #observer: Observer | null = null
  #submitted = 0

  constructor(task: ToldTask, submissions: number) {
    this.#task = task
    this.#every = Math.max(1, Math.floor(submissions / (task.moments + 1)))
  }

  read({ command, events, queue }: Step): void {
    const { at } = command
    this.#observer ??= new Observer(queue)
    this.#observer.read(at, events, (number) => queue.impactedTargets[number] ?? null)
    if (command.type === 'updateQueue') this.#changes.push(at)
    const before = this.#submitted
    for (const event of events) {
      if (event.type === 'pullRequestSubmitted') this.#submitted++
      else if (event.type === 'pullRequestMoved' && event.to === 'MERGED') {
        this.#landed.set(event.number, at)
      }
    }
    const isDue = Math.floor(this.#submitted / this.#every) > Math.floor(before / this.#every)
    if (isDue && this.#made.length < this.#task.moments) {
      this.#made.push(this.#tell(at, queue, this.#observer.observed))
    }
  }

  #tell(now: Millis, queue: QueueView, observed: Observed): Made {
    const kept = present(queue)
    if (!hasSeenEnough(observed) || kept.length > mostInQueue) {
      return { at: now, forecasts: new Map(), untold: kept.length }
    }
    const { seed, simulations } = this.#task
    const forecasts = forecastOf({
      ...{ copy: copyOf(queue, kept), now, observed, simulations },
      seed: `${seed} ${this.#made.length}`,
    })
    return { at: now, forecasts, untold: kept.length - forecasts.size }
  }

  /** What was told, beside what came true. */
  get moments(): Moment[] {
    return this.#made.map(({ at, forecasts, untold }) => {
      const change = this.#changes.find((each) => each > at) ?? Infinity
      const untilChange = (change - at) / minuteMs
      const told = [...forecasts].map(([number, raw]) => {
        const end = this.#landed.get(number)
        return { ...raw, minutes: end === undefined ? null : (end - at) / minuteMs, untilChange }
      })
      return { told, untold }
    })
  }
}

function scenarioOf({ archetype, seed, count }: ToldTask): Scenario {
  const whole = loadScenario(archetypeFile(archetype))
  const short = count !== null && whole.traffic ? { traffic: { ...whole.traffic, count } } : {}
  return { ...whole, ...short, seed }
}
