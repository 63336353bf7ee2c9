/** Progress bars of campaigns. They are shown only on a terminal. */

import type { Writable } from 'node:stream'
import cliProgress from 'cli-progress'
import { isTerminalStream, rawOf } from '../../terminal/output.ts'
import { oneLine } from '../../terminal/visible.ts'

export type ProgressBar = { advance(failures: number): void; stop(): void }

/** A bar whose total may change while the runs are in progress. */
export type RunsBar = { advance(): void; expect(total: number): void; stop(): void }

/** The name that a bar shows, which may say more from update to update. */
export type BarName = () => string

const silent = { advance: () => undefined, stop: () => undefined }

/** A bar for a known number of seeds. */
export function progressBar(to: Writable, name: BarName, total: number): ProgressBar {
  if (!isTerminalStream(to)) return silent
  const bar = barOn(
    to,
    '{name}  {bar}  {value} of {total} seeds, {failures} failed, {eta_formatted} left',
  )
  let failures = 0
  bar.start(total, 0, { name: oneLine(name()), failures })
  return {
    advance: (more) => {
      failures += more
      bar.increment(1, { name: oneLine(name()), failures })
    },
    stop: () => bar.stop(),
  }
}

/** A bar for as many seeds as fit into `forMs`. */
export function timeBar(to: Writable, name: BarName, forMs: number): ProgressBar {
  if (!isTerminalStream(to)) return silent
  const bar = barOn(to, '{name}  {bar}  {seeds} seeds, {failures} failed, {left} s left')
  const startedAt = performance.now()
  let [seeds, failures] = [0, 0]
  const shown = (elapsedMs: number): object => {
    return {
      name: oneLine(name()),
      seeds,
      failures,
      left: Math.ceil(Math.max(0, forMs - elapsedMs) / 1000),
    }
  }
  bar.start(forMs, 0, shown(0))
  return {
    advance: (more) => {
      seeds++
      failures += more
      const elapsedMs = performance.now() - startedAt
      bar.update(Math.min(forMs, elapsedMs), shown(elapsedMs))
    },
    stop: () => bar.stop(),
  }
}

/** A bar for an unknown number of seeds. */
export function endlessBar(to: Writable, name: BarName): ProgressBar {
  if (!isTerminalStream(to)) return silent
  const bar = barOn(to, '{name}  {seeds} seeds, {failures} failed, {duration_formatted}')
  let [seeds, failures] = [0, 0]
  bar.start(1, 0, { name: oneLine(name()), seeds, failures })
  return {
    advance: (more) => {
      seeds++
      failures += more
      bar.update(0, { name: oneLine(name()), seeds, failures })
    },
    stop: () => bar.stop(),
  }
}

export function runsBar(to: Writable, name: BarName, total: number): RunsBar {
  if (!isTerminalStream(to)) return { ...silent, expect: () => undefined }
  const bar = barOn(to, '{name}  {bar}  {value} of {total} runs, {eta_formatted} left')
  bar.start(total, 0, { name: oneLine(name()) })
  return {
    advance: () => bar.increment(1, { name: oneLine(name()) }),
    expect: (expected) => bar.setTotal(expected),
    stop: () => bar.stop(),
  }
}

function barOn(to: Writable, format: string): cliProgress.SingleBar {
  const stream = rawOf(to)
  return new cliProgress.SingleBar({ stream, format, hideCursor: true, clearOnComplete: true })
}
