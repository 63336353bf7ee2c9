/** A bar for long work, on a terminal only. */

import type { Writable } from 'node:stream'
import cliProgress from 'cli-progress'
import { isTerminalStream } from './output.ts'

export type Bar = { advance(failures: number): void; stop(): void }

/** Of runs of which fewer may turn out to be needed than was thought. */
export type RunsBar = { advance(): void; expect(total: number): void; stop(): void }

const silent = { advance: () => undefined, stop: () => undefined }

export function progressBar(to: Writable, name: string, total: number): Bar {
  if (!isTerminalStream(to)) return silent
  const bar = barOf(to, `${name}  {bar}  {value} of {total} seeds, {failures} failed`)
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

export function runsBar(to: Writable, name: string, total: number): RunsBar {
  if (!isTerminalStream(to)) return { ...silent, expect: () => undefined }
  const bar = barOf(to, `${name}  {bar}  {value} of {total} runs`)
  bar.start(total, 0)
  return {
    advance: () => bar.increment(),
    expect: (expected) => bar.setTotal(expected),
    stop: () => bar.stop(),
  }
}

function barOf(stream: Writable, format: string): cliProgress.SingleBar {
  return new cliProgress.SingleBar({
    stream,
    format: `${format}, {eta_formatted} left`,
    hideCursor: true,
    clearOnComplete: true,
  })
}
