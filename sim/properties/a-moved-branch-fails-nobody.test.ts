import { describe, expect, test } from 'vitest'
import { engineParts } from '../../engine/index.ts'
import { aMovedBranchFailsNobody } from './a-moved-branch-fails-nobody.ts'
import { engineWithRules } from './testing/defects.ts'
import { at, cancel, submit } from './testing/script.ts'
import { findingsOf } from './testing/watched.ts'

// E-208
describe('a-moved-branch-fails-nobody', () => {
  const world = { mergeMinutes: 5, moves: [1], script: submit(0, 1, 2) }

  test('holds when the pull request is tested again', () => {
    const { checks, violations } = findingsOf(aMovedBranchFailsNobody, world)
    expect(violations).toEqual([])
    // Both are tested again and merge.
    expect(checks).toBe(3)
  })

  // E-109
  test('is violated when a run from before that merges another pull request', () => {
    const targets = [1, 2].map((number) =>
      at(0, { type: 'setImpactedTargets', number, targets: [`${number}`] }),
    )
    const lanes = {
      ...world,
      configuration: { mode: 'parallel', concurrency: 2 } as const,
      runMinutes: [20, 10],
      script: [...targets, ...world.script],
    }
    expect(findingsOf(aMovedBranchFailsNobody, lanes).violations).toEqual([])
    const wrong = engineWithRules(
      {},
      {
        evolve(queue, event) {
          engineParts.evolve(queue, event)
          const group = event.type === 'mergeRequested' ? queue.groups[event.group] : undefined
          if (group?.phase.kind === 'passed') group.phase = { ...group.phase, pushedTo: true }
        },
      },
    )
    expect(findingsOf(aMovedBranchFailsNobody, lanes, wrong).stories).toEqual([
      'Pull request 2 merged at minute 25 because of run 2, which is from before the target branch moved.',
    ])
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
