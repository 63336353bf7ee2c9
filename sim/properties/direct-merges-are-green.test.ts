import { describe, expect, test } from 'vitest'
import { configurationWith, rules } from '../../engine/index.ts'
import { directMergesAreGreen } from './direct-merges-are-green.ts'
import { engineWith, mistaking } from './testing/defects.ts'
import { at, submit } from './testing/script.ts'
import { find } from './testing/watched.ts'

const always = configurationWith({ directMergeMode: 'always' })

const green = (number: number) =>
  at(0, { type: 'reportPullRequest', number, greenOnTip: true } as const)

describe('direct-merges-are-green', () => {
  const configuration = { directMergeMode: 'always', concurrency: 1 } as const
  const world = { configuration, script: [green(1), green(2), ...submit(0, 1, 2)] }

  test('holds when one that is green merges without a run, and the next is tested', () => {
    expect(find(directMergesAreGreen, world)).toMatchObject({ checks: 1, violations: [] })
  })

  test('is violated when what was green before the branch moved merges without a run', () => {
    const wrong = engineWith({
      mergeDirectly: mistaking(rules.mergeDirectly, () => ({ greenOnTip: [1, 2] })),
    })
    expect(find(directMergesAreGreen, world, wrong).stories).toEqual([
      'At minute 0 pull request 2 went to merge without a run, and is not green on the branch as it is.',
    ])
  })

  test('is violated where nothing merges without a run', () => {
    const wrong = engineWith({
      mergeDirectly: mistaking(rules.mergeDirectly, () => ({ configuration: always })),
    })
    expect(find(directMergesAreGreen, { script: world.script }, wrong).stories).toEqual([
      'At minute 0 pull request 1 went to merge without a run, where that is off.',
    ])
  })
})
