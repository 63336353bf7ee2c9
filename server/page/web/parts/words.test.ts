import { expect, test } from 'vitest'
import { clock, lasting, lastingMinutes, estimateWords } from './time-words.ts'
import { runNumber, safeUrl, shownLines, shownText } from './shown-text.ts'

const onDay = (day: number, hour: number, minute: number): number =>
  new Date(2026, 2, day, hour, minute).getTime()

test('an instant of today is its time, another has the weekday or the date', () => {
  const now = onDay(18, 9, 0)
  expect(clock(onDay(18, 14, 20), now)).toBe('14:20')
  expect(clock(onDay(18, 0, 0), now)).toBe('00:00')
  expect(clock(onDay(17, 23, 59), now)).toBe('Tue 23:59')
  expect(clock(onDay(24, 8, 5), now)).toBe('Tue 08:05')
  expect(clock(onDay(25, 8, 5), now)).toBe('25 Mar 08:05')
})

test('a length has the units that matter', () => {
  expect(lasting(-5)).toBe('0 s')
  expect(lasting(59_999)).toBe('59 s')
  expect(lasting(60_000)).toBe('1 min')
  expect(lastingMinutes(59.9)).toBe('59 min')
  expect(lastingMinutes(125)).toBe('2 h 05 min')
  expect(lastingMinutes(48 * 60 + 61)).toBe('2 d 1 h')
})

const atTime = (hour: number, minute: number, second = 0): string =>
  new Date(2026, 2, 18, hour, minute, second).toISOString()
const now = Date.parse(atTime(14, 0))

test('a forecast near by is told to the minute, others in steps of five', () => {
  const near = {
    kind: 'range',
    median: atTime(14, 12, 40),
    from: atTime(14, 7),
    to: atTime(15, 8),
    lands: 1,
  } as const
  expect(estimateWords(near, now)).toEqual({
    short: '~14:12',
    range: '14:07 to 15:10',
    remark: null,
  })
})

test('a forecast says if it may not land', () => {
  const range = {
    kind: 'range',
    median: atTime(14, 12),
    from: atTime(14, 7),
    to: atTime(14, 20),
  } as const
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

test('a run has the number at the end of its id, without the epoch before it', () => {
  expect(runNumber('0c9a5a2e-5b1f-8123-a456-78900000032c')).toBe('812')
  expect(runNumber('0c9a5a2e-5b1f-8a33-9c1d-000000000001')).toBe('1')
})

test('another id is shown as it is', () => {
  expect(runNumber('run-7')).toBe('run-7')
})

test('a usual title is shown as it is', () => {
  expect(shownText('Retry payments <b>twice</b> 👩‍👧 שלום')).toBe(
    'Retry payments <b>twice</b> 👩‍👧 שלום',
  )
})

test('characters that nobody sees are shown as signs', () => {
  expect(shownText('a\u0000b\u001b[31mc\u007f')).toBe('a␀b␛[31mc␡')
  expect(shownText('gpj.\u202Efdp')).toBe('gpj.[U+202E]fdp')
  expect(shownText('x\u2066y\uFEFFz\u{E0041}')).toBe('x[U+2066]y[U+FEFF]z[U+E0041]')
  expect(shownText('half \ud83d')).toBe('half [U+D83D]')
})

test('at most 200 characters are shown, and no character is cut in half', () => {
  expect(shownText('a'.repeat(200))).toBe('a'.repeat(200))
  expect(shownText('a'.repeat(201))).toBe(`${'a'.repeat(199)}…`)
  expect(shownText('👍'.repeat(100_000))).toBe(`${'👍'.repeat(199)}…`)
})

test('only pages of the web become links', () => {
  expect(safeUrl('https://github.com/acme/shop/pull/1')).toBe('https://github.com/acme/shop/pull/1')
  expect(safeUrl('javascript:alert(1)')).toBeNull()
  expect(safeUrl(' https://example.org')).toBeNull()
  expect(safeUrl('https://')).toBeNull()
  expect(safeUrl(null)).toBeNull()
})

test('the output of a program keeps its lines, loses its colours, and shows what nobody sees', () => {
  expect(shownLines('\u001B[31mred\u001B[0m\r\n\ttab\u202E\n')).toBe('red\n\ttab[U+202E]\n')
})
