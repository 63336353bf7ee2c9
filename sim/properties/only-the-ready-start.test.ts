import { describe, expect, test } from 'vitest'
import { evolvingAs } from '../defects/wrapping.ts'
import { onlyTheReadyStart } from './only-the-ready-start.ts'
import { at, submit } from './testing/script.ts'
import { find } from './testing/watched.ts'

const objection = (atMinute: number, number: number, mergeable: boolean) =>
  at(atMinute, { type: 'reportPullRequest', number, mergeable } as const)

describe('only-the-ready-start', () => {
  const world = {
    configuration: { concurrency: 1 },
    script: [...submit(0, 1, 2, 3), objection(1, 2, false), objection(35, 2, true)],
  }

  test('holds when whom the code host objects to waits until it does no more', () => {
    expect(find(onlyTheReadyStart, world)).toMatchObject({ checks: 3, violations: [] })
  })

  test('is violated when the objection goes unheard', () => {
    const wrong = evolvingAs((event) =>
      event.type === 'pullRequestReported' ? { ...event, mergeable: true } : event,
    )
    expect(find(onlyTheReadyStart, world, wrong).stories).toEqual([
      'At minute 10 pull request 2 came into the line, and not all of them are ready.',
    ])
  })

  test('is violated in parallel mode when nobody knows the targets', () => {
    const wrong = evolvingAs((event) =>
      event.type === 'pullRequestSubmitted' ? { ...event, state: 'PENDING' } : event,
    )
    const parallel = { configuration: { mode: 'parallel' }, script: submit(0, 1) } as const
    expect(find(onlyTheReadyStart, parallel)).toMatchObject({ checks: 0, violations: [] })
    expect(find(onlyTheReadyStart, parallel, wrong).stories).toEqual([
      'At minute 0 pull request 1 came into the line, and not all of them are ready.',
    ])
  })
})
