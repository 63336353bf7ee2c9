import { describe, expect, test } from 'vitest'
import { rules, type Rule } from '../../engine/index.ts'
import { pausedMeansPaused } from './paused-means-paused.ts'
import { engineWithRules, withMisreadQueue } from './testing/defects.ts'
import { submit, update } from './testing/script.ts'
import { findingsOf } from './testing/watched.ts'

const asRunning = (rule: Rule): Rule => withMisreadQueue(rule, () => ({ state: 'RUNNING' }))

describe('paused-means-paused', () => {
  const script = [
    ...submit(0, 1, 2, 3),
    update(5, { state: 'PAUSED' }),
    ...submit(6, 4),
    update(60, { state: 'RUNNING' }),
  ]
  const world = { configuration: { concurrency: 2 }, script }
  const batch = {
    configuration: { concurrency: 1, batch: true, batchingMinSize: 3 },
    facts: { breaks: [2] },
    script,
  }

  test('holds when runs end and nothing merges until the queue is RUNNING', () => {
    for (const each of [world, batch, { ...world, mergeMinutes: 1 }]) {
      const { checks, violations } = findingsOf(pausedMeansPaused, each)
      expect(violations).toEqual([])
      expect(checks).toBeGreaterThan(0)
    }
  })

  test('holds when a partly merged batch finishes', () => {
    const configuration = { batch: true, batchingMinSize: 2 }
    const merging = [...submit(0, 1, 2), update(11, { state: 'PAUSED' }), update(60, {})]
    const slow = { configuration, mergeMinutes: 5, script: merging }
    expect(findingsOf(pausedMeansPaused, slow).violations).toEqual([])
  })

  test.each([
    ['merges', { merge: asRunning(rules.merge) }, 'pull request 1 merged'],
    [
      'starts a new pull request',
      { formGroup: asRunning(rules.formGroup) },
      'pull request 3 entered the line (formed)',
    ],
  ])('is violated when it %s', (_case, wrong, what) => {
    expect(findingsOf(pausedMeansPaused, world, engineWithRules(wrong)).stories).toContain(
      `At minute 10 the queue was PAUSED, and ${what}.`,
    )
  })

  test('is violated when a merge is requested', () => {
    const wrong = engineWithRules({ merge: asRunning(rules.merge) })
    expect(findingsOf(pausedMeansPaused, { ...world, mergeMinutes: 1 }, wrong).stories[0]).toBe(
      'At minute 10 the queue was PAUSED, and the merge of pull request 1 was asked for.',
    )
  })

  test('is violated when a main run or a bisection run starts', () => {
    const wrong = engineWithRules({
      startBisectionRuns: asRunning(rules.startBisectionRuns),
      startWaiting: asRunning(rules.startWaiting),
    })
    expect(findingsOf(pausedMeansPaused, batch, wrong).stories[0]).toMatch(
      /^At minute 10 the queue was PAUSED, and bisection run 2 started for pull requests? /,
    )
  })
})
