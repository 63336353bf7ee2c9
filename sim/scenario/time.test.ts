import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toMillis, toMinutes } from './time.ts'

test('minutes become whole milliseconds', () => {
  expect(toMillis(0.5)).toBe(30_000)
  expect(toMillis(1 / 3)).toBe(20_000)
  expect(toMinutes(90_000)).toBe(1.5)
})

test('whole milliseconds survive the conversion to minutes and back', () => {
  fc.assert(
    fc.property(fc.nat(4_000_000_000_000), (ms) => {
      expect(toMillis(toMinutes(ms))).toBe(ms)
    }),
  )
})
