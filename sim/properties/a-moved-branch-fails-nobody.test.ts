import { describe, expect, test } from 'vitest'
import { engineParts } from '../../engine/index.ts'
import { aMovedBranchFailsNobody } from './a-moved-branch-fails-nobody.ts'
import { engineWithRules } from './testing/defects.ts'
import { cancel, submit } from './testing/script.ts'
import { findingsOf } from './testing/watched.ts'

// E-208
describe('a-moved-branch-fails-nobody', () => {
  const world = { mergeMinutes: 5, moves: [1], script: submit(0, 1, 2) }

  test('holds when the pull request is tested again', () => {
    const { checks, violations } = findingsOf(aMovedBranchFailsNobody, world)
    expect(violations).toEqual([])
    expect(checks).toBe(1)
  })

  test('holds when a cancel during the merge takes effect instead', () => {
    const cancelled = { ...world, script: [...world.script, cancel(12, 1)] }
    expect(findingsOf(aMovedBranchFailsNobody, cancelled).violations).toEqual([])
  })

  test('is violated when the pull request is FAILED', () => {
    const wrong = engineWithRules(
      {},
      {
        decide: (step, command) =>
          engineParts.decide(
            step,
            command.type === 'finishMerge' && command.refused !== null
              ? { ...command, refused: 'GITHUB_API_MERGE_PR_FAILED' }
              : command,
          ),
      },
    )
    expect(findingsOf(aMovedBranchFailsNobody, world, wrong).stories).toEqual([
      'Pull request 1 was FAILED at minute 15, because the target branch had moved during a merge.',
      'At minute 15 the target branch had moved, and nobody tests pull request 1 again.',
    ])
  })
})
