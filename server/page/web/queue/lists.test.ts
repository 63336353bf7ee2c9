import { expect, test } from 'vitest'
import { changesBetween, shownWaiting } from './lists.tsx'
import { aGroup, aRow, aWhole, anEnd } from '../testing/frames.ts'
import { figuresOf, fold, ordinal, placesOf } from '../state/fold.ts'
import { matches } from './find.tsx'

const shown = (...numbers: number[]) => numbers.map((number) => aRow(number))

test('the table lists those that wait in order; who is not ready has no place and does not count', () => {
  const rows = [
    aRow(9, { state: 'NOT_READY' }),
    aRow(3),
    aRow(5),
    aRow(1, { state: 'TESTING' }),
    // It waits in a group of the line.
    aRow(2),
  ]
  const state = fold(null, aWhole({ rows, waiting: { order: [5, 3, 9], total: 3 } }))
  expect(state && shownWaiting(state).map(({ number }) => number)).toEqual([5, 3, 9])
  expect(state && [...placesOf(state).keys()]).toEqual([5, 3])
  expect(state && figuresOf(state)).toMatchObject({ waiting: 3, notReady: 1, testing: 1 })
})

test('a table that is held still counts who has come and who has gone', () => {
  expect(changesBetween(shown(1, 2, 3), shown(1, 2, 3))).toBe(0)
  expect(changesBetween(shown(1, 2, 3), shown(2, 3, 4, 5))).toBe(3)
  expect(changesBetween(shown(1, 2), shown(2, 1))).toBe(1)
})

test('places count the line and then those that wait, without those in a bisection', () => {
  const line = { groups: [aGroup(1, [7]), aGroup(2, [10, 8, 11])], bisections: [] }
  const rows = [aRow(8, { isBisected: true })]
  const state = fold(null, aWhole({ line, rows, waiting: { order: [20], total: 1 } }))
  expect(state && [...placesOf(state)]).toEqual([
    [7, 1],
    [10, 2],
    [11, 3],
    [20, 4],
  ])
})

test('ordinals are English', () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 102, 111, 1023].map((place) => ordinal(place))).toEqual(
    '1st 2nd 3rd 4th 11th 12th 13th 21st 102nd 111th 1,023rd'.split(' '),
  )
  expect(ordinal(undefined)).toBe('')
})

const details = { url: null, submittedBy: null, priority: 100, noBatch: false }
const titled = [
  aRow(12, { member: { ...details, title: 'Retry payments', author: 'dana' } }),
  aRow(120, { member: { ...details, title: 'Pay twice', author: 'kim' } }),
]
const waiting = { order: [12, 120], total: 2 }
const state = fold(null, aWhole({ rows: [...titled, anEnd(7)], waiting }))

const found = (query: string): number[] =>
  state ? matches(state, query).map((each) => each.number) : []

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
