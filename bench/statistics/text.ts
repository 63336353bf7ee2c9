/** Formats figures and their intervals as text. */

import { several } from '../../server/terminal/text.ts'
import type { Interval } from '../../sim/statistics/interval.ts'
import type { EffectVerdict } from './least-effect.ts'

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

/** Explains the cells of a table. */
export const intervalsAbout =
  'Means, and in brackets their 95 % confidence intervals; for fewer than 10 seeds the range seen instead.'

/**
 * Formats for a table whose head gives the seeds: as `155 (122 to 190)`; as `98 to 214` where the
 * seeds are too few for an interval; as `always 1.76` where every seed gave the same; as `-` for
 * null.
 */
export function cellText(interval: Interval | null): string {
  switch (interval?.kind) {
    case undefined:
      return '-'
    case 'always':
      return `always ${figure(interval.value)}`
    case 'seen': {
      const { mean, least, most, seeds } = interval
      return seeds === 1 ? figure(mean) : `${figure(least)} to ${figure(most)}`
    }
    case 'interval': {
      const { mean, low, high } = interval
      return `${figure(mean)} (${figure(low)} to ${figure(high)})`
    }
  }
}

/** Formats a verdict on an effect: `cannot tell; about 40 more seeds would`. */
export function verdictText(verdict: EffectVerdict): string {
  switch (verdict.kind) {
    case 'no difference':
      return 'makes no difference'
    case 'cannot tell':
      return verdict.moreSeeds === null
        ? 'cannot tell'
        : `cannot tell; about ${several(verdict.moreSeeds, 'more seed')} would`
    case 'do':
    case 'do not':
      return verdict.kind
  }
}
