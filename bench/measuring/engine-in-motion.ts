/**
 * An engine in a steady state: the lengths of the line and of the pending list stay the same. In
 * each turn the head of the line passes and merges, the next pull request starts, and a new one is
 * submitted.
 */

import {
  Engine,
  newQueue,
  type Command,
  type CommandBody,
  type NewQueue,
} from '../../engine/index.ts'

type MotionOptions = {
  readonly inLine: number
  readonly pending: number
  readonly configuration?: NewQueue['configuration']
  /** Commands to send before a pull request is submitted. */
  readonly before?: (number: number) => readonly CommandBody[]
}

/** The number of commands in a turn. */
export const commandsPerTurn = 2

/** Ports that do nothing. */
export const noOpPorts = {
  clock: { wakeAt: () => undefined },
  testRunner: { start: () => undefined, cancel: () => undefined },
}

export class EngineInMotion {
  readonly engine: Engine
  readonly #before: MotionOptions['before']
  #now = 0
  #last = 0

  constructor({ inLine, pending, configuration, before }: MotionOptions) {
    this.#before = before
    const queue = newQueue({ configuration: { concurrency: inLine, ...configuration } })
    this.engine = new Engine(queue, noOpPorts)
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
    if (!outcome.accepted) throw new Error(`${body.type} was rejected: ${outcome.rejection.code}`)
  }
}
