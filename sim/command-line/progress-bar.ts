/** A bar for long work, on a terminal only. */

import type { Writable } from 'node:stream'
import cliProgress from 'cli-progress'
import { isTerminalStream } from './output.ts'

export type Bar = { advance(failures: number): void; stop(): void }

const silent: Bar = { advance: () => undefined, stop: () => undefined }

export function progressBar(to: Writable, name: string, total: number): Bar {
  if (!isTerminalStream(to)) return silent
  const bar = new cliProgress.SingleBar({
    stream: to,
    format: `${name}  {bar}  {value} of {total} seeds, {failures} failed, {eta_formatted} left`,
    hideCursor: true,
    clearOnComplete: true,
  })
  let failures = 0
  bar.start(total, 0, { failures })
  return {
    advance: (more) => {
      failures += more
      bar.increment(1, { failures })
    },
    stop: () => bar.stop(),
  }
}
