import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { centreOf, endsOf, intervalOf } from '../../sim/statistics/interval.ts'
import { roundedText } from '../../sim/campaign/document.ts'
import { rangeOfSeeds } from '../tune/verdict.ts'
import {
  differenceOf,
  jointConfidence,
  readingOf,
  holm,
  judgedTogether,
  pValueOf,
  pairedCounts,
  pairedRatios,
  ratioOf,
  cellText,
  figure,
} from './effects.ts'

/** Times in queue of twelve seeds. */
const today = [98, 214, 120, 350, 133, 141, 180, 99, 162, 240, 128, 155]

const times = (factor: number): number[] =>
  today.map((value, index) => value * factor * (1 + 0.02 * Math.sin(index)))

describe('differences', () => {
  test('are wider for a higher confidence level', () => {
    const numbers = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 5, maxLength: 30 })
    fc.assert(
      fc.property(numbers, (values) => {
        const zeros = values.map(() => 0)
        const usual = differenceOf(values, zeros)
        const joint = differenceOf(values, zeros, jointConfidence(20))
        if (!usual || !joint) throw new Error('no pairs')
        expect(endsOf(joint).low).toBeLessThanOrEqual(endsOf(usual).low)
        expect(endsOf(joint).high).toBeGreaterThanOrEqual(endsOf(usual).high)
      }),
    )
  })

  test('given paired series with the same noise, a small difference is significant', () => {
    const noise = [100, 900, 400, 700, 200, 800]
    const shifted = noise.map((value, index) => value - 10 - index)
    const difference = differenceOf(shifted, noise)
    expect(difference && centreOf(difference)).toBe(-12.5)
    expect(difference && readingOf(difference)).toBe('less')
  })

  test('given a missing number, its pair does not count', () => {
    const difference = differenceOf([1, null, 5], [0, 3, 4])
    expect(difference).toEqual({ kind: 'always', value: 1, seeds: 2 })
    expect(differenceOf([null], [1])).toBeNull()
  })

  test('are significant if the interval excludes zero and there are enough pairs', () => {
    const interval = (low: number, high: number, seeds = 6) =>
      ({ kind: 'interval', mean: (low + high) / 2, low, high, seeds }) as const
    expect(readingOf({ kind: 'always', value: 0, seeds: 6 })).toBe('the same')
    expect(readingOf({ kind: 'always', value: -2, seeds: 6 })).toBe('less')
    expect(readingOf({ kind: 'always', value: -2, seeds: 5 })).toBe('cannot tell')
    expect(readingOf({ kind: 'seen', mean: 2, least: 1, most: 3, seeds: 4 })).toBe('cannot tell')
    expect(readingOf(interval(-1, 3))).toBe('cannot tell')
    expect(readingOf(interval(1, 3))).toBe('more')
    expect(readingOf(interval(-3, -1))).toBe('less')
    expect(readingOf(interval(-3, -1, 5))).toBe('cannot tell')
  })
})

describe('ratios', () => {
  // S-224
  test('given series that differ by a factor, are that factor, however skewed the series are', () => {
    const found = ratioOf(times(0.55), today)
    expect(found?.measure).toBe('ratio')
    const { low, high } = endsOf(found?.size ?? { kind: 'always', value: NaN, seeds: 0 })
    expect(low).toBeGreaterThan(0.54)
    expect(high).toBeLessThan(0.56)
    expect(ratioOf([2, 8], [1, 4])).toEqual({
      measure: 'ratio',
      size: { kind: 'always', value: 2, seeds: 2 },
    })
  })

  // S-224
  test('given a zero, are differences; a missing number leaves its pair out', () => {
    expect(ratioOf([0, 4, 7], [1, 3, 3])).toMatchObject({
      measure: 'difference',
      size: { kind: 'seen', least: -1, most: 4 },
    })
    expect(ratioOf([2, null, 8], [1, 3, 4])?.size).toMatchObject({ seeds: 2 })
    expect(ratioOf([null], [3])).toBeNull()
  })

  // S-224
  test('given fewer than five pairs, have no interval', () => {
    expect(ratioOf([2, 3, 4, 5], [1, 1, 1, 1])?.size.kind).toBe('seen')
    expect(ratioOf([2, 3, 4, 5, 6], [1, 1, 1, 1, 1])?.size.kind).toBe('interval')
  })
})

/** The interval of its level excludes the null hypothesis. */
const significantIn = (pValues: readonly number[]): boolean[] =>
  holm(pValues).map((level, index) => (pValues[index] ?? 1) <= 1 - level)

