import { expect, test } from 'vitest'
import { runNumber } from './shown-text.ts'

test('a run has the number at the end of its id, without the epoch before it', () => {
  expect(runNumber('0c9a5a2e-5b1f-8123-a456-78900000032c')).toBe('812')
  expect(runNumber('0c9a5a2e-5b1f-8a33-9c1d-000000000001')).toBe('1')
})

test('another id is shown as it is', () => {
  expect(runNumber('run-7')).toBe('run-7')
})
