/** Figures with their intervals, as people read them. */

import type { Interval } from './interval.ts'

/** Three digits that count, and no more: `1,935`, `83`, `25.9`, `0.63`; the same in every locale. */
export function figure(value: number): string {
  const size = Math.abs(value)
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2
  const text = value.toFixed(digits)
  const rounded = digits > 0 ? text.replace(/\.?0+$/, '') : text
  const [whole = '', part] = (rounded === '-0' ? '0' : rounded).split('.')
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
  return part === undefined ? grouped : `${grouped}.${part}`
}

/** `83 ± 4`; a dash where there is nothing. */
export function plusMinus(interval: Interval | null): string {
  if (!interval) return '-'
  const half = (interval.high - interval.low) / 2
  return half === 0 ? figure(interval.mean) : `${figure(interval.mean)} ± ${figure(half)}`
}
