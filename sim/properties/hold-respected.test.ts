import { describe, expect, test } from 'vitest'
import { rules, type Event } from '../../engine/index.ts'
import { holdRespected } from './hold-respected.ts'
import { bending, engineWith, mistaking, nothing } from './testing/defects.ts'
import { submit } from './testing/script.ts'
import { find } from './testing/watched.ts'
import { failAtOnce } from './testing/wrong-rules.ts'

describe('hold-respected', () => {
  // 1 fails first, while 2 and 3 are still tested behind it.
  const world = {
    configuration: { concurrency: 3, pendingFailureDepth: 2 },
    facts: { breaks: [1] },
    runMinutes: [30, 10, 20],
    script: submit(0, 1, 2, 3),
  }

  test('holds with and without pending failure depth', () => {
    for (const pendingFailureDepth of [0, 1, 2, 5]) {
      const configuration = { ...world.configuration, pendingFailureDepth }
      const { checks, violations } = find(holdRespected, { ...world, configuration })
      expect(violations).toEqual([])
      expect(checks).toBeGreaterThan(0)
    }
  })

  test('is violated when a failure counts while a predecessor is still tested', () => {
    const wrong = engineWith({ settleFailure: failAtOnce })
    const hasty = {
      ...world,
      configuration: {},
      facts: { breaks: [2] },
      runMinutes: [10, 30],
      script: submit(0, 1, 2),
    }
    expect(find(holdRespected, hasty).violations).toEqual([])
    const slowFirst = { ...hasty, runMinutes: [10, 30, 20] }
    expect(find(holdRespected, slowFirst, wrong).stories).toEqual([
      'The failure of pull request 2 in run 2 led to FAILED at minute 20, before pull request 1 below had merged.',
    ])
  })

  test('is violated when a failure counts while noted successors go on', () => {
    const wrong = engineWith({ settleFailure: failAtOnce })
    expect(find(holdRespected, world, wrong).stories[0]).toBe(
      'The failure of pull request 1 led to FAILED at minute 10, while runs 2 and 3 behind, to be waited for, went on.',
    )
  })

  test('is violated when one successor too few is noted', () => {
    const wrong = engineWith({
      noteSuccessors: mistaking(rules.noteSuccessors, ({ configuration }) => ({
        configuration: { ...configuration, pendingFailureDepth: 1 },
      })),
    })
    expect(find(holdRespected, world, wrong).stories).toEqual([
      'The failure of pull request 1 is to wait for run 2, where the first 2 behind are runs 2 and 3.',
      'The failure of pull request 1 led to FAILED at minute 20, while run 3 behind, to be waited for, went on.',
    ])
  })

  test('is violated when a run that was not noted is waited for', () => {
    const oneMore = (event: Event): Event[] => [
      event.type === 'successorsNoted' ? { ...event, testRuns: [2, 3] } : event,
    ]
    const wrong = engineWith({ noteSuccessors: bending(rules.noteSuccessors, oneMore) })
    const configuration = { ...world.configuration, pendingFailureDepth: 1 }
    expect(find(holdRespected, { ...world, configuration }, wrong).stories).toContain(
      'At minute 20 the failure of pull request 1 has nothing left to wait for, and is not acted upon.',
    )
  })

  test('is violated when a failure is never acted upon', () => {
    const wrong = engineWith({ settleFailure: nothing })
    expect(find(holdRespected, world, wrong).stories.length).toBeGreaterThan(0)
  })
})
