import { describe, expect, test } from 'vitest'
import { configurationFields } from '../../engine/index.ts'
import { spreadOf } from '../measuring/spread.ts'
import type { TuneFigures } from '../tune/figures/figures.ts'
import { figuresWith } from '../tune/testing/trials.ts'
import { bundles, combinationsOf, levers } from './levers.ts'
import { studyOf } from './study.ts'
import { summaryOf } from './summary.ts'

describe('the combinations of levers', () => {
  test('are none, each alone, the bundles, and all together', () => {
    const three = [
      { name: 'a', set: { failedStepAside: true } },
      { name: 'b', set: { screening: true } },
      { name: 'c', set: { convictionByOdds: true } },
    ]
    expect(combinationsOf(three, [['a', 'b']])).toEqual([
      { name: 'no lever', set: {} },
      ...three,
      { name: 'a and b', set: { failedStepAside: true, screening: true } },
      {
        name: 'all together',
        set: { failedStepAside: true, screening: true, convictionByOdds: true },
      },
    ])
  })

  test('a lever turns on settings that are off by default', () => {
    for (const { set } of levers) {
      for (const [field, value] of Object.entries(set)) {
        expect(configurationFields).toHaveProperty([field, 'default'])
        expect(configurationFields).not.toHaveProperty([field, 'default'], value)
      }
    }
  })

  test('a bundle names levers of the list', () => {
    const names = levers.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(bundles.flat()))
  })
})

/** Six seeds, each with another p95; `times` as slow, and with as many evicted. */
const runsWith = (times: number, evicted: number): TuneFigures[] =>
  [10, 20, 40, 80, 160, 320].map((p95, seed) =>
    figuresWith({ p95: p95 * times, evicted: seed + evicted, ciMinutes: null }),
  )

const studyWith = (archetype: string, times: number) =>
  studyOf({ archetype, setting: 'as in the file' }, [
    { lever: 'no lever', runs: runsWith(1, 0) },
    { lever: 'a', runs: runsWith(times, 3) },
  ])

describe('a study of levers', () => {
  test('compares times as ratios and counts as differences, seed by seed', () => {
    const { seeds, rows } = studyWith('small-team', 0.5)
    expect(seeds).toBe(6)
    const [without, lever] = rows
    expect(without).toMatchObject({ lever: 'no lever', effects: null })
    expect(without?.means.p95).toMatchObject({ mean: 105 })
    expect(lever?.effects?.p95?.measure).toBe('ratio')
    expect(lever?.effects?.p95?.size).toMatchObject({ kind: 'always', seeds: 6 })
    expect(lever?.effects?.evicted).toEqual({
      measure: 'difference',
      size: { kind: 'always', value: 3, seeds: 6 },
    })
  })

  test('given nothing landed, there is no cost to compare', () => {
    const [without, lever] = studyWith('small-team', 0.5).rows
    expect(without?.means.ciMinutes).toBeNull()
    expect(lever?.effects?.ciMinutes).toBeNull()
  })

  test('the summary is the median archetype, the least and the most', () => {
    const studies = [0.25, 0.5, 2].map((times, index) => studyWith(`team ${index}`, times))
    const [figure, ...others] = summaryOf(studies)
    expect(others).toEqual([])
    expect(figure).toMatchObject({ name: 'as in the file, a: p95', unit: 'times' })
    const { median, low, high, samples } = spreadOf([0.25, 0.5, 2])
    expect(figure?.value.median).toBeCloseTo(median)
    expect(figure?.value.low).toBeCloseTo(low)
    expect(figure?.value.high).toBeCloseTo(high)
    expect(figure?.value.samples).toBe(samples)
  })
})
