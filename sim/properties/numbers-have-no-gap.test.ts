import { describe, expect, test } from 'vitest'
import { numbersHaveNoGap } from './numbers-have-no-gap.ts'
import { drive } from './testing/drive.ts'
import { submit } from './testing/script.ts'
import { altered, checkProperties } from './testing/watched.ts'

// E-210
describe('numbers-have-no-gap', () => {
  const world = {
    configuration: { batch: true, batchingMinSize: 2 },
    facts: { breaks: [1] },
    script: submit(0, 1, 2, 3, 4),
  }

  test('holds for groups, bisections and test runs', () => {
    const { checks, violations } = checkProperties([numbersHaveNoGap], world, drive(world))
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(5)
  })

  test('is violated when a number is left out', () => {
    const gap = altered(drive(world), (event) =>
      event.type === 'groupPlaced' && event.group === 2 ? [{ ...event, group: 3 }] : [event],
    )
    expect(checkProperties([numbersHaveNoGap], world, gap).stories[0]).toBe(
      'At minute 0 group 3 began, and the next number was 2.',
    )
  })

  test('is violated when a number is used twice', () => {
    const twice = altered(drive(world), (event) =>
      event.type === 'testRunStarted' && event.run.id === 2
        ? [{ ...event, run: { ...event.run, id: 1 } }]
        : [event],
    )
    expect(checkProperties([numbersHaveNoGap], world, twice).stories).toContain(
      'At minute 0 test run 1 began, and the next number was 2.',
    )
  })
})
