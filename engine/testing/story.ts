/**
 * Drives a real engine in tests: submit, pass, fail, wait, and read the state.
 *
 * A run is written `1 2 > 3 4`: it tests pull requests 3 and 4 on top of 1 and 2. The name of a
 * bisection run starts with `bisect `, and a run of the branch by itself is `tip`. Times are in minutes.
 */

import { Engine } from '../engine.ts'
import type { Configuration } from '../model/configuration.ts'
import { newQueue, type NewQueue } from '../model/queue.ts'
import type { MergeRefusal, PullRequestState, Reason } from '../model/pull-request.ts'
import type { QueueView, TestRun } from '../model/state.ts'
import type { ImpactedTargets } from '../model/targets.ts'
import type { CommandBody, SubmitPullRequest, Rejection } from '../protocol/commands.ts'
import type { Event, EventOf, EventType } from '../protocol/events.ts'

const minuteMs = 60_000

export type SubmitOptions = Omit<SubmitPullRequest, 'type' | 'number'>

export class Story {
  readonly engine: Engine
  readonly events: Event[] = []
  /** Every merge that the engine has requested from the code host, in order. */
  readonly requestedMerges: number[] = []
  #now = 0
  #wakeAt: number | null = null

  constructor(configuration: Partial<Configuration> = {}, options: NewQueue = {}) {
    this.engine = new Engine(newQueue({ configuration, ...options }), {
      clock: { wakeAt: (instant) => void (this.#wakeAt = instant) },
      testRunner: { start: () => undefined, cancel: () => undefined },
      codeHost: { merge: (numbers) => void this.requestedMerges.push(...numbers) },
    })
    this.engine.subscribe((_command, events) => void this.events.push(...events))
  }

  get queue(): QueueView {
    return this.engine.queue
  }

  // ---- actions --------------------------------------------------------------------------------

  /** Sends a command. Returns null if it was accepted, else the rejection. */
  send(body: CommandBody): Rejection | null {
    const outcome = this.engine.dispatch({ ...body, at: this.#now })
    return outcome.accepted ? null : outcome.rejection
  }

  submit(...numbers: number[]): void {
    for (const number of numbers) this.send({ type: 'submitPullRequest', number })
  }

  /** They become PENDING at once, so that none of them starts without the others. */
  submitTogether(...numbers: number[]): void {
    this.update({ state: 'PAUSED' })
    this.submit(...numbers)
    this.update({ state: 'RUNNING' })
  }

  submitAs(number: number, options: SubmitOptions): void {
    this.send({ type: 'submitPullRequest', number, ...options })
  }

  urgent(number: number): void {
    this.submitAs(number, { priority: 0 })
  }

  cancel(number: number): Rejection | null {
    return this.send({ type: 'cancelPullRequest', number, reason: 'USER_REQUESTED' })
  }

  restart(number: number): Rejection | null {
    return this.send({ type: 'restartTests', number })
  }

  update(
    set: Partial<Configuration> & { state?: 'RUNNING' | 'PAUSED' | 'DRAINING' },
  ): Rejection | null {
    return this.send({ type: 'updateQueue', set })
  }

  conflict(number: number, ...conflictsWith: number[]): void {
    this.send({ type: 'reportPullRequest', number, conflictsWith })
  }

  touches(number: number, targets: ImpactedTargets): void {
    this.send({ type: 'setImpactedTargets', number, targets })
  }

  pass(run: string): void {
    this.#finish(run, 'passed')
  }

  fail(run: string, ...failedTests: string[]): void {
    this.#finish(run, 'failed', failedTests)
  }

  error(run: string): void {
    this.#finish(run, 'errored')
  }

  /** Git cannot build the branch of this run. */
  unbuildable(run: string, number: number, conflictsWith: number | 'tip'): Rejection | null {
    const { id: testRun } = this.#runNamed(run)
    return this.send({ type: 'reportUnbuildable', testRun, number, conflictsWith })
  }

  /** The code host has landed these in one push. */
  answerPush(...numbers: number[]): Rejection | null {
    const [number = 0] = numbers
    return this.send({ type: 'finishMerge', number, numbers, refused: null })
  }

  answerMerge(number: number, refused: MergeRefusal | null = null): Rejection | null {
    return this.send({ type: 'finishMerge', number, refused })
  }

  /** Lets time pass, and wakes the engine whenever it requested that. */
  wait(minutes: number): void {
    const until = this.#now + minutes * minuteMs
    while (this.#wakeAt !== null && this.#wakeAt <= until) {
      this.#now = Math.max(this.#now, this.#wakeAt)
      this.#wakeAt = null
      this.send({ type: 'wake' })
    }
    this.#now = until
  }

  // ---- state ----------------------------------------------------------------------------------

  /** The test runs in progress, oldest first. */
  get running(): string[] {
    return Object.values(this.queue.testRuns).map(nameOf)
  }

  /** All test runs that have started, in order. */
  get started(): string[] {
    return this.happened('testRunStarted').map(({ run }) => nameOf(run))
  }

  /** Pull requests in the order in which they merged. */
  get merged(): number[] {
    return this.happened('tipMoved').flatMap(({ number }) => number ?? [])
  }

  stateOf(number: number): PullRequestState | undefined {
    return this.queue.pullRequests[number]?.state
  }

  reasonOf(number: number): Reason | null | undefined {
    return this.queue.pullRequests[number]?.reason
  }

  /** The states of several pull requests, in the given order. */
  states(...numbers: number[]): (PullRequestState | undefined)[] {
    return numbers.map((number) => this.stateOf(number))
  }

  happened<Type extends EventType>(type: Type): EventOf<Type>[] {
    const is = (event: Event): event is EventOf<Type> => event.type === type
    return this.events.filter(is)
  }

  #runNamed(name: string): TestRun {
    const run = Object.values(this.queue.testRuns).find((inProgress) => nameOf(inProgress) === name)
    if (!run)
      throw new Error(`no test run "${name}" is in progress, only: ${this.running.join('; ')}`)
    return run
  }

  #finish(
    name: string,
    outcome: 'passed' | 'failed' | 'errored',
    failedTests: string[] = [],
  ): void {
    const run = this.#runNamed(name)
    const names = failedTests.map((test) => ({ name: test }))
    this.send({ type: 'finishTestRun', testRun: run.id, outcome, failedTests: names })
  }
}

function nameOf({ owner, base, tested }: TestRun): string {
  if (owner.kind === 'tip') return 'tip'
  const kind = owner.kind === 'bisection' ? 'bisect ' : ''
  const below = base.length > 0 ? `${base.join(' ')} ` : ''
  return `${kind}${below}> ${tested.join(' ')}`
}

// Stories with batches, mostly for tests of bisection.

/** A queue with batches of `size`, one slot for main runs and one slot for bisection runs. */
export function batches(size: number, more: Partial<Configuration> = {}): Story {
  return new Story({
    batch: true,
    batchingMinSize: size,
    concurrency: 1,
    bisectionConcurrency: 1,
    ...more,
  })
}

/**
 * Lowers the failure rate of the queue to about 0.5 %, so that bisection splits near the middle.
 */
export function withGoodRecord(story: Story): Story {
  for (let number = 1001; number <= 1180; number += 4) {
    story.submit(number, number + 1, number + 2, number + 3)
    story.pass(`> ${number} ${number + 1} ${number + 2} ${number + 3}`)
  }
  return story
}

// Stories in parallel mode.

/** A parallel queue with 9 slots and the impacted targets of each pull request. Submits nothing. */
export function lanes(
  touched: Readonly<Record<number, ImpactedTargets>>,
  more: Partial<Configuration> = {},
  options: NewQueue = {},
): Story {
  const story = new Story({ mode: 'parallel', concurrency: 9, ...more }, options)
  for (const [number, targets] of Object.entries(touched)) story.touches(Number(number), targets)
  return story
}
