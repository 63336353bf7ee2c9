/** A bar for long work, on a terminal only. */

import type { Writable } from 'node:stream'
import cliProgress from 'cli-progress'
import { isTerminalStream } from './output.ts'

export type Bar = { advance(failures: number): void; stop(): void }

/** Of runs of which fewer may turn out to be needed than was thought. */
export type RunsBar = { advance(): void; expect(total: number): void; stop(): void }

const silent = { advance: () => undefined, stop: () => undefined }

/** For a known number of seeds. */
export function progressBar(to: Writable, name: string, total: number): Bar {
  if (!isTerminalStream(to)) return silent
  const bar = barOn(
    to,
    `${name}  {bar}  {value} of {total} seeds, {failures} failed, {eta_formatted} left`,
  )
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

/** For as many seeds as fit into a time. */
export function timeBar(to: Writable, name: string, forMs: number): Bar {
  if (!isTerminalStream(to)) return silent
  const bar = barOn(to, `${name}  {bar}  {seeds} seeds, {failures} failed, {left} s left`)
  const begun = performance.now()
  let [seeds, failures] = [0, 0]
  const shown = (elapsedMs: number): object => {
    return { seeds, failures, left: Math.ceil(Math.max(0, forMs - elapsedMs) / 1000) }
  }
  bar.start(forMs, 0, shown(0))
  return {
    advance: (more) => {
      seeds++
      failures += more
      const elapsedMs = performance.now() - begun
      bar.update(Math.min(forMs, elapsedMs), shown(elapsedMs))
    },
    stop: () => bar.stop(),
  }
}

export function runsBar(to: Writable, name: string, total: number): RunsBar {
  if (!isTerminalStream(to)) return { ...silent, expect: () => undefined }
  const bar = barOn(to, `${name}  {bar}  {value} of {total} runs, {eta_formatted} left`)
  bar.start(total, 0)
  return {
    advance: () => bar.increment(),
    expect: (expected) => bar.setTotal(expected),
    stop: () => bar.stop(),
  }
}

function barOn(stream: Writable, format: string): cliProgress.SingleBar {
  return new cliProgress.SingleBar({ stream, format, hideCursor: true, clearOnComplete: true })
}
