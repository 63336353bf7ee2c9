/**
 * The server's clock, which may differ from the reader's: each frame tells it. Between frames it runs
 * on by the time that passes here.
 */

import { signal } from '@preact/signals'

/** In milliseconds; changes once a second. Only what shows a time may read it. */
export const serverNow = signal(Date.now())

let told = { server: Date.now(), here: performance.now() }

export function setServerClock(instant: string): void {
  told = { server: Date.parse(instant), here: performance.now() }
  serverNow.value = told.server
}

export function startClock(): void {
  setInterval(() => {
    if (!document.hidden) serverNow.value = told.server + performance.now() - told.here
  }, 1000)
}
