/**
 * Whether a run makes progress (S-41). Progress is a pull request that is submitted or ends, or a
 * command given by a person. A push is none, because a branch that stays broken is mended forever.
 * A run with too many commands without progress is stuck, and so is one in which the world acts too
 * often and the engine accepts nothing. The bounds count commands and events of the world, not time,
 * because a slow run is not stuck.
 */

import { type CommandBody, type Event, isTerminal } from '../../engine/index.ts'

/** The allowed number without progress: a fixed part, plus a part per pull request in the queue. */
const allowance = 10_000
const allowancePerPullRequest = 20
const allowed = (pullRequests: number): number => allowance + allowancePerPullRequest * pullRequests

const machineCommands: ReadonlySet<CommandBody['type']> = new Set([
  'wake',
  'finishTestRun',
  'finishMerge',
  'reportUnbuildable',
  'reportPush',
  'forget',
])

export class Progress {
  #live = 0
  #mostLive = 0
  /** Accepted commands in a row without progress. */
  #without = 0
  /** Scheduled events in a row of which no command was accepted. */
  #refused = 0

  /** How many pull requests are in the queue. */
  get live(): number {
    return this.#live
  }

  /** The sentence that says why the run is stuck; null if it is not. */
  get fault(): string | null {
    if (this.#without > allowed(this.#live)) {
      return `${this.#without} commands went by in which none of the ${this.#live} pull requests in the queue ended.`
    }
    // A pull request that leaves may leave results of runs behind, which no run awaits.
    if (this.#refused <= allowed(this.#mostLive)) return null
    return `${this.#refused} times in a row something happened of which the engine accepted no command.`
  }

  /** Something that was scheduled has happened; `isAccepted` if the engine accepted a command of it. */
  onScheduled(isAccepted: boolean): void {
    this.#refused = isAccepted ? 0 : this.#refused + 1
  }

  onEvent(command: CommandBody, events: readonly Event[]): void {
    const before = this.#live
    for (const event of events) {
      if (event.type === 'pullRequestSubmitted') this.#live++
      else if (event.type === 'pullRequestMoved' && isTerminal(event.to)) this.#live--
    }
    this.#mostLive = Math.max(this.#mostLive, this.#live)
    const isMachine = machineCommands.has(command.type)
    this.#without = isMachine && this.#live === before ? this.#without + 1 : 0
  }
}
