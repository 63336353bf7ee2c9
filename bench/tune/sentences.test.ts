import { expect, test } from 'vitest'
import { changeWords } from './sentences.ts'

test('a change of a figure is more, less, the same or undecided', () => {
  const pairs = 10
  expect(
    changeWords('p95', { kind: 'interval', mean: -6.4, low: -8, high: -4, seeds: pairs }),
  ).toBe('6.4 min less (4 to 8)')
  expect(
    changeWords('runs', { kind: 'interval', mean: 0.4, low: 0.3, high: 0.5, seeds: pairs }),
  ).toBe('0.4 more (0.3 to 0.5)')
  expect(
    changeWords('p95', { kind: 'interval', mean: -6.4, low: -18.8, high: 6, seeds: pairs }),
  ).toBe('undecided: -6.4 min (-18.8 to 6)')
  expect(changeWords('broken', { kind: 'interval', mean: 0, low: 0, high: 0, seeds: pairs })).toBe(
    'the same',
  )
  expect(changeWords('p95', null)).toBe('no merge')
})
