/** Arrival times of generated pull requests. */

import type { Millis } from '../../engine/index.ts'
import type { Draw } from '../random/draw.ts'
import { firstGeneratedNumber, type Arrivals } from '../scenario/scenario.ts'
import { toMillis } from '../scenario/time.ts'

const hourMs: Millis = toMillis(60)

/** Yields the instants of arrivals in order, without end. */
export function* arrivalTimes(arrivals: Arrivals, draw: Draw): Generator<Millis, never> {
  let at: Millis = 0
  for (let index = 0; ; index++) {
    at = nextTime(arrivals, draw, { index, at })
    yield at
  }
}

type LastArrival = { readonly index: number; readonly at: Millis }

function nextTime(arrivals: Arrivals, draw: Draw, { index, at }: LastArrival): Millis {
  if ('everyMinutes' in arrivals) return toMillis(index * arrivals.everyMinutes)
  if ('bursts' in arrivals) {
    const { size, everyMinutes } = arrivals.bursts
    return toMillis(Math.floor(index / size) * everyMinutes)
  }
  const number = firstGeneratedNumber + index
  const { perHour } = arrivals
  if (typeof perHour === 'number') {
    return at + draw.exponentialMs('arrivals', number, hourMs / perHour)
  }
  return afterWork(at, draw.exponentialMs('arrivals', number, hourMs), perHour)
}

/**
 * Returns the next instant of Poisson arrivals whose rate changes by the hour. `work` is the time
 * to the next arrival, drawn for a rate of one per hour. The arrival is when the rate, summed over
 * the time since `start`, reaches `work`.
 */
function afterWork(start: Millis, work: Millis, byHour: readonly number[]): Millis {
  let at = start
  let left = work
  for (;;) {
    const hour = Math.floor(at / hourMs)
    const rate = byHour[hour % byHour.length] ?? 0
    const untilNext = (hour + 1) * hourMs - at
    if (left <= rate * untilNext) return at + Math.round(rate === 0 ? 0 : left / rate)
    left -= rate * untilNext
    at += untilNext
  }
}
