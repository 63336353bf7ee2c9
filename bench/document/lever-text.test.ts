import { expect, test } from 'vitest'
import type { LeverEffect, LeverRow, LeverStudies } from '../measuring/lever-study.ts'
import { leverPage } from './lever-page.ts'
import { harmsIn, leverCells, leversText, verdictOn } from './lever-text.ts'

const interval = (mean: number, low: number, high: number) =>
  ({ kind: 'interval', mean, low, high, seeds: 40 }) as const
const ratio = (mean: number, low: number, high: number): LeverEffect => ({
  measure: 'ratio',
  size: interval(mean, low, high),
})
const difference = (mean: number, low: number, high: number): LeverEffect => ({
  measure: 'difference',
  size: interval(mean, low, high),
})

const means: LeverRow['means'] = {
  p95: interval(155, 122, 190),
  p50: interval(30, 28, 32),
  ciMinutes: interval(18, 17, 19),
  evicted: interval(3, 2, 4),
  unproven: { kind: 'always', value: 0, seeds: 40 },
}

/** Faster, dearer, and with more evicted. */
const effects: LeverRow['effects'] = {
  p95: ratio(0.8, 0.7, 0.9),
  p50: ratio(1.02, 0.97, 1.08),
  ciMinutes: ratio(1.2, 1.1, 1.3),
  evicted: difference(3, 1, 5),
  unproven: { measure: 'difference', size: { kind: 'always', value: 0, seeds: 40 } },
}

const rows = [
  { lever: 'no lever', means, effects: null },
  { lever: 'screening', means, effects },
]

const studies: LeverStudies = {
  studies: [{ archetype: 'small-team', setting: 'as in the file', seeds: 40, rows }],
  inVain: [{ policy: 'Waiting for & with nobody', found: 'Nothing came of it.' }],
}

test('the row without a lever has means, the others ratios and signed differences', () => {
  expect(rows.map(leverCells)).toEqual([
    ['155 (122 to 190)', '30 (28 to 32)', '18 (17 to 19)', '3 (2 to 4)', 'always 0'],
    ['0.8 (0.7 to 0.9)', '1.02 (0.97 to 1.08)', '1.2 (1.1 to 1.3)', '+3 (1 to 5)', 'same'],
  ])
})

test('an effect is judged only if its whole interval is on one side of no change', () => {
  expect(verdictOn(ratio(0.8, 0.7, 0.9))).toBe('better')
  expect(verdictOn(ratio(0.99, 0.9, 1.1))).toBeNull()
  expect(verdictOn(difference(0.8, 0.7, 0.9))).toBe('worse')
  const seen = { kind: 'seen', mean: 2, least: 1.5, most: 3, seeds: 2 } as const
  expect(verdictOn({ measure: 'ratio', size: seen })).toBeNull()
})

test('the text has a table for each queue, and what was tried in vain', () => {
  const text = leversText(studies)
  expect(text).toContain('small-team, as in the file')
  expect(text).toContain('Waiting for & with nobody: Nothing came of it.')
})

test('harms are what a lever makes worse; unproven merges and gains are not', () => {
  expect(harmsIn(studies.studies)).toMatchObject([
    { lever: 'screening', name: 'ciMinutes', text: '1.2 (1.1 to 1.3)' },
    { lever: 'screening', name: 'evicted', text: '+3 (1 to 5)' },
  ])
})

test('the page has a section for each archetype with a picture, and what was tried in vain', async () => {
  const page = await leverPage(studies)
  expect(page).toContain('id="small-team"')
  expect(page).toContain('<svg')
  expect(page).toContain('<span class="good">0.8 (0.7 to 0.9)</span>')
  expect(page).toContain('<span class="bad">1.2 (1.1 to 1.3)</span>')
  expect(page).toContain('Waiting for &amp; with nobody')
})
