/** Progress bars. They are shown only on a terminal. */

import type { Writable } from 'node:stream'
import cliProgress from 'cli-progress'
import { isTerminalStream, rawOf } from '../../server/terminal/output.ts'
import { oneLine } from '../../server/terminal/text.ts'

/** Does work under a bar, which is gone at the end, however that is. */
export async function under<Bar extends { stop(): void }, Result>(
  bar: Bar,
  work: (bar: Bar) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(bar)
  } finally {
    bar.stop()
  }
}

export type ProgressBar = { advance(failures: number): void; stop(): void }

/** The name that a bar shows, which may say more from update to update. */
export type BarName = () => string

/** Null if `to` is no terminal. */
function barOn(
  to: Writable,
  format: string,
  total: number,
  shown: object,
): cliProgress.SingleBar | null {
  if (!isTerminalStream(to)) return null
  const stream = rawOf(to)
  const options = { stream, format, hideCursor: true, clearOnComplete: true }
  const bar = new cliProgress.SingleBar(options)
  bar.start(total, 0, shown)
  return bar
}

/** How long a campaign runs: for a time, for a number of seeds, or (both null) until it is stopped. */
export type Extent = { readonly forMs: number | null; readonly seeds: number | null }

export function campaignBar(to: Writable, name: BarName, { forMs, seeds }: Extent): ProgressBar {
  const startedAt = performance.now()
  let [done, failures] = [0, 0]
  const shown = (elapsedMs: number): object => {
    const left = Math.ceil(Math.max(0, (forMs ?? 0) - elapsedMs) / 1000)
    return { name: oneLine(name()), done, failures, left }
  }
  const bar = barOn(to, formatOf({ forMs, seeds }), forMs ?? seeds ?? 1, shown(0))
  return {
    advance: (more) => {
      done++
      failures += more
      const elapsedMs = performance.now() - startedAt
      const value = forMs === null ? (seeds === null ? 0 : done) : Math.min(forMs, elapsedMs)
      bar?.update(value, shown(elapsedMs))
    },
    stop: () => bar?.stop(),
  }
}

function formatOf({ forMs, seeds }: Extent): string {
  if (forMs !== null) return '{name}  {bar}  {done} seeds, {failures} failed, {left} s left'
  if (seeds === null) return '{name}  {done} seeds, {failures} failed, {duration_formatted}'
  return '{name}  {bar}  {value} of {total} seeds, {failures} failed, {eta_formatted} left'
}

/** A bar whose total may change while the runs are in progress. */
export type RunsBar = { advance(): void; expect(total: number): void; stop(): void }

export function runsBar(to: Writable, name: BarName, total: number): RunsBar {
  const shown = (): object => ({ name: oneLine(name()) })
  const format = '{name}  {bar}  {value} of {total} runs, {eta_formatted} left'
  const bar = barOn(to, format, total, shown())
  return {
    advance: () => bar?.increment(1, shown()),
    expect: (expected) => bar?.setTotal(expected),
    stop: () => bar?.stop(),
  }
}

export type WorkBar = {
  /** Sets the amount of finished work; `note` is shown next to it. */
  update(done: number, note: string): void
  stop(): void
}

/** A bar for `total` pieces of work, which are called `unit`. */
export function workBar(to: Writable, name: string, total: number, unit: string): WorkBar {
  const format = `${oneLine(name)}  {bar}  {value} of {total} ${unit}  {note}`
  const bar = barOn(to, format, total, { note: '' })
  return {
    update: (done, note) => bar?.update(done, { note: oneLine(note) }),
    stop: () => bar?.stop(),
  }
}
