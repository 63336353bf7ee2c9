/** `--trace`: writes every command, event and effect as a line of JSON. */

import { closeSync, openSync, writeSync } from 'node:fs'
import type { Event } from '../../engine/index.ts'
import { writable } from './report-files.ts'

/** Returns the call of a port that an event causes; null if it causes none. */
function effectOf(event: Event): object | null {
  if (event.type === 'testRunStarted') {
    return { port: 'testRunner', do: 'start', testRun: event.run.id }
  }
  const isTimedOut = event.type === 'testRunFinished' && event.outcome === 'timed_out'
  if (event.type === 'testRunCancelled' || isTimedOut) {
    return { port: 'testRunner', do: 'cancel', testRun: event.testRun }
  }
  if (event.type === 'mergeRequested') {
    const { number, numbers } = event
    return { port: 'codeHost', do: 'merge', number, ...(numbers ? { numbers } : {}) }
  }
  if (event.type === 'wakeScheduled') {
    return { port: 'clock', do: 'wakeAt', instant: event.wakeAt }
  }
  return null
}

export class TraceFile {
  readonly #file: number

  constructor(path: string) {
    const wanted = { where: '--trace', expected: 'a file that can be written' }
    this.#file = writable(path, wanted, () => openSync(path, 'w'))
  }

  /** Writes lines of the trace, and each effect after the event that causes it. */
  readonly add = (lines: string): void => {
    for (const line of lines.split('\n')) {
      if (line === '') continue
      writeSync(this.#file, `${line}\n`)
      const parsed: { readonly event?: Event } = JSON.parse(line)
      const effect = parsed.event ? effectOf(parsed.event) : null
      if (effect) writeSync(this.#file, `${JSON.stringify({ effect })}\n`)
    }
  }

  close(): void {
    closeSync(this.#file)
  }
}
