/**
 * Lets the queues forget what left them long ago, so that memory does not grow for ever. What is
 * forgotten is a command in the log, so that a replay forgets the same.
 */

import { type Millis, type PullRequestNumber, forgettable } from '../../engine/index.ts'
import { nextTurn } from '../files/turns.ts'
import type { QueueHistory } from '../history/records.ts'
import { lastStepAt } from '../history/timeline.ts'
import type { ManagedQueue } from './managed-queue.ts'
import type { QueueManager } from './queue-manager.ts'

const dayMs: Millis = 24 * 60 * 60_000
const hourMs: Millis = 60 * 60_000

/** The pull requests in one command, which holds the event loop. */
const mostAtOnce = 500

export type ForgetfulPorts = {
  readonly now: () => Millis
  readonly onFault: (error: unknown, queue: string) => void
}

export class Forgetful {
  readonly #manager: QueueManager
  readonly #rememberMs: Millis
  readonly #ports: ForgetfulPorts
  #timer: NodeJS.Timeout | null = null
  #isStopped = false

  constructor(manager: QueueManager, rememberDays: number, ports: ForgetfulPorts) {
    this.#manager = manager
    this.#rememberMs = rememberDays * dayMs
    this.#ports = ports
  }

  /** Forgets what is due now, and from then on every hour. */
  start(): void {
    void this.forget()
    this.#timer = setInterval(() => void this.forget(), hourMs).unref()
  }

  stop(): void {
    this.#isStopped = true
    if (this.#timer) clearInterval(this.#timer)
  }

  /** Forgets everything that is due. One command in each turn of the event loop. Never rejects. */
  async forget(): Promise<void> {
    const before = this.#ports.now() - this.#rememberMs
    for (const { name } of [...this.#manager.registry.queues]) {
      try {
        while (this.#forgetSome(name, before)) await nextTurn()
      } catch (error) {
        this.#ports.onFault(error, name)
      }
    }
  }

  /** True if there may be more. */
  #forgetSome(name: string, before: Millis): boolean {
    const queue = this.#isStopped ? undefined : this.#manager.registry.find(name)
    const numbers = queue ? dueToForget(queue, before, mostAtOnce) : []
    if (numbers.length > 0) this.#manager.send(name, { type: 'forget', numbers })
    return numbers.length > 0
  }
}

/** Forgets some of what is due in each queue. True if there may be more. */
export function forgetDue(manager: QueueManager, before: Millis): boolean {
  let isMore = false
  for (const queue of [...manager.registry.queues]) {
    const numbers = dueToForget(queue, before, mostAtOnce)
    if (numbers.length === 0) continue
    manager.send(queue.name, { type: 'forget', numbers })
    isMore = true
  }
  return isMore
}

/**
 * Returns pull requests to forget, at most so many: those that left, or of which the last report came,
 * before the instant. A-146
 */
function dueToForget(
  { engine, history }: ManagedQueue,
  before: Millis,
  most: number,
): PullRequestNumber[] {
  const due: PullRequestNumber[] = []
  for (const number of leftBefore(history, before)) {
    if (due.length < most) due.push(number)
    else break
  }
  for (const [number, at] of history.reported) {
    if (at >= before || due.length >= most) break
    const timeline = history.pullRequests.get(number)?.timeline ?? []
    if (timeline.length === 0) due.push(number)
  }
  return forgettable(engine.queue, due)
}

function* leftBefore(
  { pullRequests, conclusions, reported }: QueueHistory,
  before: Millis,
): Generator<PullRequestNumber> {
  for (const [position, number] of conclusions.entries()) {
    const past = pullRequests.get(number)
    if (past?.concludedAs !== position) continue
    if (lastStepAt(past.timeline) >= before) return
    if ((reported.get(number) ?? 0) < before) yield number
  }
}
