/**
 * Whether a run makes progress (S-41). Progress is a pull request that is submitted or ends, or a
 * command given by a person. A run with too many commands without progress is stuck. The bound
 * counts commands, not time, because a slow run is not stuck.
 */

import { isTerminal, type CommandBody, type Event } from '../../engine/index.ts'

/**
 * The allowed number of commands without progress: a fixed part, plus a part per pull request in
 * the queue.
 */
const allowance = 10_000
const allowancePerPullRequest = 20

const machineCommands: ReadonlySet<CommandBody['type']> = new Set([
  'wake',
  'finishTestRun',
  'finishMerge',
  'reportUnbuildable',
  'forget',
])

export class Progress {
  #live = 0
  #without = 0

  /** How many pull requests are in the queue. */
  get live(): number {
    return this.#live
  }

  get commandsWithout(): number {
    return this.#without
  }

  get isStuck(): boolean {
    return this.#without > allowance + allowancePerPullRequest * this.#live
  }

  onEvent(command: CommandBody, events: readonly Event[]): void {
    const before = this.#live
    for (const event of events) {
      if (event.type === 'pullRequestSubmitted') this.#live++
      else if (event.type === 'pullRequestMoved' && isTerminal(event.to)) this.#live--
    }
    const isMachine = machineCommands.has(command.type)
    this.#without = isMachine && this.#live === before ? this.#without + 1 : 0
  }
}
