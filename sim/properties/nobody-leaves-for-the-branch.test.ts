import { expect, test } from 'vitest'
import { rules } from '../../engine/index.ts'
import { withMisreadSettings } from '../run/altered-engines.ts'
import { nobodyLeavesForTheBranch } from './nobody-leaves-for-the-branch.ts'
import { engineWithRules } from './testing/defects.ts'
import { submit } from './testing/script.ts'
import { findingsOf } from './testing/watched.ts'

const off = () => ({ tipTestMode: 'off' }) as const
const world = {
  configuration: { tipTestMode: 'always', concurrency: 2 },
  facts: { breaks: [1] },
  script: [...submit(0, 1, 2)],
} as const

test('holds while the branch is tested before anybody is FAILED', () => {
  const { checks, violations } = findingsOf(nobodyLeavesForTheBranch, world)
  expect(violations).toEqual([])
  expect(checks).toBeGreaterThan(0)
})

// E-230
test('is violated when a pull request is FAILED before anything has passed without it', () => {
  const wrong = engineWithRules({ settleFailure: withMisreadSettings(rules.settleFailure, off) })
  expect(findingsOf(nobodyLeavesForTheBranch, world, wrong).stories[0]).toBe(
    'Pull request 1 FAILED at minute 10 for run 1, although nothing has passed without it.',
  )
})
