import { describe, expect, test } from 'vitest'
import { rules } from '../../engine/index.ts'
import { conflictsStayApart } from './conflicts-stay-apart.ts'
import { engineWith, mistaking } from './testing/defects.ts'
import { conflict, submit } from './testing/script.ts'
import { find } from './testing/watched.ts'

describe('conflicts-stay-apart', () => {
  const facts = { conflicts: [[1, 2]] } as const
  const world = { facts, script: [conflict(0, 1, 2), ...submit(0, 1, 2)] }
  const wrong = engineWith({
    startWaiting: mistaking(rules.startWaiting, () => ({ hostFacts: {} })),
  })

  test('holds when the later one waits for the fate of the earlier', () => {
    expect(find(conflictsStayApart, world).violations).toEqual([])
  })

  test('is violated when both are built into one run', () => {
    expect(find(conflictsStayApart, world, wrong).stories).toEqual([
      'Run 2 was made of 2 and 1, which do not merge as text.',
    ])
  })

  test('is violated when one is built on the other, merged', () => {
    const later = { ...world, script: [conflict(0, 1, 2), ...submit(0, 1), ...submit(20, 2)] }
    expect(find(conflictsStayApart, later, wrong).stories).toEqual([
      'Run 2 was made of 2 and 1, which do not merge as text.',
    ])
  })
})
