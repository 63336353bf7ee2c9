/** Tables and texts in a terminal that is narrower than they are. */

import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { colorsFor, outputOf } from './output.ts'
import { columns, folded } from './text.ts'

const rows = [
  ['', 'merged', 'failed', 'what was set'],
  ['today', '12', '3', 'nothing'],
  ['best', '14', '1', 'batches of four'],
]

//
test('what does not fit beside the first column is in a table below, which begins with it again', () => {
  const whole = columns(rows, [1, 2])
  expect(columns(rows, [1, 2], 100)).toBe(whole)
  expect(columns(rows, [1, 2], 30)).toBe(
    [
      '       merged  failed',
      'today      12       3',
      'best       14       1',
      '',
      '       what was set',
      'today  nothing',
      'best   batches of four',
      '',
    ].join('\n'),
  )
})

//
test('a long last column stays beside the others, and goes on below itself', () => {
  const long = [...rows, ['other', '1', '1', 'batches of four, and a wait '.repeat(3).trim()]]
  const table = folded(columns(long, [1, 2], 70), 70)
  expect(table).toContain('other       1       1  batches of four, and a wait batches of four,')
  expect(table).toContain(`\n${' '.repeat(23)}and a wait`)
})

//
test('colours take no room', () => {
  const { bold } = colorsFor(outputOf(Object.assign(new PassThrough(), { isTTY: true })), {})
  const text = `${bold('settings')} of the final, ${bold('means')} of ten seeds`
  expect(folded(text, 41)).toBe(text)
  expect(folded(text, 30)).toBe(text.replace(' of ten', '\nof ten'))
})
