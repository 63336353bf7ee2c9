import { describe, expect, test } from 'vitest'
import { hasHonestTests } from './honest-tests.ts'

describe('tests that always say the truth', () => {
  test('fail for what breaks, and for nothing else', () => {
    const pullRequests = [
      { number: 1, breaks: true },
      { number: 2, greenOnTip: true },
    ]
    expect(hasHonestTests({ name: 'honest', pullRequests })).toBe(true)
    const flaky = { name: 'flaky', pullRequests: [{ number: 1, flakyRuns: [1] }] }
    expect(hasHonestTests(flaky)).toBe(false)
  })

  test('are not those of a code host that calls what breaks green', () => {
    const pullRequests = [{ number: 1, breaks: true, greenOnTip: true }]
    expect(hasHonestTests({ name: 'told green', pullRequests })).toBe(false)
  })
})
