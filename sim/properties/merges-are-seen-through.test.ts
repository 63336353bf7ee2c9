import { describe, expect, test } from 'vitest'
import { mergesAreSeenThrough } from './merges-are-seen-through.ts'
import { deciding } from '../run/altered-engines.ts'
import { drive } from './testing/drive.ts'
import { defectNamed } from '../defects/index.ts'
import { at, cancel, submit } from './testing/script.ts'
import { findingsOf, altered, checkProperties } from './testing/watched.ts'
import { cancelWithoutRestarts } from './testing/wrong-decisions.ts'

describe('merges-are-seen-through', () => {
  const world = { mergeMinutes: 5, script: [...submit(0, 1, 2), cancel(12, 1)] }

  test('holds when a cancel waits for the answer of the code host', () => {
    expect(findingsOf(mergesAreSeenThrough, world)).toMatchObject({ checks: 9, violations: [] })
  })

  test('holds when the cancel takes effect because the host refused', () => {
    expect(findingsOf(mergesAreSeenThrough, { ...world, refuses: [1] }).violations).toEqual([])
  })

  test('is violated when the cancel takes effect at once', () => {
    const wrong = deciding(cancelWithoutRestarts)
    expect(findingsOf(mergesAreSeenThrough, world, wrong).stories).toEqual([
      'Pull request 1 became CANCELLED at minute 12, while the merge asked for at minute 10 had not been answered.',
    ])
  })

  test('is violated when one merge is requested twice or never answered', () => {
    const driven = drive(world)
    const twice = altered(driven, (event) =>
      event.type === 'mergeRequested' && event.number === 1 ? [event, event] : [event],
    )
    expect(checkProperties([mergesAreSeenThrough], world, twice).stories).toEqual([
      'The merge of pull request 1 was asked for at minute 10 and again at minute 10.',
    ])
    const never = altered(driven, (event) =>
      event.type === 'pullRequestMoved' && event.to === 'MERGED' && event.number === 2
        ? []
        : [event],
    )
    expect(checkProperties([mergesAreSeenThrough], world, never).stories).toEqual([
      'At minute 20 the code host had merged pull request 2, but the queue had not noticed.',
    ])
  })

  test('is violated when the code host never answers', () => {
    const driven = drive(world)
    const steps = driven.steps.filter(({ command }) => {
      return command.type !== 'finishMerge' || command.number !== 2
    })
    expect(checkProperties([mergesAreSeenThrough], world, { ...driven, steps }).stories).toEqual([
      'At the end the code host had not answered for 2.',
    ])
  })

  test('is violated when a refused merge counts as merged', () => {
    const wrong = defectNamed('refusal-ignored').parts
    expect(findingsOf(mergesAreSeenThrough, { ...world, refuses: [2] }, wrong).stories).toEqual([
      'Pull request 2 became MERGED at minute 20, but the code host had not merged it.',
    ])
  })

  // E-219, E-221
  test('is violated when only the first of a push becomes MERGED, or too many', () => {
    const land = (numbers: readonly number[]) =>
      at(20, { type: 'finishMerge', number: 1, numbers, refused: null })
    const pushed = (numbers: readonly number[]) => ({
      configuration: { batch: true, batchingMinSize: 3, concurrency: 1 },
      // The answer below comes first.
      mergeMinutes: 100,
      script: [
        at(0, { type: 'attachHost', codeHost: 'groups' }),
        ...submit(0, 1, 2, 3),
        land(numbers),
      ],
    })
    const whole = pushed([1, 2, 3])
    expect(findingsOf(mergesAreSeenThrough, whole).violations).toEqual([])
    const first = defectNamed('push-lands-only-the-first').parts
    expect(findingsOf(mergesAreSeenThrough, whole, first).stories[0]).toBe(
      'At minute 20 the code host had merged pull requests 2 and 3, but the queue had not noticed.',
    )
    const all = defectNamed('part-of-a-push-lands-all').parts
    expect(findingsOf(mergesAreSeenThrough, pushed([1, 2]), all).stories[0]).toBe(
      'Pull request 3 became MERGED at minute 20, but the code host had not merged it.',
    )
  })
})
