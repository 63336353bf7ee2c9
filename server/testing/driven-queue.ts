/** A queue without a server, in tests: commands by minute, and what became of them. */

import type {
  Actor,
  CreateQueue,
  LogEntry,
  Millis,
  PullRequestView,
  RecordedCommand,
  RecordedSettings,
} from '../../engine/index.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { type AppliedCommand, appliedOf } from '../queues/publisher.ts'
import { QueueRegistry } from '../queues/queue-registry.ts'
import { silent } from './recording.ts'

const minute: Millis = 60_000
const shop = 'github.com/acme/shop:main'
type Named = { readonly queue?: string; readonly by?: Actor }

const incarnation = '0c9a5a2e-5b1f-4a33-8c1d-111111111111'

export class DrivenQueue {
  readonly registry = new QueueRegistry(silent)
  readonly created: AppliedCommand

  constructor(set: RecordedSettings = {}, more: Pick<CreateQueue, 'codeHost'> = {}) {
    this.created = this.at(0, { type: 'createQueue', incarnation, set, ...more })
  }

  /** Applies a command at that minute, to another queue or by somebody if that is named. Throws if it is refused. */
  at(minutes: number, command: RecordedCommand, named: Named = {}): AppliedCommand {
    const entry = this.#next(minutes, command, named)
    const outcome = this.registry.apply(entry)
    if (!outcome.accepted) throw new Error(`${command.type}: ${outcome.rejection.code}`)
    return appliedOf(entry, outcome)
  }

  /** The same for a command that the queue may refuse. */
  tried(minutes: number, command: RecordedCommand, named: Named = {}) {
    return this.registry.apply(this.#next(minutes, command, named))
  }

  #next(minutes: number, command: RecordedCommand, { queue = shop, ...named }: Named): LogEntry {
    const sequence = this.registry.sequence + 1
    return { sequence, at: minutes * minute, command, ...named, queue }
  }

  /** Submits pull requests at that minute. */
  submit(minutes: number, ...numbers: readonly number[]): void {
    for (const number of numbers) this.at(minutes, { type: 'submitPullRequest', number })
  }

  /** Reports at that minute that a run has ended. */
  end(minutes: number, testRun: number, outcome: 'passed' | 'failed' | 'errored'): void {
    this.at(minutes, { type: 'finishTestRun', testRun, outcome })
  }

  get queue(): ManagedQueue {
    const found = this.registry.find(shop)
    if (!found) throw new Error('the queue was deleted')
    return found
  }

  pull(number: number): PullRequestView {
    const found = this.queue.engine.queue.pullRequests[number]
    if (!found) throw new Error(`#${number} was never submitted`)
    return found
  }
}
