import { expect, test } from 'vitest'
import { newQueue } from './queue.ts'
import { passedRunOn } from './tip-test.ts'

test('the latest run that passed on a composition is found, whatever failed on it since', () => {
  const verdict = { failedTests: [], contradicted: false }
  const queue = {
    ...newQueue(),
    verdicts: [
      { ...verdict, composition: 'a', run: 1, outcome: 'passed' },
      { ...verdict, composition: 'a', run: 2, outcome: 'passed' },
      { ...verdict, composition: 'a', run: 3, outcome: 'failed' },
      { ...verdict, composition: 'b', run: 4, outcome: 'passed' },
    ],
  } as const
  expect(passedRunOn(queue, 'a')).toBe(2)
  expect(passedRunOn(queue, 'c')).toBeNull()
})
