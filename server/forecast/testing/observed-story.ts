/** A queue in tests that an observer follows, as the server follows one. */

import { type CommandBody, Engine, type QueueView, createdQueue } from '../../../engine/index.ts'
import { copyOf, present } from '../observed.ts'
import { type RawForecast, forecastOf } from '../forecast.ts'
import { Observer } from '../forecaster.ts'

const minuteMs = 60_000

/** All test runs take so long, unless the story ends them otherwise. */
const runMinutes = 10

export class ObservedStory {
  readonly observer: Observer
  readonly #engine: Engine
  #now = 0
  #merged = 0

  constructor(set: Parameters<typeof createdQueue>[0]['set'] = {}) {
    const command = { type: 'createQueue', incarnation: 'x', set } as const
    this.#engine = new Engine(createdQueue(command, 0), {
      clock: { wakeAt: () => undefined },
      testRunner: { start: () => undefined, cancel: () => undefined },
    })
    this.observer = new Observer(this.queue)
    this.#engine.subscribe(({ at }, events) => {
      this.observer.read(at, events, (number) => this.queue.impactedTargets[number] ?? null)
    })
  }

  get queue(): QueueView {
    return this.#engine.queue
  }

  send(body: CommandBody): void {
    const outcome = this.#engine.dispatch({ ...body, at: this.#now })
    if (!outcome.accepted) throw new Error(outcome.rejection.code)
  }

  wait(minutes: number): void {
    this.#now += minutes * minuteMs
  }

  submit(...numbers: readonly number[]): void {
    for (const number of numbers) this.send({ type: 'submitPullRequest', number })
  }

  /** Ends all runs in progress. */
  end(outcome: 'passed' | 'failed' | 'errored'): void {
    for (const id of Object.keys(this.queue.testRuns)) {
      this.send({ type: 'finishTestRun', testRun: Number(id), outcome })
    }
  }

  /** So many pull requests pass and merge, one after the other. */
  merge(count: number): void {
    for (let number = 1; number <= count; number++) {
      this.submit(10_000 + ++this.#merged)
      this.wait(runMinutes)
      this.end('passed')
    }
  }

  forecast(simulations = 60): Map<number, RawForecast> {
    return forecastOf({
      copy: copyOf(this.queue, present(this.queue)),
      now: this.#now,
      observed: this.observer.observed,
      seed: 'story',
      simulations,
    })
  }
}
