/** The progress bar of the benchmarks. It appears only on a terminal. */

import type { Writable } from 'node:stream'
import cliProgress from 'cli-progress'
import { isTerminalStream } from '../../../sim/terminal/output.ts'

export type BenchProgress = {
  /** Shows the current step. */
  describe(step: string): void
  /** Counts a finished benchmark. */
  advance(): void
  /** Clears the line for other output. The next `describe` shows the bar again. */
  stop(): void
}

const silent: BenchProgress = {
  describe: () => undefined,
  advance: () => undefined,
  stop: () => undefined,
}

export function progressBar(to: Writable, total: number): BenchProgress {
  if (!isTerminalStream(to)) return silent
  const bar = new cliProgress.SingleBar({
    stream: to,
    format: '{bar}  {value} of {total} benchmarks, {step}',
    hideCursor: true,
    clearOnComplete: true,
    barsize: 20,
  })
  let [done, step] = [0, 'starting']
  const show = (): void => {
    if (!bar.isActive) bar.start(total, done, { step })
    bar.update(done, { step })
  }
  show()
  return {
    describe: (next) => {
      step = next
      show()
    },
    advance: () => void done++,
    stop: () => bar.stop(),
  }
}
