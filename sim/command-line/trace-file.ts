/** `--trace`: every command, event and effect, a JSON line each. */

import { closeSync, openSync, writeSync } from 'node:fs'
import type { Event } from '../../engine/index.ts'
import { writable } from './report-files.ts'

/** What a port is told because of an event; events are instructions at the same time. */
function effectOf(event: Event): object | null {
  if (event.type === 'testRunStarted') {
    return { port: 'testRunner', do: 'start', testRun: event.run.id }
  }
  const isGivenUp = event.type === 'testRunFinished' && event.outcome === 'timed_out'
  if (event.type === 'testRunCancelled' || isGivenUp) {
    return { port: 'testRunner', do: 'cancel', testRun: event.testRun }
  }
  if (event.type === 'mergeRequested') {
    return { port: 'codeHost', do: 'merge', number: event.number }
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

  /** Takes the lines of the trace, and writes each effect behind the event that brought it about. */
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
