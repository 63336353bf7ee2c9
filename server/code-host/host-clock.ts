/** The clock of a code host, as its answers tell it. */

import type { Millis } from '../../engine/index.ts'
import type { CodeHostApi } from './api.ts'

export class HostClock {
  /** What it is ahead of ours, by the last answer. */
  #aheadMs = 0

  /** Takes the header `Date` of an answer that was just received. */
  note(date: unknown): void {
    const at = Date.parse(String(date))
    if (!Number.isNaN(at)) this.#aheadMs = at - Date.now()
  }

  readonly now = (): Millis => Date.now() + this.#aheadMs
}

/** An instant of the queue, whose clock can be that of a database and not of this machine, on the clock of the host. */
export function onHostClock(
  at: Millis,
  { api, now }: { readonly api: Pick<CodeHostApi, 'now'>; readonly now: () => Millis },
): Millis {
  return at + api.now() - now()
}
