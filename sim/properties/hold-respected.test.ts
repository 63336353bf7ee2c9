import { describe, expect, test } from 'vitest'
import { rules, type Event } from '../../engine/index.ts'
import { holdRespected } from './hold-respected.ts'
import { alteringEvents, engineWithRules, withMisreadQueue, nothing } from './testing/defects.ts'
import { submit } from './testing/script.ts'
import { findingsOf } from './testing/watched.ts'
import { failAtOnce } from './testing/wrong-rules.ts'

describe('hold-respected', () => {
  // 1 fails first, while 2 and 3 are still tested behind it.
  const world = {
    configuration: { concurrency: 3, pendingFailureDepth: 2 },
    facts: { breaks: [1] },
    runMinutes: [30, 10, 20],
    script: submit(0, 1, 2, 3),
  }

  // E-117
  test('holds with and without pending failure depth', () => {
    for (const pendingFailureDepth of [0, 1, 2, 5]) {
      const configuration = { ...world.configuration, pendingFailureDepth }
      const { checks, violations } = findingsOf(holdRespected, { ...world, configuration })
      expect(violations).toEqual([])
      expect(checks).toBeGreaterThan(0)
    }
  })

  test('is violated when a failure counts while a predecessor is still tested', () => {
    const wrong = engineWithRules({ settleFailure: failAtOnce })
    const hasty = {
      ...world,
      configuration: {},
      facts: { breaks: [2] },
      runMinutes: [10, 30],
      script: submit(0, 1, 2),
    }
    expect(findingsOf(holdRespected, hasty).violations).toEqual([])
    const slowFirst = { ...hasty, runMinutes: [10, 30, 20] }
    expect(findingsOf(holdRespected, slowFirst, wrong).stories).toEqual([
      'The failure of pull request 2 in run 2 led to FAILED at minute 20, before pull request 1 in its base had merged.',
    ])
  })

  // E-117
  test('is violated when a failure counts while noted successor runs are in progress', () => {
    const wrong = engineWithRules({ settleFailure: failAtOnce })
    expect(findingsOf(holdRespected, world, wrong).stories[0]).toBe(
      'The failure of pull request 1 led to FAILED at minute 10, before runs 2 and 3 behind it had ended.',
    )
  })

  test('is violated when one successor too few is noted', () => {
    const wrong = engineWithRules({
      noteSuccessors: withMisreadQueue(rules.noteSuccessors, ({ configuration }) => ({
        configuration: { ...configuration, pendingFailureDepth: 1 },
      })),
    })
    expect(findingsOf(holdRespected, world, wrong).stories).toEqual([
      'The failure of pull request 1 is to wait for run 2, but it has to wait for runs 2 and 3 (pendingFailureDepth 2).',
      'The failure of pull request 1 led to FAILED at minute 20, before run 3 behind it had ended.',
    ])
  })

  test('is violated when a run that was not noted is waited for', () => {
    const oneMore = (event: Event): Event[] => [
      event.type === 'successorsNoted' ? { ...event, testRuns: [2, 3] } : event,
    ]
    const wrong = engineWithRules({ noteSuccessors: alteringEvents(rules.noteSuccessors, oneMore) })
    const configuration = { ...world.configuration, pendingFailureDepth: 1 }
    expect(findingsOf(holdRespected, { ...world, configuration }, wrong).stories).toContain(
      'At minute 20 the failure of pull request 1 has nothing left to wait for, but is not acted upon.',
    )
  })

  test('is violated when a failure is never acted upon', () => {
    const wrong = engineWithRules({ settleFailure: nothing })
    expect(findingsOf(holdRespected, world, wrong).stories.length).toBeGreaterThan(0)
  })
})
