import { describe, expect, test } from 'vitest'
import type { Verdict } from '../final/verdict.ts'
import { trialWith } from '../testing/trials.ts'
import { contestOf, leadOver, luckOf } from './leads.ts'

const today = trialWith({})
const optimistic = trialWith({ p95: 50 }, { set: { 'queue.canOptimisticallyMerge': true } })
const deeper = trialWith(
  { p95: 51 },
  { set: { 'queue.canOptimisticallyMerge': true, 'queue.pendingFailureDepth': 1 } },
)
const batches = trialWith({ p95: 70 }, { set: { 'queue.batch': true } })
const stuck = { ...batches, isTooSlow: true }
const final = { rivals: [optimistic, deeper, batches], least: 0.1 }

const contest = (verdict: Verdict, rivals = final.rivals) =>
  contestOf(verdict, today, { ...final, rivals })

// S-232
describe('who is compared with whom', () => {
  const change: Verdict = {
    ...{ kind: 'change', because: 'better', tied: [] },
    ...{ choice: optimistic, best: optimistic },
  }

  test("given advice to change, today's setting, and the best of another kind with some slack", () => {
    expect(contest(change)).toEqual({
      subject: optimistic,
      rivals: [
        { trial: today, slack: 0 },
        { trial: batches, slack: 0.1 },
      ],
    })
  })

  test('given no other kind that keeps up, the best other setting', () => {
    expect(contest(change, [optimistic, deeper, stuck])?.rivals[1]?.trial).toBe(deeper)
  })

  test("given that today's setting is not allowed, it is no rival", () => {
    const forced = contest({ ...change, because: 'today is not allowed' })
    expect(forced?.rivals.map(({ trial }) => trial)).toEqual([batches])
  })

  test('given advice to keep, the best other setting, which must not be better by the least effect', () => {
    const keep: Verdict = { kind: 'keep', choice: today, best: deeper, tied: [] }
    expect(contest(keep)).toEqual({ subject: today, rivals: [{ trial: deeper, slack: 0.1 }] })
    expect(contest({ ...keep, best: today })?.rivals[0]?.trial).toBe(optimistic)
  })

  test('given that nobody can tell, nobody', () => {
    const unsure: Verdict = {
      ...{ kind: 'unsure', moreSeeds: 40, tied: [] },
      ...{ choice: today, best: deeper },
    }
    expect(contest(unsure)).toBeNull()
  })

  test.each(['empty', 'always'] as const)('given the verdict %s, nobody', (kind) => {
    expect(contest({ kind, choice: today, best: optimistic, tied: [] })).toBeNull()
  })
})

// S-232
describe('the lead', () => {
  test('is that of the logarithms of the scores, with the slack besides', () => {
    const lead = leadOver(optimistic, { trial: today, slack: 0 }, 'time')
    expect(lead?.mean).toBeCloseTo(Math.log(2), 12)
    const behind = leadOver(today, { trial: optimistic, slack: 0.1 }, 'time')
    expect(behind?.mean).toBeCloseTo(Math.log(1.1) - Math.log(2), 12)
  })

  test('is surely less than on average', () => {
    const noisy = trialWith({ p95: 80 }, { own: 0.5 })
    const lead = leadOver(noisy, { trial: today, slack: 0 }, 'time')
    expect(lead?.surely).toBeLessThan(lead?.mean ?? NaN)
  })

  test('over a setting that does not keep up has no end, and nobody leads if neither does', () => {
    const none = { ...stuck, runs: [] }
    expect(leadOver(today, { trial: none, slack: 0 }, 'time')?.mean).toBe(Infinity)
    expect(leadOver(none, { trial: today, slack: 0 }, 'time')?.mean).toBe(-Infinity)
    expect(leadOver(none, { trial: none, slack: 0 }, 'time')).toBeNull()
  })
})

// S-232
test('the luck of the first seeds is the lead on them beyond that on all', () => {
  // The first five seeds of this setting are twice as fast, and the other five as fast as today's.
  const half = trialWith({}, { seeds: 10 })
  const runs = half.runs.map((run, index) => ({
    ...run,
    p95: (run.p95 ?? 0) / (index < 5 ? 2 : 1),
  }))
  const rival = { trial: trialWith({}, { seeds: 10 }), slack: 0 }
  const luck = luckOf({ ...half, runs }, rival, { preference: 'time', count: 5 })
  expect(luck).toBeCloseTo(Math.log(2) / 2, 12)
})
