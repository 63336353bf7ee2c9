import { describe, expect, test } from 'vitest'
import { engineParts } from '../../engine/index.ts'
import { simulate } from '../run/simulate.ts'
import { loadScenario } from '../scenario/load.ts'
import { judgedByTruth } from './judged-by-truth.ts'
import { defectNamed } from '../defects/index.ts'
import { cancel, conflict, submit, submitAs } from './testing/script.ts'
import { findingsOf } from './testing/watched.ts'

describe('judged-by-truth', () => {
  const world = { facts: { breaks: [1] }, script: submit(0, 1, 2) }

  // E-112
  test('holds when only the pull request that breaks is FAILED', () => {
    expect(findingsOf(judgedByTruth, world)).toMatchObject({ checks: 1, violations: [] })
  })

  test('holds for a pair that breaks together: the later one breaks its base', () => {
    const pair = { facts: { pairs: [[1, 2]] }, script: submit(0, 1, 2) } as const
    expect(findingsOf(judgedByTruth, pair)).toMatchObject({ checks: 1, violations: [] })
  })

  test('holds in a bisection in which one pull request fixes another', () => {
    const mended = {
      configuration: { batch: true, batchingMinSize: 4 },
      facts: { breaks: [1, 4], fixes: [[2, 1]] },
      script: submit(0, 1, 2, 3, 4),
    } as const
    expect(findingsOf(judgedByTruth, mended).violations).toEqual([])
  })

  // E-47, E-111
  test('excepts one tested on a member that merges while the one that fixes it leaves the batch', () => {
    const halved = {
      configuration: { batch: true, batchingMinSize: 2 },
      facts: { breaks: [1], fixes: [[2, 1]] },
      mergeMinutes: 20,
      script: [...submit(0, 1, 2), submitAs(1, 3, { noBatch: true })],
    } as const
    expect(findingsOf(judgedByTruth, halved)).toMatchObject({ checks: 0, violations: [] })
    // The code host merges 1 already. 3 is tested again on top of it, and is FAILED.
    const cancelled = { ...halved, script: [...halved.script, cancel(15, 2)] }
    expect(findingsOf(judgedByTruth, cancelled).violations).toEqual([])
  })

  // E-54, E-112
  test('is violated when a failure counts before the predecessor has left', () => {
    const wrong = defectNamed('failed-at-once').parts
    const hasty = { ...world, runMinutes: [5, 10] }
    expect(findingsOf(judgedByTruth, hasty, wrong).stories).toEqual([
      'Pull request 2 FAILED for run 2, but does not break its base: tip 0 with 1.',
    ])
  })

  test('is violated when a conflict counts before the other pull request has merged', () => {
    const conflicting = {
      facts: { conflicts: [[1, 2]] },
      script: [conflict(0, 1, 2), ...submit(0, 1, 2)],
    } as const
    const wrong = defectNamed('conflict-fails-at-once').parts
    expect(findingsOf(judgedByTruth, conflicting).violations).toEqual([])
    expect(findingsOf(judgedByTruth, conflicting, wrong).stories).toEqual([
      'Pull request 2 FAILED for a text conflict, but conflicts with nothing on the branch.',
    ])
  })
})

// E-229, E-230
describe('where the branch is tested by itself', () => {
  const scenario = loadScenario('scenarios/main-fails-by-itself.json')
  const storiesOf = (parts = engineParts): string[] =>
    simulate(scenario, { properties: [judgedByTruth], parts })
      .properties.filter(({ name }) => name === judgedByTruth.name)
      .flatMap(({ violations }) => violations.map(({ story }) => story))

  test('nobody is FAILED for what a push broke', () => {
    const wrong = defectNamed('tip-unasked-in-bisections').parts
    expect(storiesOf()).toEqual([])
    expect(storiesOf(wrong)[0]).toMatch(
      /^Pull request \d+ FAILED for run \d+, but does not break its base/,
    )
  })
})
