import { describe, expect, test } from 'vitest'
import { engineWith } from './testing/defects.ts'
import { drive } from './testing/drive.ts'
import { at, cancel, submit } from './testing/script.ts'
import { find, watched } from './testing/watched.ts'
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
    ['somebody pushes to the branch', pushed],
    ['a result is reported twice', { ...world, oddRuns: { 1: 'reported twice' } as const }],
  ])('holds when %s', (_case, each) => {
    const { checks, violations } = find(verdictsStayFresh, each)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  test('is violated when a run goes on though one of its base was cancelled', () => {
    const wrong = engineWith({}, { decide: cancelWithoutRestarts })
    expect(find(verdictsStayFresh, cancelled, wrong).stories).toEqual([
      'After cancelPullRequest at minute 1 run 2 of pull request 2 still goes on, made of something else than what is below now.',
      'Pull request 2 merged on the word of run 2, which did not pass on what the branch holds now.',
    ])
  })

  test('is violated when runs go on though the branch was pushed to', () => {
    const wrong = engineWith({}, { decide: pushWithoutRestarts })
    const [first, second] = find(verdictsStayFresh, pushed, wrong).stories
    expect(first).toMatch(/^After reportPush .* run 1 of pull request 1 still goes on/)
    expect(second).toMatch(/^After reportPush .* run 2 of pull request 2 still goes on/)
  })

  test('is violated when a failure counts on top of somebody who has not merged', () => {
    const wrong = engineWith({ settleFailure: failAtOnce })
    const failing = { ...world, facts: { breaks: [1] }, runMinutes: [5, 10] }
    expect(find(verdictsStayFresh, failing).violations).toEqual([])
    expect(find(verdictsStayFresh, failing, wrong).stories).toEqual([
      'Pull request 2 FAILED on the word of run 2, which was not about it on top of what is below it now.',
    ])
  })

  test('is violated when a result for a run that is over is taken', () => {
    const { moments, queue } = drive(world)
    const again = moments.filter(({ command }) => command.type === 'finishTestRun').slice(0, 1)
    const silent = again.map((moment) => ({ ...moment, events: [] }))
    const { stories } = watched([verdictsStayFresh], world, {
      moments: [...moments, ...silent],
      queue,
    })
    expect(stories).toEqual(['At minute 10 a result for run 1 was taken, which was not under way.'])
  })
})
