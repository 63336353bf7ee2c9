import { expect, test } from 'vitest'
import type { EffectResult } from './verdict.ts'
import { changeWords } from './sentences.ts'

const seeds = 40
const size = (mean: number, low: number, high: number): EffectResult['size'] => ({
  kind: 'interval',
  ...{ mean, low, high, seeds },
})

test('a ratio is a percentage, a difference has the unit of its figure', () => {
  const verdict = { kind: 'do' } as const
  expect(changeWords('p95', { measure: 'ratio', size: size(0.55, 0.51, 0.6), verdict })).toBe(
    '45 % less (40 to 49)',
  )
  expect(changeWords('evicted', { measure: 'difference', size: size(3.2, 2, 4), verdict })).toBe(
    '3.2 more (2 to 4)',
  )
  expect(changeWords('broken', { measure: 'difference', size: size(-6, -8, -4), verdict })).toBe(
    '6 min less (4 to 8)',
  )
})

test('an effect that may be none, or is too small to matter, says so', () => {
  const open = { kind: 'cannot tell', moreSeeds: 20 } as const
  expect(changeWords('p95', { measure: 'ratio', size: size(0.95, 0.8, 1.1), verdict: open })).toBe(
    'cannot tell: 5 % less (20 less to 10 more)',
  )
  const none = { kind: 'no difference' } as const
  expect(
    changeWords('p95', { measure: 'ratio', size: size(0.95, 0.92, 0.98), verdict: none }),
  ).toBe('no difference: 5 % less (2 to 8)')
  const same = { kind: 'always', value: 1, seeds } as const
  expect(changeWords('p95', { measure: 'ratio', size: same, verdict: none })).toBe('the same')
  expect(changeWords('p95', null)).toBe('nothing landed')
})
