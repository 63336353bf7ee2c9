/**
 * A real engine kept in motion, with as many in the line and as many waiting as wished: each turn
 * the head of the line passes and merges, somebody starts, and somebody new is submitted.
 */

import {
  Engine,
  newQueue,
  type Command,
  type CommandBody,
  type NewQueue,
} from '../../engine/index.ts'

type Wish = {
  readonly inLine: number
  readonly pending: number
  readonly configuration?: NewQueue['configuration']
  /** What is told about a pull request before it is submitted. */
  readonly before?: (number: number) => readonly CommandBody[]
}

/** Commands that a turn sends. */
export const commandsPerTurn = 2

/** Ports that nobody listens at. */
export const silence = {
  clock: { wakeAt: () => undefined },
  testRunner: { start: () => undefined, cancel: () => undefined },
}

export class EngineInMotion {
  readonly engine: Engine
  readonly #before: Wish['before']
  #now = 0
  #last = 0

  constructor({ inLine, pending, configuration, before }: Wish) {
    this.#before = before
    const queue = newQueue({ configuration: { concurrency: inLine, ...configuration } })
    this.engine = new Engine(queue, silence)
    for (let number = 0; number < inLine + pending; number++) this.submit()
  }

  submit(): void {
    this.#last++
    for (const body of this.#before?.(this.#last) ?? []) this.send(body)
    this.send({ type: 'submitPullRequest', number: this.#last })
  }

  turn(): void {
    const [head] = this.engine.queue.line
    const phase = head === undefined ? undefined : this.engine.queue.groups[head]?.phase
    if (phase?.kind !== 'testing') throw new Error('the head of the line is not being tested')
    this.send({ type: 'finishTestRun', testRun: phase.run.id, outcome: 'passed' })
    this.submit()
  }

  send(body: CommandBody): void {
    this.#now++
    const command: Command = { ...body, at: this.#now }
    const outcome = this.engine.dispatch(command)
    if (!outcome.accepted) throw new Error(`${body.type} was refused: ${outcome.rejection.code}`)
  }
}
