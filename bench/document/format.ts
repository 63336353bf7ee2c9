/** Formats figures as text. */

import type { Figure, Target, Unit } from '../measuring/measurement.ts'
import type { Spread } from '../measuring/spread.ts'
import { count } from '../../sim/terminal/text.ts'

const steps: Readonly<Record<'ns' | 'bytes', readonly (readonly [number, string])[]>> = {
  ns: [
    [1e9, 's'],
    [1e6, 'ms'],
    [1e3, 'µs'],
    [1, 'ns'],
  ],
  bytes: [
    [2 ** 30, 'GiB'],
    [2 ** 20, 'MiB'],
    [2 ** 10, 'KiB'],
    [1, 'B'],
  ],
}

/**
 * Formats a number with its unit: `12.3 µs`, `384 MiB`, `8,745 per second`, `1.04 times`, `91 %`.
 */
export function inWords(value: number, unit: Unit): string {
  switch (unit) {
    case 'ns':
    case 'bytes': {
      const [size, name] = stepFor(value, unit)
      return `${digits(value / size)} ${name}`
    }
    case 'per second':
      return `${count(Math.round(value))} per second`
    case 'requests':
      return `${count(Math.round(value))} requests`
    case 'times':
      return `${digits(value)} times`
    case 'share':
      return `${digits(100 * value)} %`
  }
}

/**
 * Formats a range as `11.2 to 14.0`, in the unit of the median. Empty for fewer than two samples.
 */
export function spreadInWords({ low, high, median, samples }: Spread, unit: Unit): string {
  if (samples < 2) return ''
  if (unit === 'per second') return `${count(Math.round(low))} to ${count(Math.round(high))}`
  const size = unit === 'ns' || unit === 'bytes' ? stepFor(median, unit)[0] : 1
  const factor = unit === 'share' ? 100 : 1 / size
  return `${digits(low * factor)} to ${digits(high * factor)}`
}

/** Formats a ratio as `3.1 x command, 1 in the line`. Empty for a figure without a ratio. */
export function ratioInWords({ ratio }: Figure): string {
  return ratio ? `${digits(ratio.value.median)} x ${ratio.to}` : ''
}

/** Formats a bound as `at most 40 times`. */
export function boundInWords({ bound, unit }: Target): string {
  return `${bound.kind} ${inWords(bound.value, unit)}`
}

/** Formats a number with about three digits. */
export function digits(value: number): string {
  const size = Math.abs(value)
  if (size >= 1000) return count(Math.round(value))
  const decimals = size >= 100 || Number.isInteger(value) ? 0 : size >= 10 ? 1 : 2
  return value.toFixed(decimals)
}

function stepFor(value: number, unit: 'ns' | 'bytes'): readonly [number, string] {
  const found = steps[unit].find(([size]) => Math.abs(value) >= size)
  return found ?? [1, unit === 'ns' ? 'ns' : 'B']
}
