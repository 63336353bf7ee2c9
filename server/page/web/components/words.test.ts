import { expect, test } from 'vitest'
import { clock, lasting, lastingMinutes, estimateWords } from './time-words.ts'
import { runNumber, safeUrl, shownLines, shownText } from './shown-text.ts'

const at = (day: number, hour: number, minute: number, second = 0): number =>
  new Date(2026, 2, day, hour, minute, second).getTime()
const onThe18th = (...time: [hour: number, minute: number, second?: number]): string =>
  new Date(at(18, ...time)).toISOString()

test.each([
  ['of today its time', at(18, 14, 20), '14:20'],
  ['of midnight its time', at(18, 0, 0), '00:00'],
  ['of yesterday the weekday', at(17, 23, 59), 'Tue 23:59'],
  ['of six days later the weekday', at(24, 8, 5), 'Tue 08:05'],
  ['of a week later the date', at(25, 8, 5), '25 Mar 08:05'],
])('an instant %s is told', (_, instant, words) => {
  expect(clock(instant, at(18, 9, 0))).toBe(words)
})

test('a length has the units that matter', () => {
  const minutes = [-5, 0.999, 1, 59.9, 125, 48 * 60 + 61]
  const words = ['0 s', '59 s', '1 min', '59 min', '2 h 05 min', '2 d 1 h']
  expect(minutes.map((each) => lasting(each * 60_000))).toEqual(words)
  expect(minutes.map(lastingMinutes)).toEqual(words)
})

const range = {
  kind: 'range',
  median: onThe18th(14, 12, 40),
  from: onThe18th(14, 7),
  to: onThe18th(15, 8),
} as const

test.each([
  // Near by to the minute, else in steps of five.
  [{ ...range, lands: 1 }, '~14:12', '14:07 to 15:10', null],
  [{ ...range, lands: 0.9 }, '~14:12', '14:07 to 15:10', null],
  [
    { ...range, lands: 0.7 },
    '~14:12',
    '14:07 to 15:10',
    'It may fail: 3 of 10 forecasts end without landing.',
  ],
  [{ kind: 'unknown', why: 'The queue is paused.' }, 'unknown', null, 'The queue is paused.'],
  [null, '', null, null],
] as const)('the forecast %o in words', (estimate, short, told, remark) => {
  expect(estimateWords(estimate, at(18, 14, 0))).toEqual({ short, range: told, remark })
})

test.each([
  ['0c9a5a2e-5b1f-8123-a456-78900000032c', '812'],
  ['0c9a5a2e-5b1f-8a33-9c1d-000000000001', '1'],
  ['run-7', 'run-7'],
])('the run %s has the number %s, without the epoch before it', (id, number) => {
  expect(runNumber(id)).toBe(number)
})

test.each([
  ['Retry payments <b>twice</b> 👩‍👧 שלום', 'Retry payments <b>twice</b> 👩‍👧 שלום'],
  ['a\u0000b\u001b[31mc\u007f', 'a␀b␛[31mc␡'],
  ['gpj.\u202Efdp', 'gpj.[U+202E]fdp'],
  ['x\u2066y\uFEFFz\u{E0041}', 'x[U+2066]y[U+FEFF]z[U+E0041]'],
  ['half \ud83d', 'half [U+D83D]'],
  // No character is cut in half.
  ['a'.repeat(200), 'a'.repeat(200)],
  ['a'.repeat(201), `${'a'.repeat(199)}…`],
  ['👍'.repeat(100_000), `${'👍'.repeat(199)}…`],
])('of a text people see all, and at most 200 characters', (text, shown) => {
  expect(shownText(text)).toBe(shown)
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
