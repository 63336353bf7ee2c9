/**
 * Telling stories to the real engine, in tests: submit, pass, fail, wait, and look.
 *
 * A run is written `1 2 > 3 4`: pull requests 1 and 2 below, 3 and 4 tested; a bisection's run
 * begins with `bisect `. Minutes everywhere, milliseconds only inside.
 */

import { Engine } from '../engine.ts'
import type { Configuration } from '../model/configuration.ts'
import { newQueue, type NewQueue } from '../model/queue.ts'
import type { PullRequestState, Reason, RefusalReason } from '../model/pull-request-state.ts'
import type { QueueView, TestRun } from '../model/state.ts'
import type { ImpactedTargets } from '../model/targets.ts'
import type { CommandBody } from '../protocol/commands.ts'
import type { Event, EventOf, EventType } from '../protocol/events.ts'
import type { Rejection } from '../protocol/rejections.ts'

const minuteMs = 60_000

export type Wishes = { readonly priority?: number; readonly noBatch?: boolean }

export class Story {
  readonly engine: Engine
  readonly events: Event[] = []
  /** Pull requests whose merge the code host was asked for and has not answered. */
  readonly mergesAsked: number[] = []
  #now = 0
  #wakeAt: number | null = null

  constructor(configuration: Partial<Configuration> = {}, wish: NewQueue = {}) {
    this.engine = new Engine(newQueue({ configuration, ...wish }), {
      clock: { wakeAt: (instant) => void (this.#wakeAt = instant) },
      testRunner: { start: () => undefined, cancel: () => undefined },
      codeHost: { merge: (number) => void this.mergesAsked.push(number) },
    })
    this.engine.subscribe((_command, events) => void this.events.push(...events))
  }

  get queue(): QueueView {
    return this.engine.queue
  }

  // ---- what happens ---------------------------------------------------------------------------

  /** Sends a command; answers null, or why it was refused. */
  send(body: CommandBody): Rejection | null {
    const outcome = this.engine.dispatch({ ...body, at: this.#now })
    return outcome.accepted ? null : outcome.rejection
  }

  submit(...numbers: number[]): void {
    for (const number of numbers) this.send({ type: 'submitPullRequest', number })
  }

  submitAs(number: number, wishes: Wishes): void {
    this.send({ type: 'submitPullRequest', number, ...wishes })
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

  answerMerge(number: number, refused: RefusalReason | null = null): Rejection | null {
    return this.send({ type: 'finishMerge', number, refused })
  }

  /** Time passes; the engine is woken whenever it asked for it. */
  wait(minutes: number): void {
    const until = this.#now + minutes * minuteMs
    while (this.#wakeAt !== null && this.#wakeAt <= until) {
      this.#now = Math.max(this.#now, this.#wakeAt)
      this.#wakeAt = null
      this.send({ type: 'wake' })
    }
    this.#now = until
  }

  // ---- what one sees --------------------------------------------------------------------------

  /** The test runs under way, oldest first. */
  get running(): string[] {
    return Object.values(this.queue.testRuns).map(nameOf)
  }

  /** Every test run ever started, in order. */
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

  /** The states of some pull requests, side by side. */
  states(...numbers: number[]): (PullRequestState | undefined)[] {
    return numbers.map((number) => this.stateOf(number))
  }

  happened<Type extends EventType>(type: Type): EventOf<Type>[] {
    const is = (event: Event): event is EventOf<Type> => event.type === type
    return this.events.filter(is)
  }

  #finish(
    name: string,
    outcome: 'passed' | 'failed' | 'errored',
    failedTests: string[] = [],
  ): void {
    const run = Object.values(this.queue.testRuns).find((underWay) => nameOf(underWay) === name)
    if (!run) throw new Error(`no test run "${name}" under way, only: ${this.running.join('; ')}`)
    const names = failedTests.map((test) => ({ name: test }))
    this.send({ type: 'finishTestRun', testRun: run.id, outcome, failedTests: names })
  }
}

function nameOf({ owner, base, tested }: TestRun): string {
  const kind = owner.kind === 'bisection' ? 'bisect ' : ''
  const below = base.length > 0 ? `${base.join(' ')} ` : ''
  return `${kind}${below}> ${tested.join(' ')}`
}
