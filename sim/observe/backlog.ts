/** The steps and refusals of a run at which its properties have not looked yet, in order. */

import type { Command, TestRunId } from '../../engine/index.ts'
import { shownAfter } from '../steps/shown.ts'
import type { SeenStep, Step } from '../steps/step.ts'

type Refusal = { readonly command: Command; readonly sequence: number }

type Entry = { readonly step: SeenStep } | { readonly refusal: Refusal }

/** Receives what is taken from the backlog, in order. */
type Taker = {
  readonly step: (step: SeenStep) => void
  readonly refusal: (command: Command, sequence: number) => void
}

export class Backlog {
  readonly #isFlakeNow: (testRun: TestRunId) => boolean
  readonly #flaked = new Set<TestRunId>()
  #entries: Entry[] = []

  /** `isFlakeNow` is asked when a run fails, because the world forgets the run soon after. */
  constructor(isFlakeNow: (testRun: TestRunId) => boolean) {
    this.#isFlakeNow = isFlakeNow
  }

  get length(): number {
    return this.#entries.length
  }

  /** Whether the run, which failed in one of the steps, failed only because of a flake. */
  readonly isFlake = (testRun: TestRunId): boolean => this.#flaked.has(testRun)

  addStep({ queue, ...step }: Step): void {
    for (const event of step.events) {
      if (event.type !== 'testRunFinished' || event.outcome !== 'failed') continue
      if (this.#isFlakeNow(event.testRun)) this.#flaked.add(event.testRun)
    }
    this.#entries.push({ step: { ...step, shown: shownAfter(step.events, queue) } })
  }

  addRefusal(command: Command, sequence: number): void {
    this.#entries.push({ refusal: { command, sequence } })
  }

  takeAll(taker: Taker): void {
    const entries = this.#entries
    this.#entries = []
    for (const entry of entries) {
      if ('step' in entry) taker.step(entry.step)
      else taker.refusal(entry.refusal.command, entry.refusal.sequence)
    }
    this.#flaked.clear()
  }
}
