/**
 * The engine as a simulation drives it: its exceptions are findings, what it tells the ports is
 * delivered once everybody has heard of the command, and it may die on the way and be rebuilt.
 */

import {
  parts as shippedParts,
  Engine,
  type CodeHost,
  type Command,
  type Outcome,
  type Parts,
  type Ports,
  type QueueView,
} from '../engine/index.ts'
import type { BuiltInChecks } from './built-in-checks.ts'
import { CrashRecord, type Death } from './crashes.ts'
import { newQueueOf } from './new-queue.ts'
import { Outbox } from './outbox.ts'
import type { Scenario } from './scenario/scenario.ts'

type Equipment = {
  readonly ports: Ports & { readonly codeHost: CodeHost }
  readonly parts: Parts | undefined
  readonly checks: BuiltInChecks
}

export class EngineUnderTest {
  readonly #parts: Parts
  readonly #checks: BuiltInChecks
  readonly #outbox: Outbox
  readonly #crashes: CrashRecord | null
  #engine: Engine
  #hasThrown = false
  /** Accepted commands, and the events they made. */
  #commands = 0
  #events = 0

  constructor(scenario: Scenario, { ports, parts = shippedParts, checks }: Equipment) {
    this.#parts = parts
    this.#checks = checks
    this.#outbox = new Outbox(ports)
    this.#engine = new Engine(newQueueOf(scenario), this.#outbox.ports, parts)
    this.#crashes = (scenario.faults?.crashRate ?? 0) > 0 ? new CrashRecord(this.#engine) : null
  }

  get queue(): QueueView {
    return this.#engine.queue
  }

  get commands(): number {
    return this.#commands
  }

  get events(): number {
    return this.#events
  }

  /** Its state can't be trusted any more. */
  get hasThrown(): boolean {
    return this.#hasThrown
  }

  /** Null when it threw. The ports hear of an accepted command when `deliver` is called. */
  dispatch(command: Command): Outcome | null {
    const outcome = this.#guarded(() => this.#engine.dispatch(command))
    if (!outcome?.accepted) return outcome
    this.#commands++
    this.#events += outcome.events.length
    this.#checks.hold('engine')
    this.#crashes?.note(command, this.#engine)
    return outcome
  }

  /** Lets the ports hear what the last command told them; with a death, from an engine rebuilt. */
  deliver(death: Death | null): void {
    if (death === 'unheard') this.#outbox.drop()
    this.#outbox.deliver()
    if (death !== null && this.#crashes) this.#rebuild(this.#crashes)
  }

  #rebuild(crashes: CrashRecord): void {
    const rebuilt = this.#guarded(() =>
      crashes.rebuild(this.#engine, this.#outbox.ports, this.#parts),
    )
    if (!rebuilt) return
    this.#engine = rebuilt.engine
    this.#engine.resume()
    this.#outbox.deliver()
    if (rebuilt.isSame) this.#checks.hold('rebuild')
    else this.#violate('rebuild', `After command ${this.#commands} the rebuilt engine differs.`)
  }

  /** An exception of the engine is a finding. */
  #guarded<T>(work: () => T): T | null {
    try {
      return work()
    } catch (error) {
      this.#hasThrown = true
      const reason = error instanceof Error ? error.message : String(error)
      this.#violate('engine', `The engine threw: ${reason}.`)
      return null
    }
  }

  #violate(check: 'engine' | 'rebuild', story: string): void {
    const at = this.#engine.queue.now
    this.#checks.violate(check, { at, sequence: this.#events, story, pullRequests: [] })
  }
}
