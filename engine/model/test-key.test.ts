import { expect, test } from 'vitest'
import { testKey } from './tests.ts'

test('the key of a test has its file, if the runner names one', () => {
  expect(testKey({ name: 'adds' })).toBe('adds')
  expect(testKey({ name: 'adds', file: '' })).toBe('adds')
  expect(testKey({ name: 'adds', file: 'sum.ts' })).toBe('sum.ts > adds')
})
