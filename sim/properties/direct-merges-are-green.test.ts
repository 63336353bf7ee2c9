import { describe, expect, test } from 'vitest'
import { configurationWith, rules } from '../../engine/index.ts'
import { directMergesAreGreen } from './direct-merges-are-green.ts'
import { engineWithRules, nothing, withMisreadQueue } from './testing/defects.ts'
import { inLanes } from './testing/in-lanes.ts'
import { at, submit } from './testing/script.ts'
import { findingsOf } from './testing/watched.ts'

const always = configurationWith({ directMergeMode: 'always' })

const green = (number: number) =>
  at(0, { type: 'reportPullRequest', number, greenOnTip: true } as const)

describe('direct-merges-are-green', () => {
  const configuration = { directMergeMode: 'always', concurrency: 1 } as const
  const world = { configuration, script: [green(1), green(2), ...submit(0, 1, 2)] }

  test('holds when a green pull request merges without a run and the next one is tested', () => {
    expect(findingsOf(directMergesAreGreen, world)).toMatchObject({ checks: 4, violations: [] })
  })

  test('is violated when a pull request that was green on an older tip merges without a run', () => {
    const wrong = engineWithRules({
      mergeDirectly: withMisreadQueue(rules.mergeDirectly, () => ({ greenOnTip: [1, 2] })),
    })
    expect(findingsOf(directMergesAreGreen, world, wrong).stories).toEqual([
      'At minute 0 pull request 2 was to merge without a run, although not green on the current tip.',
    ])
  })

  test('is violated when a pull request merges without a run although direct merging is off', () => {
    const wrong = engineWithRules({
      mergeDirectly: withMisreadQueue(rules.mergeDirectly, () => ({ configuration: always })),
    })
    expect(findingsOf(directMergesAreGreen, { script: world.script }, wrong).stories).toEqual([
      'At minute 0 pull request 1 was to merge without a run, although direct merging is off.',
    ])
  })

  // E-40
  test('is violated when a pull request is tested that may merge without a run', () => {
    const wrong = engineWithRules({ mergeDirectly: nothing })
    expect(findingsOf(directMergesAreGreen, world, wrong).stories).toEqual([
      'At minute 0 pull request 1 enters the line for a run, although it may merge without a run.',
    ])
  })

  // E-40
  test('is violated when it waits for a slot that another lane has', () => {
    const lanes = inLanes([green(2), ...submit(0, 1, 2)], {
      configuration: { directMergeMode: 'always', concurrency: 1 },
    })
    const wrong = engineWithRules({ mergeDirectly: nothing })
    expect(findingsOf(directMergesAreGreen, lanes).violations).toEqual([])
    expect(findingsOf(directMergesAreGreen, lanes, wrong).stories[0]).toBe(
      'At minute 0 pull request 2 waits, although it may merge without a run.',
    )
  })
})
