import { describe, expect, test } from 'vitest'
import { newQueue } from '../model/queue.ts'
import type { BisectionVerdict, QueueView, TestRun } from '../model/state.ts'
import { Story } from '../testing/story.ts'
import { isDoubtful } from './confirmation.ts'

const run: TestRun = {
  id: 999,
  startedAt: 0,
  deadline: 1,
  owner: { kind: 'main', group: 1 },
  tip: 0,
  base: [],
  tested: [1, 2],
  submissions: [1, 2],
  composition: 'of the batch',
  attempt: 0,
}

/** A failure that only the first run of the batch speaks for. */
const elimination: BisectionVerdict = {
  outcome: 'failed',
  run,
  ofBatch: true,
  confirmed: false,
  reason: 'TEST_RUN_REQUIRED_STATUS_FAILED',
  failedTests: [],
  failures: 1,
}

const isEliminationDoubtful = (queue: QueueView): boolean => {
  const { composition } = run
  const known = { size: 2, prefixes: [composition], verdicts: { [composition]: elimination } }
  return isDoubtful(queue, known, { composition, verdict: elimination })
}

const queueWith = (contradicted: number, verdicts: number): QueueView => ({
  ...newQueue(),
  verdicts: Array.from({ length: verdicts }, (_, index) => ({
    composition: `${index}`,
    run: index,
    outcome: 'failed',
    failedTests: [],
    contradicted: index < contradicted,
  })),
})

describe('a conviction by elimination needs a second failure', () => {
  // E-81
  test.each([
    { contradicted: 0, verdicts: 100, isNeeded: false },
    { contradicted: 1, verdicts: 100, isNeeded: false },
    { contradicted: 2, verdicts: 100, isNeeded: true },
    { contradicted: 1, verdicts: 99, isNeeded: true },
    { contradicted: 1, verdicts: 1, isNeeded: true },
    { contradicted: 0, verdicts: 0, isNeeded: false },
  ])(
    'above 1 %: $contradicted of $verdicts contradicted, $isNeeded',
    ({ contradicted, verdicts, isNeeded }) => {
      expect(isEliminationDoubtful(queueWith(contradicted, verdicts))).toBe(isNeeded)
    },
  )

  // E-81
  test('by the last 100 verdicts: flakes from before are forgotten, one by one', () => {
    const story = new Story({ concurrency: 2 })
    // Two flakes: what passed on top of 1 and of 3 is repeated and fails.
    for (const below of [1, 3]) {
      const above = below + 1
      story.submit(below, above)
      story.pass(`${below} > ${above}`)
      story.restart(above)
      story.fail(`${below} > ${above}`)
      story.pass(`> ${below}`)
    }
    const passMore = (from: number, count: number): void => {
      for (let number = from; number < from + count; number++) {
        story.submit(number)
        story.pass(`> ${number}`)
      }
    }
    // Six verdicts so far; the first flake is the second one of them.
    passMore(101, 94)
    expect(story.queue.verdicts).toHaveLength(100)
    expect(isEliminationDoubtful(story.queue)).toBe(true)
    passMore(201, 1)
    expect(isEliminationDoubtful(story.queue)).toBe(true)
    passMore(301, 1)
    expect(isEliminationDoubtful(story.queue)).toBe(false)
  })
})
