/** A bar for the benchmarks, on a terminal only. */

import type { Writable } from 'node:stream'
import cliProgress from 'cli-progress'
import { isTerminalStream } from '../../sim/command-line/output.ts'

export type Bar = {
  /** What is being done now. */
  tell(doing: string): void
  /** A benchmark is done. */
  advance(): void
  /** Clears the line, so that something else can be written; `advance` brings the bar back. */
  stop(): void
}

const silent: Bar = { tell: () => undefined, advance: () => undefined, stop: () => undefined }

export function progressBar(to: Writable, total: number): Bar {
  if (!isTerminalStream(to)) return silent
  const bar = new cliProgress.SingleBar({
    stream: to,
    format: '{bar}  {value} of {total} benchmarks, {doing}',
    hideCursor: true,
    clearOnComplete: true,
    barsize: 20,
  })
  let [done, doing] = [0, 'starting']
  const show = (): void => {
    if (!bar.isActive) bar.start(total, done, { doing })
    bar.update(done, { doing })
  }
  show()
  return {
    tell: (next) => {
      doing = next
      show()
    },
    advance: () => void done++,
    stop: () => bar.stop(),
  }
}
