import { describe, expect, test } from 'vitest'
import { hostsAreAsked } from './hosts-are-asked.ts'
import { drive } from './testing/drive.ts'
import { engineOf } from './testing/planted.ts'
import { at, submit } from './testing/script.ts'
import { altered, checkProperties, findingsOf } from './testing/watched.ts'

// E-10, E-219, E-223
describe('hosts-are-asked', () => {
  const world = {
    configuration: { batch: true, batchingMinSize: 2, concurrency: 1 },
    script: [at(0, { type: 'attachHost', codeHost: 'groups' }), ...submit(1, 1, 2)],
  } as const

  test('holds when the whole batch is requested', () => {
    const { checks, violations } = findingsOf(hostsAreAsked, world)
    expect(violations).toEqual([])
    expect(checks).toBe(5)
  })

  test('is violated when the queue still merges by itself', () => {
    const wrong = engineOf('attached-host-not-asked')
    expect(findingsOf(hostsAreAsked, world, wrong).stories[0]).toBe(
      'Pull request 1 merged at minute 11, and the code host was not asked.',
    )
  })

  test('is violated when the queue gets its host with work in the line', () => {
    const script = [...submit(0, 1, 2), at(5, { type: 'attachHost', codeHost: 'groups' })]
    const wrong = engineOf('host-attached-in-mid-work')
    expect(findingsOf(hostsAreAsked, { ...world, script }, wrong).stories).toEqual([
      'The queue got a code host at minute 5, with work under way.',
    ])
  })

  test('is violated when only one of a group is requested', () => {
    const one = altered(drive(world), (event) =>
      event.type === 'mergeRequested' && event.number === 1
        ? [{ type: 'mergeRequested', group: event.group, number: 1 }]
        : [event],
    )
    expect(checkProperties([hostsAreAsked], world, one).stories[0]).toBe(
      'At minute 11 the merge of 1 was requested from a host that merges groups.',
    )
  })
})
