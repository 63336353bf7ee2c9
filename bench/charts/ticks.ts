/** Round numbers for the ticks of logarithmic axes. */

import { count } from '../../terminal/text.ts'

/** Formats a tick: `0.5`, `500`, `20 k`, `1 M`. */
export function shortCount(tick: number): string {
  if (tick >= 1e6) return `${count(tick / 1e6)} M`
  if (tick >= 1e4) return `${count(tick / 1e3)} k`
  return tick < 1 ? String(tick) : count(tick)
}

/** The possible series of round numbers, from the densest to the sparsest. */
const decimalSteps = [
  { base: 10, within: [1, 2, 5] },
  { base: 10, within: [1] },
  { base: 100, within: [1] },
]
const binarySteps = [
  { base: 2, within: [1] },
  { base: 4, within: [1] },
  { base: 16, within: [1] },
]

/**
 * Returns ticks that enclose all values: at least two, and at most `wanted` if a series allows it.
 * `by` chooses round numbers in powers of ten or of two.
 */
export function factorTicks(
  values: readonly number[],
  by: 'tens' | 'twos',
  wanted: number,
): number[] {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const found = (by === 'twos' ? binarySteps : decimalSteps).map(({ base, within }) => {
    const powerBelow = (value: number): number => Math.floor(Math.log(value) / Math.log(base))
    const all: number[] = []
    for (let power = powerBelow(least) - 1; power <= powerBelow(most) + 1; power++) {
      all.push(...within.map((step) => Number((step * base ** power).toPrecision(15))))
    }
    const first = all.findLastIndex((tick) => tick <= least)
    const last = all.findIndex((tick) => tick >= most)
    return all.slice(first, Math.max(last, first + 1) + 1)
  })
  return found.find((ticks) => ticks.length <= wanted) ?? found.at(-1) ?? []
}
