import { createColors } from 'picocolors'
import { describe, expect, test } from 'vitest'
import seedrandom from 'seedrandom'
import {
  benchmarkText,
  changesBetween,
  changesText,
  documentOf,
  inWords,
  missedIn,
  spreadInWords,
  verdictText,
} from './document.ts'
import type { BenchDocument, BenchmarkResult } from './document.ts'
import {
  atLeast,
  atMost,
  measured,
  ratioOf,
  spreadOf,
  target,
  type Measured,
  medianRatioOf,
} from './measurement.ts'

const plain = createColors(false)

const documentWith = (found: Measured, quick = false): BenchDocument =>
  documentOf([{ name: 'a', title: 'something', ...found }], quick, new Date(0))

function resultIn({ benchmarks: [only] }: BenchDocument): BenchmarkResult {
  if (!only) throw new Error('nothing in it')
  return only
}

const taking = (...ns: number[]): Measured =>
  measured({ figures: [{ name: 'it', unit: 'ns', value: spreadOf(ns) }] })

describe('several measurements of one figure', () => {
  test('have a median and a range', () => {
    expect(spreadOf([5, 1, 3])).toEqual({ median: 3, low: 1, high: 5, samples: 3 })
    expect(spreadOf([4, 1, 2, 3]).median).toBe(2.5)
    expect(() => spreadOf([])).toThrow('nothing was measured')
  })

  test('given a slow round, the ratio of that round is unchanged', () => {
    expect(ratioOf([20, 400, 22], [10, 200, 11])).toEqual(spreadOf([2, 2, 2]))
    expect(() => ratioOf([1, 2], [1])).toThrow('both figures of every round')
  })
})

describe('figures as text', () => {
  test.each([
    [840, 'ns', '840 ns'],
    [12_340, 'ns', '12.3 µs'],
    [1.5e9, 'ns', '1.5 s'],
    [0.25, 'ns', '0.25 ns'],
    [400 * 2 ** 20, 'bytes', '400 MiB'],
    [1.5 * 2 ** 30, 'bytes', '1.5 GiB'],
    [8745.2, 'per second', '8,745 per second'],
    [1.038, 'times', '1.04 times'],
    [0.9, 'share', '90 %'],
  ] as const)('%d %s is %s', (value, unit, words) => {
    expect(inWords(value, unit)).toBe(words)
  })

  test('a range has the unit of its median; a single sample has none', () => {
    expect(spreadInWords(spreadOf([900, 1500, 4000]), 'ns')).toBe('0.9 to 4')
    expect(spreadInWords(spreadOf([900]), 'ns')).toBe('')
    expect(spreadInWords(spreadOf([0.5, 0.75]), 'share')).toBe('50 to 75')
  })
})

describe('targets', () => {
  const judged = measured({
    targets: [
      target('it costs', 'times', spreadOf([30, 41, 50]), atMost(40)),
      target('it keeps', 'share', spreadOf([0.8, 0.91]), atLeast(0.75)),
    ],
  })

  test('are judged by the median', () => {
    const document = documentWith(judged)
    expect(judged.targets.map(({ isMet }) => isMet)).toEqual([false, true])
    expect(missedIn(document)).toBe(1)
    const text = benchmarkText(resultIn(document), false, plain)
    expect(text).toContain('MISSED  it costs: 41 times (30 to 50), at most 40 times')
    expect(text).toContain('met     it keeps: 85.5 % (80 to 91), at least 75 %')
    expect(verdictText(document, plain)).toBe('MISSED  1 of 2 targets\n')
  })

  test('given a quick run, no target is judged', () => {
    const document = documentWith(judged, true)
    expect(missedIn(document)).toBe(0)
    expect(benchmarkText(resultIn(document), true, plain)).toContain('unjudged it costs')
    expect(verdictText(document, plain)).toContain('only a full run measures costs')
  })
})

describe('two runs, compared', () => {
  test('have a ratio for each figure; overlapping ranges are marked as noise', () => {
    const old = documentWith(taking(90, 100, 110))
    const [slower] = changesBetween(old, documentWith(taking(190, 200, 210)))
    expect(slower).toMatchObject({ figure: 'it', old: 100, now: 200, ratio: 2, isNoise: false })
    const [same] = changesBetween(old, documentWith(taking(95, 105, 120)))
    expect(same).toMatchObject({ ratio: 1.05, isNoise: true })
    expect(changesText(slower ? [slower] : [], plain)).toContain('2 x')
  })

  test('given different benchmarks, only figures in both runs are compared', () => {
    const other: BenchDocument = { ...documentWith(taking(1)), benchmarks: [] }
    expect(changesBetween(other, documentWith(taking(1)))).toEqual([])
    expect(changesText([], plain)).toContain('the two runs have no figure in common')
  })
})

// Ratios of figures that are measured in turns, and how sure their median is.

const ones = (count: number): number[] => Array.from({ length: count }, () => 1)

test.each([12, 120])(
  'of %i rounds, the range holds the true median in 95 of 100 cases',
  (rounds) => {
    const draw = seedrandom.tychei('rounds')
    const trials = Array.from({ length: 2000 }, () => {
      // Skewed, as times are: half of the ratios lie below 2.
      const ratios = Array.from({ length: rounds }, () => 4 ** draw())
      return medianRatioOf(ratios, ones(rounds))
    })
    const held = trials.filter(({ low, high }) => low <= 2 && 2 <= high).length / trials.length
    expect(held).toBeGreaterThan(0.935)
    expect(held).toBeLessThan(0.99)
  },
)

test('the median of many rounds is that of all ratios, and a single slow round does not move it', () => {
  const under = [1, 2, 4, 8, 16]
  const over = [2, 4, 8, 16, 3200]
  expect(medianRatioOf(over, under)).toMatchObject({ median: 2, samples: 5 })
  expect(ratioOf(over, under)).toEqual({ median: 2, low: 2, high: 200, samples: 5 })
})

test('a round of which one figure is missing is refused', () => {
  expect(() => medianRatioOf([1, 2], [1])).toThrow('both figures of every round')
})
