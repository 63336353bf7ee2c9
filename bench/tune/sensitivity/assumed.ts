/** The values and ranges of an assumption in words. */

import { several } from '../../../terminal/text.ts'
import { figure } from '../../statistics/text.ts'
import type { AssumedRange, SensitivityResult } from './results.ts'

/** Formats a value: `4 %`, `25 min`, `15 an hour`, `5 slots`. */
export function assumedValue(value: number, unit: string): string {
  if (unit === 'slots') return several(value, 'slot')
  return `${figure(value)} ${unit.startsWith('%') ? '%' : unit}`.trimEnd()
}

/** Today's value with its whole unit: `4 % of runs`. */
export function hereWords({ today, unit }: Pick<SensitivityResult, 'today' | 'unit'>): string {
  return unit.startsWith('%') ? `${figure(today)} ${unit}` : assumedValue(today, unit)
}

/** Formats a range: `up to 14 %`, `from 6 min`, `from 6 to 25 min`. */
export function rangeWords({ low, high }: AssumedRange, unit: string): string {
  if (low === null && high === null) return 'at any value tried'
  if (low === null) return `up to ${assumedValue(high ?? 0, unit)}`
  if (high === null) return `from ${assumedValue(low, unit)}`
  if (low === high) return `only at ${assumedValue(low, unit)}`
  return `from ${figure(low)} to ${assumedValue(high, unit)}`
}
