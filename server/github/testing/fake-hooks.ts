/** Sends the webhooks of the fake GitHub: once, twice, late and in the wrong order, or never. */

import { createHmac } from 'node:crypto'
import { eventsSince, nothingTold, toldOf, type Told } from './hook-events.ts'
import { faultsOfPayload, payloadOf, type HookEvent } from './hook-payloads.ts'
import type { FakeState } from './state.ts'

/** `late`: kept until `sendLate`. */
export type HookPlan = 'missing' | 'once' | 'twice' | 'late'

export const hookSecret = 'the secret of the webhooks of a test'

export class FakeHooks {
  plan: HookPlan = 'missing'
  /** Where they go; null while nobody listens. What is sent then is lost, as on GitHub. */
  target: () => string | null = () => null
  /** What does not fit the published schemas. */
  readonly #faults: string[]
  #told: Told = nothingTold
  readonly #late: HookEvent[] = []
  readonly #underWay = new Set<Promise<unknown>>()

  constructor(faults: string[]) {
    this.#faults = faults
  }

  /** Sends what is new, and what else has happened. */
  look(state: FakeState, others: readonly HookEvent[] = []): void {
    const events = [...eventsSince(this.#told, state), ...others]
    this.#told = toldOf(state)
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

  #start(event: HookEvent): void {
    const payload = payloadOf(event)
    this.#faults.push(...faultsOfPayload(event, payload))
    const sending = this.send(event.name, payload).catch(() => undefined)
    this.#underWay.add(sending)
    void sending.finally(() => this.#underWay.delete(sending))
  }

  /** Sends a signed payload, and returns the status of the answer; 0: nobody listens. */
  async send(event: string, payload: object, secret = hookSecret): Promise<number> {
    const target = this.target()
    if (target === null) return 0
    const body = JSON.stringify(payload)
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const headers = {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-hub-signature-256': `sha256=${signature}`,
    }
    return (await fetch(target, { method: 'POST', body, headers })).status
  }
}
