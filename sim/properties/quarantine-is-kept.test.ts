import { describe, expect, test } from 'vitest'
import type { EngineParts } from '../../engine/index.ts'
import { simulate } from '../run/simulate.ts'
import { scenarioOf } from '../testing/simulated.ts'
import { quarantineIsKept } from './quarantine-is-kept.ts'
import { defectNamed } from '../defects/index.ts'

const clock = 'clock > strikes'

/** 1 passes in spite of `clock`; 2 fails it after the entry has ended; 3 passes when it is renewed. */
const scenario = scenarioOf({
  suite: { minutes: 10 },
  quarantine: [{ test: clock, until: 20 }],
  pullRequests: [
    { number: 1, flakyRuns: [{ run: 1, tests: [clock] }] },
    { number: 2, at: 20, breaks: true, breaksTest: clock },
    { number: 3, at: 45, flakyRuns: [{ run: 1, tests: [clock] }] },
  ],
  events: [{ at: 40, do: 'quarantine', test: clock }],
})

function findings(parts?: EngineParts): { checked: number; stories: string[] } {
  const properties = [quarantineIsKept]
  const outcome = simulate(scenario, { properties, ...(parts ? { parts } : {}) })
  const own = outcome.properties.find(({ name }) => name === quarantineIsKept.name)
  if (!own) throw new Error('it did not watch')
  return { checked: own.checked, stories: own.violations.map(({ story }) => story) }
}

describe('quarantine-is-kept', () => {
  // E-270, E-271, E-272
  test('holds', () => {
    const { checked, stories } = findings()
    expect(stories).toEqual([])
    expect(checked).toBeGreaterThan(5)
  })

  test.each([
    // E-270, E-271
    ['quarantine-without-end', `Run 2 passed, and of the tests that failed (${clock}) not all are`],
    ['quarantine-ends-at-once', `Run 1 failed, and of the tests that failed (${clock}) all are`],
    ['renewed-as-if-new', `Test ${clock} is in quarantine since 2400000, and not 0.`],
    // E-272
    [
      'merges-do-not-name-the-quarantine',
      `passed by run 1 in spite of ${clock}, and its move names`,
    ],
    [
      'merges-by-quarantine-not-counted',
      '2 merges leaned on tests in quarantine, and 0 are counted.',
    ],
  ])('is violated by %s', (defect, story) => {
    expect(findings(defectNamed(defect).parts).stories[0]).toContain(story)
  })
})
