/**
 * Lets the queues forget what left them long ago, so that memory does not grow forever. What is
 * forgotten is a command in the log, so that a replay forgets the same.
 */

import { type Millis, type PullRequestNumber, forgettable } from '../../engine/index.ts'
import type { QueueHistory } from '../history/records.ts'
import { lastStepAt } from '../history/timeline.ts'
import type { QueueManager } from './queue-manager.ts'
import type { Enter } from './entrance.ts'
import type { ManagedQueue } from './managed-queue.ts'

const dayMs: Millis = 24 * 60 * 60_000
const hourMs: Millis = 60 * 60_000

/** The pull requests in one command, which holds the event loop. */
const mostAtOnce = 500

type ForgetfulPorts = {
  readonly enter: Enter
  readonly now: () => Millis
  /** Called with what made it impossible; the next hour tries again. */
  readonly onFault: (error: unknown) => void
}

export class Forgetful {
  readonly #rememberMs: Millis
  readonly #ports: ForgetfulPorts
  #timer: NodeJS.Timeout | null = null
  #isStopped = false

  constructor(rememberDays: number, ports: ForgetfulPorts) {
    this.#rememberMs = rememberDays * dayMs
    this.#ports = ports
  }

  /** Forgets what is due now, and from then on every hour. Of several servers the second finds nothing. */
  start(): void {
    void this.forget()
    this.#timer = setInterval(() => void this.forget(), hourMs).unref()
  }

  stop(): void {
    this.#isStopped = true
    if (this.#timer) clearInterval(this.#timer)
  }

  /** Forgets everything that is due, one command at a time. Never rejects. */
  async forget(): Promise<void> {
    const { enter, now, onFault } = this.#ports
    try {
      let isAnyLeft = true
      while (isAnyLeft && !this.#isStopped) {
        const instant = now() - this.#rememberMs
        isAnyLeft = await enter('write', (manager) => forgetSome(manager, instant, onFault))
      }
    } catch (error) {
      onFault(error)
    }
  }
}

/**
 * Forgets some of what is due in the first queue that has any; false if none has. One that stops at that keeps no other
 * from it.
 */
function forgetSome(
  manager: QueueManager,
  before: Millis,
  onFault: ForgetfulPorts['onFault'],
): boolean {
  return manager.registry.running.some((queue) => {
    const numbers = dueToForget(queue, before)
    if (numbers.length === 0) return false
    try {
      manager.send(queue.name, { type: 'forget', numbers })
      return true
    } catch (error) {
      onFault(error)
      return false
    }
  })
}

/**
 * Returns pull requests to forget, at most as many as one command may hold: those that left, or of
 * which the last report came, before the instant. A-146
 */
function dueToForget({ engine, history }: ManagedQueue, before: Millis): PullRequestNumber[] {
  const due: PullRequestNumber[] = []
  for (const number of leftBefore(history, before)) {
    if (due.length < mostAtOnce) due.push(number)
    else break
  }
  for (const [number, at] of history.reported) {
    if (at >= before || due.length >= mostAtOnce) break
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
