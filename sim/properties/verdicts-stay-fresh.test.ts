import { describe, expect, test } from 'vitest'
import { engineWithRules } from './testing/defects.ts'
import { drive } from './testing/drive.ts'
import { at, cancel, submit } from './testing/script.ts'
import { findingsOf, checkProperties } from './testing/watched.ts'
import { failAtOnce } from './testing/wrong-rules.ts'
import { cancelWithoutRestarts, pushWithoutRestarts } from './testing/wrong-decisions.ts'
import { verdictsStayFresh } from './verdicts-stay-fresh.ts'

describe('verdicts-stay-fresh', () => {
  const world = { script: submit(0, 1, 2) }
  const cancelled = { script: [...world.script, cancel(1, 1)] }
  const pushed = { script: [...world.script, at(1, { type: 'reportPush' })] }

  test.each([
    ['nothing comes between', world],
    ['a predecessor is cancelled', cancelled],
    ['a push to the branch', pushed],
    ['a result is reported twice', { ...world, faultyRuns: { 1: 'reported twice' } as const }],
  ])('holds when %s', (_case, each) => {
    const { checks, violations } = findingsOf(verdictsStayFresh, each)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  // E-143
  test('holds when a verdict stands, and the group below it starts again on top of an upload', () => {
    const targets = (number: number, minute: number, ...names: string[]) =>
      at(minute, { type: 'setImpactedTargets', number, targets: names })
    const each = {
      configuration: { mode: 'parallel', concurrency: 4 },
      // 5 is below all. 2 is lost, and tested again on top of 1. 3 has passed on top of 2.
      faultyRuns: { 3: 'errored' },
      runMinutes: [10, 40, 40, 10],
      script: [
        ...[targets(1, 0, 'a'), targets(2, 0, 'b'), targets(3, 0, 'b'), targets(4, 0, 'c')],
        targets(5, 0, 'ALL'),
        ...submit(0, 5, 1, 2, 3),
        targets(1, 5, 'a', 'b'),
        ...submit(15, 4),
        cancel(16, 4),
      ],
    } as const
    const { checks, violations } = findingsOf(verdictsStayFresh, each)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  test('is violated when a run continues after a pull request in its base was cancelled', () => {
    const wrong = engineWithRules({}, { decide: cancelWithoutRestarts })
    expect(findingsOf(verdictsStayFresh, cancelled, wrong).stories).toEqual([
      'After cancelPullRequest at minute 1 run 2 of pull request 2 still goes on, although its base is not the projected state any more.',
      'Pull request 2 merged because of run 2, which did not pass on the current branch.',
    ])
  })

  test('is violated when runs continue after a push to the branch', () => {
    const wrong = engineWithRules({}, { decide: pushWithoutRestarts })
    const [first, second] = findingsOf(verdictsStayFresh, pushed, wrong).stories
    expect(first).toMatch(/^After reportPush .* run 1 of pull request 1 still goes on/)
    expect(second).toMatch(/^After reportPush .* run 2 of pull request 2 still goes on/)
  })

  test('is violated when a failure counts on top of a pull request that has not merged', () => {
    const wrong = engineWithRules({ settleFailure: failAtOnce })
    const failing = { ...world, facts: { breaks: [1] }, runMinutes: [5, 10] }
    expect(findingsOf(verdictsStayFresh, failing).violations).toEqual([])
    expect(findingsOf(verdictsStayFresh, failing, wrong).stories).toEqual([
      'Pull request 2 FAILED because of run 2, which did not test it on its current base.',
    ])
  })

  test('is violated when a result for a run that has ended is accepted', () => {
    const { steps, queue } = drive(world)
    const again = steps.filter(({ command }) => command.type === 'finishTestRun').slice(0, 1)
    const silent = again.map((step) => ({ ...step, events: [] }))
    const { stories } = checkProperties([verdictsStayFresh], world, {
      steps: [...steps, ...silent],
      queue,
    })
    expect(stories).toEqual([
      'At minute 10 a result for run 1 was accepted, which was not under way.',
    ])
  })
})
