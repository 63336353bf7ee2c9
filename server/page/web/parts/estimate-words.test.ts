import { expect, test } from 'vitest'
import { estimateWords } from './time-words.ts'

const at = (hour: number, minute: number, second = 0): string =>
  new Date(2026, 2, 18, hour, minute, second).toISOString()
const now = Date.parse(at(14, 0))

test('a forecast near by is told to the minute, others in steps of five', () => {
  const near = {
    kind: 'range',
    median: at(14, 12, 40),
    from: at(14, 7),
    to: at(15, 8),
    lands: 1,
  } as const
  expect(estimateWords(near, now)).toEqual({
    short: '~14:12',
    range: '14:07 to 15:10',
    remark: null,
  })
})

test('a forecast says if it may not land', () => {
  const range = { kind: 'range', median: at(14, 12), from: at(14, 7), to: at(14, 20) } as const
  expect(estimateWords({ ...range, lands: 0.9 }, now).remark).toBeNull()
  expect(estimateWords({ ...range, lands: 0.7 }, now).remark).toBe(
    'It may fail: 3 of 10 forecasts end without landing.',
  )
})

test('what nobody knows has its reason', () => {
  const words = estimateWords({ kind: 'unknown', why: 'The queue is paused.' }, now)
  expect(words).toEqual({ short: 'unknown', range: null, remark: 'The queue is paused.' })
  expect(estimateWords(null, now).short).toBe('')
})
