/** The time axis of a chart, and its ticks at round steps: 15 minutes, or 6 hours. */

import { duration } from '../../../server/terminal/text.ts'

const hour = 60
const day = 24 * hour

/** The steps between ticks, in minutes. */
export const timeSteps = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30],
  ...[1, 2, 3, 6, 12].map((hours) => hours * hour),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map((days) => days * day),
]

type TimeTick = { readonly minutes: number; readonly label: string }

/** Returns ticks from zero on, about `wanted` of them or fewer. */
export function timeTicks(untilMinutes: number, wanted: number): TimeTick[] {
  const step = timeSteps.find((each) => untilMinutes / each <= wanted) ?? untilMinutes / wanted
  const ticks: TimeTick[] = []
  for (let index = 0; index * step <= untilMinutes * 1.0001; index++) {
    const minutes = Math.round(index * step * 10) / 10
    ticks.push({ minutes, label: index === 0 ? '0' : duration(minutes) })
  }
  return ticks
}

/** Returns the ticks as an axis of a chart. */
export function timeAxis(
  untilMinutes: number,
  wanted: number,
): { readonly values: number[]; readonly labelExpr: string } {
  const ticks = timeTicks(untilMinutes, wanted)
  const labels = Object.fromEntries(ticks.map(({ minutes, label }) => [String(minutes), label]))
  return {
    values: ticks.map(({ minutes }) => minutes),
    labelExpr: `${JSON.stringify(labels)}[datum.value]`,
  }
}
