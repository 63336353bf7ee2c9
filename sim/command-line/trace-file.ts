/** `--trace`: every command, event and effect, a JSON line each. */

import { closeSync, openSync, writeSync } from 'node:fs'
import type { Event } from '../../engine/index.ts'
import { BadInput } from '../scenario/bad-input.ts'

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
    try {
      this.#file = openSync(path, 'w')
    } catch (error) {
      const came = error instanceof Error && 'code' in error ? String(error.code) : String(error)
      const fault = { where: '--trace', expected: 'a file that can be written', came }
      throw new BadInput(path, [fault])
    }
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
