/** The answers of a real host, held until the story tells them. */

import type { EngineCommand, TestRunId } from '../../../../engine/index.ts'

export class HeldWork {
  readonly #verdicts = new Map<TestRunId, () => void>()
  #landing: (() => void) | null = null
  #onChange: () => void = () => undefined

  /** Conflicts and refusals are told at once. */
  readonly hold = (command: EngineCommand, send: () => void): void => {
    if (command.type === 'finishTestRun') this.#verdicts.set(command.testRun, send)
    // The reconciler repeats an answer until the queue has heard it.
    else if (command.type === 'finishMerge' && command.refused === null) this.#landing = send
    else send()
    this.#onChange()
  }

  /** Something has changed outside of this object: a command is durable. */
  readonly changed = (): void => this.#onChange()

  /** Settles with the next change. */
  async nextChange(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#onChange = resolve
    })
  }

  get hasLanding(): boolean {
    return this.#landing !== null
  }

  hasVerdictOf(run: TestRunId): boolean {
    return this.#verdicts.has(run)
  }

  tellLanding(): void {
    const send = this.#landing
    this.#landing = null
    send?.()
  }

  tellVerdictOf(run: TestRunId): void {
    const send = this.#verdicts.get(run)
    this.#verdicts.delete(run)
    send?.()
  }

  /** The server is gone, and with it what it had to say. */
  forget(): void {
    this.#verdicts.clear()
    this.#landing = null
  }
}
