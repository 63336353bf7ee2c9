/** Sends the webhooks of a fake host: once, twice, late and in the wrong order, or never. */

import {
  type FakeDialect,
  type Webhook,
  happeningsSince,
  nothingDelivered,
  deliveredOf,
  type Happening,
  type Delivered,
} from './dialect.ts'
import type { FakeState } from './state.ts'

/** `late`: kept until `sendLate`. */
export type HookPlan = 'missing' | 'once' | 'twice' | 'late'

export const hookSecret = 'the secret of the webhooks of a test'

export class FakeHooks {
  plan: HookPlan = 'missing'
  /** Where they go; null while nobody listens. What is sent then is lost. */
  target: () => string | null = () => null
  /** What does not fit the published schemas. */
  readonly #faults: string[]
  #delivered: Delivered = nothingDelivered
  readonly #dialect: FakeDialect
  readonly #late: Webhook[] = []
  readonly #underWay = new Set<Promise<unknown>>()

  constructor(dialect: FakeDialect, faults: string[]) {
    this.#dialect = dialect
    this.#faults = faults
  }

  /** Sends what is new, and what else has happened. */
  look(state: FakeState, others: readonly Happening[] = []): void {
    const happenings = [...happeningsSince(this.#delivered, state), ...others]
    const events = happenings.flatMap((each) => this.#dialect.webhookOf(each, state) ?? [])
    this.#delivered = deliveredOf(state)
    if (this.plan === 'missing') return
    if (this.plan === 'late') this.#late.push(...events)
    const times = { late: 0, once: 1, twice: 2 }[this.plan]
    for (const event of events) {
      for (let count = 0; count < times; count++) this.#start(event)
    }
  }

  /** Sends what was kept, the last one first. */
  async sendLate(): Promise<void> {
    for (const event of this.#late.splice(0).reverse()) this.#start(event)
    await this.settled()
  }

  /** Settles when every webhook has its answer. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay)
  }

  #start({ name, payload, faults }: Webhook): void {
    this.#faults.push(...faults)
    const sending = this.send(name, payload).catch(() => undefined)
    this.#underWay.add(sending)
    void sending.finally(() => this.#underWay.delete(sending))
  }

  /** Sends a signed payload, and returns the status of the answer; 0: nobody listens. */
  async send(event: string, payload: object, secret = hookSecret): Promise<number> {
    const target = this.target()
    if (target === null) return 0
    const body = JSON.stringify(payload)
    const proof = this.#dialect.headersOf(event, body, secret)
    const headers = { 'content-type': 'application/json', ...proof }
    return (await fetch(target, { method: 'POST', body, headers })).status
  }
}
