import { describe, expect, test } from 'vitest'
import { rules } from '../../engine/index.ts'
import { conflictsStayApart } from './conflicts-stay-apart.ts'
import { engineWithRules, withMisreadQueue } from './testing/defects.ts'
import { conflict, submit } from './testing/script.ts'
import { findingsOf } from './testing/watched.ts'

describe('conflicts-stay-apart', () => {
  const facts = { conflicts: [[1, 2]] } as const
  const world = { facts, script: [conflict(0, 1, 2), ...submit(0, 1, 2)] }
  const wrong = engineWithRules({
    startWaiting: withMisreadQueue(rules.startWaiting, () => ({ hostFacts: {} })),
  })

  test('holds when the later one waits until the earlier one has left', () => {
    expect(findingsOf(conflictsStayApart, world).violations).toEqual([])
  })

  test('is violated when one run tests both', () => {
    expect(findingsOf(conflictsStayApart, world, wrong).stories).toEqual([
      'Run 2 was made of 2 and 1, which conflict as text.',
    ])
  })

  test('is violated when one is tested on a branch that holds the other', () => {
    const later = { ...world, script: [conflict(0, 1, 2), ...submit(0, 1), ...submit(20, 2)] }
    expect(findingsOf(conflictsStayApart, later, wrong).stories).toEqual([
      'Run 2 was made of 2 and 1, which conflict as text.',
    ])
  })
})
