import { describe, expect, test } from 'vitest'
import { evolvingAs } from '../run/altered-engines.ts'
import { onlyTheReadyStart } from './only-the-ready-start.ts'
import { at, submit } from './testing/script.ts'
import { findingsOf } from './testing/watched.ts'

const objection = (atMinute: number, number: number, mergeable: boolean) =>
  at(atMinute, { type: 'reportPullRequest', number, mergeable } as const)

describe('only-the-ready-start', () => {
  const world = {
    configuration: { concurrency: 1 },
    script: [...submit(0, 1, 2, 3), objection(1, 2, false), objection(35, 2, true)],
  }

  test('holds when a pull request waits until the code host no longer objects', () => {
    expect(findingsOf(onlyTheReadyStart, world)).toMatchObject({ checks: 3, violations: [] })
  })

  test('is violated when the objection is ignored', () => {
    const wrong = evolvingAs((event) =>
      event.type === 'pullRequestReported' ? { ...event, mergeable: true } : event,
    )
    expect(findingsOf(onlyTheReadyStart, world, wrong).stories).toEqual([
      'At minute 10 pull request 2 entered the line, but not all of them are ready.',
    ])
  })

  test('is violated in parallel mode when the targets are not known', () => {
    const wrong = evolvingAs((event) =>
      event.type === 'pullRequestSubmitted' ? { ...event, state: 'PENDING' } : event,
    )
    const parallel = { configuration: { mode: 'parallel' }, script: submit(0, 1) } as const
    expect(findingsOf(onlyTheReadyStart, parallel)).toMatchObject({ checks: 0, violations: [] })
    expect(findingsOf(onlyTheReadyStart, parallel, wrong).stories).toEqual([
      'At minute 0 pull request 1 entered the line, but not all of them are ready.',
    ])
  })

  // E-211
  test('given a pull request that was forgotten, its objection and its targets are forgotten too', () => {
    const forgotten = at(20, { type: 'forget', numbers: [1] } as const)
    const objected = { script: [objection(0, 1, false), forgotten, ...submit(30, 1)] }
    expect(findingsOf(onlyTheReadyStart, objected)).toMatchObject({ checks: 1, violations: [] })
    const targets = at(0, { type: 'setImpactedTargets', number: 1, targets: ['core'] } as const)
    const parallel = { mode: 'parallel' } as const
    const known = { configuration: parallel, script: [targets, forgotten, ...submit(30, 1)] }
    expect(findingsOf(onlyTheReadyStart, known)).toMatchObject({ checks: 0, violations: [] })
    const remembering = evolvingAs((event) =>
      event.type === 'pullRequestForgotten' ? { ...event, number: 2 } : event,
    )
    expect(findingsOf(onlyTheReadyStart, known, remembering).violations).toHaveLength(1)
  })
})
