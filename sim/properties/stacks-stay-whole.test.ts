import { describe, expect, test } from 'vitest'
import { stacksStayWhole } from './stacks-stay-whole.ts'
import { defectNamed } from '../defects/index.ts'
import { at, submit, submitAs } from './testing/script.ts'
import { findingsOf } from './testing/watched.ts'

const stack = [...submit(0, 1), submitAs(0, 2, { dependsOn: [1] }), ...submit(0, 3)]

describe('stacks-stay-whole', () => {
  // E-261
  test('holds when a stack lands from below, and when a person merges its top by hand', () => {
    const byHand = at(1, { type: 'reportManualMerge', number: 2 })
    for (const script of [stack, [...stack, byHand]]) {
      const { checks, violations } = findingsOf(stacksStayWhole, { script })
      expect(violations).toEqual([])
      expect(checks).toBeGreaterThan(0)
    }
  })

  // E-260, E-264
  test('holds when one that has landed before is submitted on top of what leaves with it', () => {
    const stacked = [submitAs(21, 2, { dependsOn: [1] }), submitAs(22, 1, { dependsOn: [2] })]
    const script = [...submit(0, 1), ...submit(20, 1), ...stacked]
    const { checks, violations } = findingsOf(stacksStayWhole, { script })
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  // E-261
  test('is violated when one merges before what it depends on', () => {
    const world = {
      configuration: { directMergeMode: 'always', mode: 'parallel' },
      script: [
        ...[1, 2].map((number) => at(0, { type: 'setImpactedTargets', number, targets: [] })),
        at(0, { type: 'reportPullRequest', number: 2, greenOnTip: true }),
        ...stack,
      ],
    } as const
    expect(findingsOf(stacksStayWhole, world).violations).toEqual([])
    const wrong = defectNamed('direct-merge-past-what-it-depends-on').parts
    expect(findingsOf(stacksStayWhole, world, wrong).stories).toEqual([
      'Pull request 2 landed, and it depends on pull request 1, not on the branch yet.',
    ])
  })

  // E-264
  test('is violated when one stays although what it depends on has left', () => {
    const world = { script: stack, facts: { breaks: [1] } }
    expect(findingsOf(stacksStayWhole, world).violations).toEqual([])
    const wrong = defectNamed('stays-without-what-it-depends-on').parts
    expect(findingsOf(stacksStayWhole, world, wrong).stories[0]).toBe(
      'Pull request 2 stayed in the queue when pull request 1, on which it depends, had left.',
    )
  })
})