describe('several comparisons', () => {
  // S-225
  test('are corrected by Holm: the least p-value is compared with alpha / m, and so on', () => {
    const pValues = [0.04, 0.001, 0.02, 0.012]
    expect(significantIn(pValues)).toEqual([true, true, true, true])
    expect(holm(pValues).map((level) => level.toFixed(4))).toEqual([
      '0.9500',
      '0.9875',
      '0.9750',
      '0.9833',
    ])
  })

  // S-225
  test('given one that is not significant, no larger p-value is', () => {
    const pValues = [0.03, 0.04, 0.001]
    expect(significantIn(pValues)).toEqual([false, false, true])
    expect(holm(pValues).map((level) => level.toFixed(4))).toEqual(['0.9750', '0.9750', '0.9833'])
    expect(holm([])).toEqual([])
  })

  // S-225
  test('given many settings that differ by chance alone, none is worth acting on', () => {
    const alike = Array.from({ length: 40 }, (_, k) =>
      pairedRatios(
        today.map((value, index) => value * Math.exp(0.3 * Math.sin(7 * k + 3 * index * index))),
        today,
      ),
    )
    const kinds = judgedTogether(alike).map(({ verdict }) => verdict.kind)
    expect(kinds).not.toContain('do')
    expect(kinds).not.toContain('do not')
  })
})

describe('an effect', () => {
  const verdictFor = (factor: number) => {
    const [judged] = judgedTogether([pairedRatios(times(factor), today)])
    if (!judged) throw new Error('not judged')
    return judged
  }

  // S-226
  test('is worth acting on if it is surely larger than the least effect', () => {
    expect(verdictFor(0.55).verdict).toEqual({ kind: 'do' })
    expect(verdictFor(1.4).verdict).toEqual({ kind: 'do not' })
  })

  // S-226
  test('makes no difference if it is surely within the least effect', () => {
    for (const factor of [0.95, 1])
      expect(verdictFor(factor).verdict).toEqual({ kind: 'no difference' })
  })

  // S-226
  test('given a wide interval, cannot be told, and how many more seeds would', () => {
    const noisy = today.map((value, index) => value * (index % 2 === 0 ? 0.5 : 1.4))
    const { verdict } = judgedTogether([pairedRatios(noisy, today)])[0] ?? verdictFor(1)
    expect(verdict).toEqual({ kind: 'cannot tell', moreSeeds: 260 })
  })

  // S-226
  test('given fewer than ten seeds or no draws, cannot be told', () => {
    const few = judgedTogether([pairedRatios(times(0.5).slice(0, 6), today.slice(0, 6))])
    expect(few[0]?.verdict).toEqual({ kind: 'cannot tell', moreSeeds: 4 })
    const ones = today.map(() => 1)
    const determined = judgedTogether([
      pairedRatios(
        ones,
        today.map(() => 2),
      ),
    ])
    expect(determined[0]?.verdict).toEqual({ kind: 'cannot tell', moreSeeds: null })
    const same = judgedTogether([pairedCounts(ones, ones)])
    expect(same[0]?.verdict).toEqual({ kind: 'no difference' })
  })

  // S-226
  test('has an interval that agrees with its verdict', () => {
    const noise = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
      minLength: 10,
      maxLength: 30,
    })
    fc.assert(
      fc.property(fc.array(noise, { minLength: 1, maxLength: 6 }), (all) => {
        const paired = all.map((logs) =>
          pairedRatios(
            logs.map((log) => Math.exp(log - 0.4)),
            logs.map(() => 1),
          ),
        )
        for (const { effect, verdict } of judgedTogether(paired)) {
          if (effect?.size.kind !== 'interval') continue
          const { low, high } = effect.size
          const read = high < 0.9 ? 'do' : low > 1.1 ? 'do not' : 'neither'
          const told = verdict.kind === 'do' || verdict.kind === 'do not' ? verdict.kind : 'neither'
          expect(told).toBe(read)
        }
      }),
    )
  })

  test('of counts is compared with a share of the mean, or of one', () => {
    const many = pairedCounts(
      today.map((_, index) => 100 + (index % 3)),
      today.map(() => 100),
    )
    expect(judgedTogether([many])[0]?.verdict).toEqual({ kind: 'no difference' })
    const none = pairedCounts(
      today.map((_, index) => 1 + (index % 3)),
      today.map(() => 0),
    )
    expect(judgedTogether([none])[0]?.verdict).toEqual({ kind: 'do not' })
    expect(pValueOf(none, 0.1)).toBeLessThan(0.001)
    expect(pValueOf(many, 0.1)).toBe(1)
  })
})

// S-223
test('the range of single seeds holds 80 % of the seeds', () => {
  const values = Array.from({ length: 99 }, (_, index) => index + 1)
  expect(rangeOfSeeds(values)).toEqual({ low: 10, high: 90 })
  expect(rangeOfSeeds(values.toReversed())).toEqual(rangeOfSeeds(values))
  expect(rangeOfSeeds(values.slice(0, 9))).toBeNull()
})

describe('as text', () => {
  // S-221
  test('no interval is printed that does not exist', () => {
    const interval = { kind: 'interval', mean: 155.4, low: 122, high: 190, seeds: 20 } as const
    expect(cellText(interval)).toBe('155 (122 to 190)')
    expect(cellText(intervalOf([98, 214, 120, 150, 133, 141]))).toBe('98 to 214')
    expect(cellText(intervalOf([3]))).toBe('3')
    expect(cellText(intervalOf([1.76, 1.76]))).toBe('always 1.76')
    // As in the summary of a campaign.
    expect(figure(0.075)).toBe(roundedText(0.075, 'whole'))
    expect(cellText(intervalOf([98, 214]))).toBe('98 to 214')
    expect(cellText(null)).toBe('-')
  })
})
