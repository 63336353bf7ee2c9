/**
 * Keeps the calls of the engine to its ports until the command is done. If the engine crashes
 * before that, the calls are dropped and no port receives them.
 */

import type { Clock, CodeHost, Ports, TestRunner } from '../../engine/index.ts'

export class Outbox {
  readonly ports: Ports
  #deliveries: (() => void)[] = []

  constructor({ clock, testRunner, codeHost }: Ports & { readonly codeHost: CodeHost }) {
    const post = (delivery: () => void): void => {
      this.#deliveries.push(delivery)
    }
    const postedClock: Clock = { wakeAt: (instant) => post(() => clock.wakeAt(instant)) }
    const postedRunner: TestRunner = {
      start: (run) => post(() => testRunner.start(run)),
      cancel: (testRun) => post(() => testRunner.cancel(testRun)),
    }
    const postedHost: CodeHost = { merge: (numbers) => post(() => codeHost.merge(numbers)) }
    this.ports = { clock: postedClock, testRunner: postedRunner, codeHost: postedHost }
  }

  deliver(): void {
    const deliveries = this.#deliveries
    this.#deliveries = []
    for (const delivery of deliveries) delivery()
  }

  drop(): void {
    this.#deliveries = []
  }
}
