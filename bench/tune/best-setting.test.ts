import { expect, test } from 'vitest'
import { scenarioOf } from '../../sim/testing/simulated.ts'
import { fitsIn, splitAxis } from './best-setting.ts'

test('all slots are divided, half of them for bisections at most', () => {
  const labels = splitAxis(10).values.map(({ label }) => label)
  expect(labels).toEqual(['10 and 1', '9 and 1', '8 and 2', '7 and 3', '5 and 5'])
})

test.each([
  [{ batch: false, concurrency: 10, bisectionConcurrency: 1 }, true],
  [{ batch: true, concurrency: 10, bisectionConcurrency: 1 }, false],
  [{ batch: true, concurrency: 9, bisectionConcurrency: 1 }, true],
  [{ batch: true, concurrency: 10 }, false],
] as const)('%j fits in ten slots: %s', (queue, fits) => {
  expect(fitsIn(scenarioOf({ queue, pullRequests: [] }), 10)).toBe(fits)
})
