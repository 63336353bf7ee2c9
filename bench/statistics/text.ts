/** Formats figures and their intervals as text. */

import type { Interval } from './interval.ts'

/** Formats with about three digits: `1,935`, `83`, `25.9`, `0.63`. Independent of the locale. */
export function figure(value: number): string {
  const size = Math.abs(value)
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2
  const text = value.toFixed(digits)
  const rounded = digits > 0 ? text.replace(/\.?0+$/, '') : text
  const [whole = '', part] = (rounded === '-0' ? '0' : rounded).split('.')
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
  return part === undefined ? grouped : `${grouped}.${part}`
}

/** Formats as `83 ± 4`. Returns `-` for null. */
export function plusMinus(interval: Interval | null): string {
  if (!interval) return '-'
  const half = (interval.high - interval.low) / 2
  return half === 0 ? figure(interval.mean) : `${figure(interval.mean)} ± ${figure(half)}`
}
