import { describe, expect, test } from 'vitest'
import { hasHonestTests } from './honest-tests.ts'

describe('honest tests', () => {
  test('fail only because of pull requests that break: flakes are not honest', () => {
    const pullRequests = [
      { number: 1, breaks: true },
      { number: 2, greenOnTip: true },
    ]
    expect(hasHonestTests({ name: 'honest', pullRequests })).toBe(true)
    const flaky = { name: 'flaky', pullRequests: [{ number: 1, flakyRuns: [1] }] }
    expect(hasHonestTests(flaky)).toBe(false)
  })

  test('do not exist if the code host reports a pull request that breaks as green', () => {
    const pullRequests = [{ number: 1, breaks: true, greenOnTip: true }]
    expect(hasHonestTests({ name: 'reported green', pullRequests })).toBe(false)
  })
})
