/**
 * What the engine tells the ports, kept until its command is done. An engine that dies before
 * that was never heard.
 */

import type { Clock, CodeHost, Ports, TestRunner } from '../engine/index.ts'

export class Outbox {
  readonly ports: Ports
  #letters: (() => void)[] = []

  constructor({ clock, testRunner, codeHost }: Ports & { readonly codeHost: CodeHost }) {
    const post = (letter: () => void): void => {
      this.#letters.push(letter)
    }
    const postedClock: Clock = { wakeAt: (instant) => post(() => clock.wakeAt(instant)) }
    const postedRunner: TestRunner = {
      start: (run) => post(() => testRunner.start(run)),
      cancel: (testRun) => post(() => testRunner.cancel(testRun)),
    }
    const postedHost: CodeHost = { merge: (number) => post(() => codeHost.merge(number)) }
    this.ports = { clock: postedClock, testRunner: postedRunner, codeHost: postedHost }
  }

  deliver(): void {
    const letters = this.#letters
    this.#letters = []
    for (const letter of letters) letter()
  }

  drop(): void {
    this.#letters = []
  }
}
