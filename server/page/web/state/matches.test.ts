import { expect, test } from 'vitest'
import { matches } from '../queue/find.tsx'
import { aRow, aWhole, anEnd } from '../testing/frames.ts'
import { fold } from './fold.ts'

const details = { url: null, submittedBy: null, priority: 100, noBatch: false }
const rows = [
  aRow(12, { member: { ...details, title: 'Retry payments', author: 'dana' } }),
  aRow(120, { member: { ...details, title: 'Pay twice', author: 'kim' } }),
]
const state = fold(null, aWhole({ rows, ended: [anEnd(7)] }))

const found = (wish: string): number[] =>
  state ? matches(state, wish).map((each) => each.number) : []

test('words are found in numbers, titles and authors, and all of them must be there', () => {
  expect(found('pay')).toEqual([12, 120])
  expect(found('PAY kim')).toEqual([120])
  expect(found('nobody')).toEqual([])
  expect(found('  ')).toEqual([])
})

test('a whole number comes first, also if the page does not list it', () => {
  expect(found('#12')).toEqual([12, 120])
  expect(found('120')).toEqual([120])
  expect(found('7')).toEqual([7])
  expect(found('4711')).toEqual([4711])
})
