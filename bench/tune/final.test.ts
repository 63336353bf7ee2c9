import { describe, expect, test } from 'vitest'
import { scenarioOf } from '../../sim/testing/simulated.ts'
import { alikeOf } from './document.ts'
import type { Trial } from './runner.ts'
import { figuresWith, trialWith } from './testing/trials.ts'
import { isNoDifference, surelyBetter } from './final.ts'
import { type Final, effectsOf, idleOf, isAlways, isEmpty, verdictOf } from './verdict.ts'
import { holdsIn, stretchesOf } from './stretches.ts'

const today = trialWith({})
const fewer = { 'queue.concurrency': 5 }
const [optimistic, batches] = [{ 'queue.canOptimisticallyMerge': true }, { 'queue.batch': true }]

function verdict(rivals: readonly Trial[], more: Partial<Final> = {}) {
  const final = { today, rivals, preference: 'balance', least: 0.1, isTodayAllowed: true } as const
  return verdictOf({ ...final, ...more })
}

// S-72
describe('the verdict', () => {
  test('given a setting that is surely better by more than the least effect, it is advised', () => {
    const half = trialWith({ p95: 50 }, { set: optimistic, own: 0.05 })
    expect(verdict([half])).toMatchObject({ kind: 'change', because: 'better', choice: half })
  })

  test('given a sure effect below the least one, there is no reason to change', () => {
    const little = trialWith({ p95: 95, ciMinutes: 19 }, { set: optimistic, own: 0.01 })
    expect(verdict([little])).toMatchObject({ kind: 'keep', choice: today, best: little })
    expect(verdict([little], { least: 0.02 })).toMatchObject({ kind: 'change', choice: little })
  })

  test('given an effect that may be chance, it is unsure, and says how many seeds would tell', () => {
    const noisy = trialWith({ p95: 80, ciMinutes: 18 }, { set: optimistic, own: 0.5 })
    expect(verdict([noisy])).toMatchObject({ kind: 'unsure', choice: today, best: noisy })
    const { kind, ...rest } = verdict([noisy])
    expect(kind === 'unsure' && 'moreSeeds' in rest && rest.moreSeeds).toBeGreaterThan(10)
  })

  test('given fewer than ten seeds, nothing is advised', () => {
    const half = trialWith({ p95: 20 }, { set: optimistic, seeds: 6, own: 0.01 })
    const few = { today: trialWith({}, { seeds: 6 }) }
    expect(verdict([half], few)).toMatchObject({ kind: 'unsure', moreSeeds: 4 })
  })

  test('given a tie, the fewest changed fields win, then the fewest unproven merges', () => {
    const best = trialWith({ p95: 49 }, { set: { ...optimistic, ...fewer } })
    const simple = trialWith({ p95: 50, unproven: 9 }, { set: optimistic })
    const safe = trialWith({ p95: 51, unproven: 3 }, { set: batches })
    const worse = trialWith({ p95: 80 }, { set: fewer })
    expect(verdict([best, simple, safe, worse])).toMatchObject({
      kind: 'change',
      choice: safe,
      best,
      tied: [best, simple],
    })
  })

  test('a setting with which main is broken for longer is never advised', () => {
    const risky = trialWith({ p95: 20, broken: 60 }, { set: optimistic })
    const runs = risky.runs.map((run, index) => ({ ...run, broken: 60 + index }))
    expect(verdict([{ ...risky, runs }])).toMatchObject({ kind: 'keep', best: today })
  })

  test("given that today's setting is not allowed, the best that is allowed is advised", () => {
    const slower = trialWith({ p95: 130 }, { set: optimistic })
    expect(verdict([slower], { isTodayAllowed: false })).toMatchObject({
      kind: 'change',
      because: 'today is not allowed',
      choice: slower,
    })
  })

  test('given the preference for safety, fewer unproven merges count', () => {
    const base = trialWith({ unproven: 100 })
    const safe = trialWith({ p95: 200, unproven: 0 }, { set: optimistic })
    const [runs, before] = [safe, base].map((trial) =>
      trial.runs.map((run, index) => ({ ...run, unproven: (run.unproven ?? 0) + (index % 3) })),
    )
    const rival = {
      ...safe,
      runs: runs?.map((run, index) => ({ ...run, unproven: index % 2 })) ?? [],
    }
    const final = { today: { ...base, runs: before ?? [] }, preference: 'safety' } as const
    expect(verdict([rival], final)).toMatchObject({ kind: 'change', choice: rival })
  })
})

