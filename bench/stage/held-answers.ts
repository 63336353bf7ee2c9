/**
 * The answers of the real world, held until the simulated run has reached them. So real processes may
 * end in any order, and the queue hears them in the order of the simulation.
 */

import { isDeepStrictEqual } from 'node:util'
import type { EngineCommand } from '../../engine/index.ts'

const mostMs = 60_000

export class HeldAnswers {
  readonly #held = new Map<string, EngineCommand>()
  readonly #waiting = new Map<string, (command: EngineCommand) => void>()
  /** The last answer that was taken about each run or merge. */
  readonly #taken = new Map<string, EngineCommand>()

  /** Keeps an answer, or hands it to whoever waits for it. */
  readonly hold = (command: EngineCommand): void => {
    const key = keyOf(command)
    // The reconciler repeats an answer until the queue has heard it.
    if (isDeepStrictEqual(command, this.#taken.get(key))) return
    const wake = this.#waiting.get(key)
    this.#waiting.delete(key)
    if (wake) wake(command)
    else this.#held.set(key, command)
  }

  /** Settles with the answer about the same run or merge; rejects if it does not come. */
  async take(command: EngineCommand): Promise<EngineCommand> {
    const key = keyOf(command)
    const answer = await this.#next(key)
    this.#taken.set(key, answer)
    return answer
  }

  #next(key: string): Promise<EngineCommand> {
    const held = this.#held.get(key)
    this.#held.delete(key)
    if (held) return Promise.resolve(held)
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        reject(new Error(`no answer about ${key} within ${mostMs / 1_000} s`))
      }, mostMs)
      this.#waiting.set(key, (answer) => {
        clearTimeout(late)
        resolve(answer)
      })
    })
  }
}

function keyOf(command: EngineCommand): string {
  if (command.type === 'finishMerge') return `merge ${command.number}`
  const isOfRun = command.type === 'finishTestRun' || command.type === 'reportUnbuildable'
  if (isOfRun) return `run ${command.testRun}`
  throw new Error(`${command.type} is no answer`)
}