// S-231
describe('no advice', () => {
  test('given that nothing lands, says so', () => {
    const nothing = { landed: 0, p95: null, ciMinutes: null }
    expect(verdict([], { today: trialWith(nothing) })).toMatchObject({ kind: 'empty' })
    expect(isEmpty([figuresWith({ landed: 0 }), figuresWith({ landed: 1 })])).toBe(false)
  })

  test('given that every seed gives the same figures, says so', () => {
    const fixed = (p95: number): Trial => {
      const trial = trialWith({}, { set: p95 === 100 ? {} : optimistic })
      return { ...trial, runs: trial.runs.map(() => figuresWith({ p95 })) }
    }
    expect(verdict([fixed(10)], { today: fixed(100) })).toMatchObject({
      kind: 'always',
      choice: { candidate: { isToday: true } },
    })
    expect(isAlways([[figuresWith({})]])).toBe(false)
    expect(isAlways([[figuresWith({}), figuresWith({ p95: 1 })]])).toBe(false)
  })

  test('given that nobody waits and slots are free, the queue is idle', () => {
    const quiet = { queueP95: 31, runP95: 30, peakMainRuns: 4 }
    const half = trialWith({ p95: 50 }, { set: optimistic })
    expect(verdict([half], { today: trialWith(quiet) })).toMatchObject({
      kind: 'idle',
      queueP95: 31,
      runP95: 30,
      peakSlots: 4,
      concurrency: 10,
    })
    expect(idleOf([figuresWith(quiet)], 4)).toBeNull()
    expect(idleOf([figuresWith({ ...quiet, queueP95: 32 })], 10)).toBeNull()
    expect(idleOf([figuresWith({ ...quiet, queueP95: null })], 10)).toBeNull()
  })

  // S-231
  test('given an idle queue and the preference for cost, a cheaper setting is advised', () => {
    const quiet = trialWith({ queueP95: 31, runP95: 30, peakMainRuns: 4 })
    const cheaper = trialWith({ p95: 150, ciMinutes: 5 }, { set: optimistic })
    expect(verdict([cheaper], { today: quiet, preference: 'cost' })).toMatchObject({
      kind: 'change',
      choice: cheaper,
    })
  })

  // S-231
  test('given one slot, as bors has, the queue is idle if nobody waits', () => {
    const quiet = { queueP95: 31, runP95: 30, peakMainRuns: 1 }
    expect(idleOf([figuresWith(quiet)], 1)).toEqual({
      queueP95: 31,
      runP95: 30,
      peakSlots: 1,
      concurrency: 1,
    })
    expect(idleOf([figuresWith({ ...quiet, queueP95: 32 })], 1)).toBeNull()
  })
})

test('what makes no difference is surely within the least effect in time and cost, and as safe', () => {
  expect(isNoDifference(trialWith({ p95: 103 }, { own: 0.01 }), today, 0.1)).toBe(true)
  expect(isNoDifference(trialWith({ p95: 120 }, { own: 0.01 }), today, 0.1)).toBe(false)
  expect(isNoDifference(trialWith({ p95: 103 }, { own: 0.5 }), today, 0.1)).toBe(false)
  expect(isNoDifference(trialWith({ unproven: 5 }, { own: 0.01 }), today, 0.1)).toBe(false)
})

describe('the neighbours of the choice', () => {
  const judged = { preference: 'balance', least: 0.1 } as const

  test('compete with it if they are surely better by more than the least effect', () => {
    const [better, little, noisy] = [
      trialWith({ p95: 60 }, { set: optimistic, own: 0.05 }),
      trialWith({ p95: 90 }, { set: batches, own: 0.01 }),
      trialWith({ p95: 80 }, { set: fewer, own: 0.5 }),
    ]
    expect(surelyBetter([better, little, noisy], today, judged)).toEqual([better])
    expect(surelyBetter([better], trialWith({ p95: 60 }), judged)).toEqual([])
  })

  test('are judged together: what is sure of one alone may be chance among many', () => {
    const one = trialWith({ p95: 60, ciMinutes: 18 }, { set: optimistic, own: 0.25, seeds: 12 })
    const base = trialWith({}, { seeds: 12 })
    const many = Array.from({ length: 60 }, () => trialWith({}, { set: batches, seeds: 12 }))
    expect(surelyBetter([one], base, judged)).toEqual([one])
    expect(surelyBetter([one, ...many], base, judged)).toEqual([])
  })
})

test('effects of several settings are wider than that of one alone', () => {
  const others = [50, 60, 70].map((p95) => trialWith({ p95 }, { set: optimistic, own: 0.2 }))
  const widthOf = (trials: readonly Trial[]): number => {
    const size = effectsOf(trials, today, 0.1).at(-1)?.p95?.size
    return size?.kind === 'interval' ? size.high - size.low : NaN
  }
  expect(widthOf(others)).toBeGreaterThan(widthOf(others.slice(2)))
})

test("settings with the very same figures are alike; today's stands for them, else the fewest changes", () => {
  const same = trialWith({}, { set: optimistic })
  const [simple, complex] = [optimistic, { ...optimistic, ...fewer }].map((set) =>
    trialWith({ p95: 50 }, { set }),
  )
  const other = trialWith({ p95: 51 }, { set: batches })
  const all = [same, complex, simple, other, today].filter((trial) => trial !== undefined)
  expect([...alikeOf(all, other)]).toEqual([
    [same, today],
    [complex, simple],
  ])
  expect([...alikeOf(all, complex ?? other)].at(-1)).toEqual([simple, complex])
})

// S-235
describe('the stretches of a history', () => {
  const entries = Array.from({ length: 240 }, (_, index) => ({
    number: index + 1,
    at: 360 * index,
    ...(index === 65 ? { fixes: [1, 67] } : {}),
  }))

  test('are four with as many pull requests each, each from the first days on', () => {
    const stretches = stretchesOf(scenarioOf({ pullRequests: entries }))
    expect(stretches.map(({ days }) => days).reduce((sum, days) => sum + days, 0)).toBe(61)
    for (const { pullRequests } of stretches) {
      expect(Math.abs(pullRequests.length - 60)).toBeLessThanOrEqual(4)
      expect(pullRequests[0]?.at).toBeLessThan(1440)
    }
    const all = stretches.flatMap(({ pullRequests }) => pullRequests)
    expect(all.map(({ number }) => number)).toEqual(entries.map(({ number }) => number))
    expect(all[65]?.fixes).toEqual([67])
  })

  test('are fewer if one day has more pull requests than a stretch, and none is empty', () => {
    const busy = entries.map((entry, index) => ({ ...entry, at: index < 120 ? index : entry.at }))
    const stretches = stretchesOf(scenarioOf({ pullRequests: busy }))
    expect(stretches.map(({ pullRequests }) => pullRequests.length)[0]).toBeGreaterThanOrEqual(120)
    expect(stretches.length).toBeLessThan(4)
    expect(stretches.every(({ pullRequests }) => pullRequests.length > 0)).toBe(true)
    expect(stretches.flatMap(({ pullRequests }) => pullRequests)).toHaveLength(240)
  })

  test('are none in a short history, and none in traffic that is drawn', () => {
    expect(stretchesOf(scenarioOf({ pullRequests: entries.slice(0, 199) }))).toEqual([])
    expect(stretchesOf(scenarioOf({ traffic: { count: 400 } }))).toEqual([])
  })

  test('may be worse in one, not in two', () => {
    const results = (...better: readonly boolean[]) =>
      better.map((isBetter) => ({ days: 10, pullRequests: 60, isBetter }))
    expect(holdsIn(results(true, false, true, true))).toBe(true)
    expect(holdsIn(results(true, false, false, true))).toBe(false)
    expect(holdsIn([])).toBe(true)
  })
})
