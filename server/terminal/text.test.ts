/** Figures, tables and texts, also in a terminal that is narrower than they are. */

import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { colorsFor, outputOf } from './output.ts'
import {
  columns,
  count,
  duration,
  folded,
  joinedLines,
  oneLine,
  own,
  toTerminal,
  visible,
  rounded,
  share,
  shellWord,
} from './text.ts'

const rows = [
  ['', 'merged', 'failed', 'what was set'],
  ['today', '12', '3', 'nothing'],
  ['best', '14', '1', 'batches of four'],
]

// A-380
test('every figure of a table groups its thousands, also a fraction and a number of days', () => {
  const shown = [999, 1234, 1234567.25, -12345.5, 0.1234, 1e21].map(count)
  expect(shown).toEqual(['999', '1,234', '1,234,567.25', '-12,345.5', '0.1234', '1e+21'])
  expect(duration(60 * 24 * 3738 + 480)).toBe('3,738 d 8 h')
})

test('a half goes away from zero, also where the number is not exact', () => {
  const shown = [0.075, -0.075, 1.25, 0.004, 12.5].map((number) => rounded(number, 2))
  expect(shown).toEqual([0.08, -0.08, 1.25, 0, 12.5])
})

test('only nothing is 0 % and only the whole is 100 %', () => {
  const shown = [0, 1, 3, 500, 994, 999, 1000].map((part) => share(part, 1000))
  expect(shown).toEqual(['0 %', '< 1 %', '< 1 %', '50 %', '99 %', '> 99 %', '100 %'])
  expect(share(0, 0)).toBe('')
})

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

// A-380
test('a long last column stays beside the others, and goes on below itself', () => {
  const long = [...rows, ['other', '1', '1', 'batches of four, and a wait '.repeat(3).trim()]]
  const table = folded(columns(long, [1, 2], 70), 70)
  expect(table).toContain('other       1       1  batches of four, and a wait batches of four,')
  expect(table).toContain(`\n${' '.repeat(23)}and a wait`)
})

// A-380
test('colours take no room', () => {
  const { bold } = colorsFor(outputOf(Object.assign(new PassThrough(), { isTTY: true })), {})
  const text = `${bold('settings')} of the final, ${bold('means')} of ten seeds`
  expect(folded(text, 41)).toBe(text)
  expect(folded(text, 30)).toBe(text.replace(' of ten', '\nof ten'))
})

// What anybody wrote cannot steer a terminal: it is shown as signs.

test.each([
  ['a sequence that clears the screen', '\u001B[2J', '\\u001b[2J'],
  ['a link (OSC 8)', '\u001B]8;;http://evil\u0007click', '\\u001b]8;;http://evil\\u0007click'],
  ['the clipboard (OSC 52)', '\u001B]52;c;cm0=\u001B\\', '\\u001b]52;c;cm0=\\u001b\\'],
  ['the title of the window (OSC 0)', '\u001B]0;x\u0007', '\\u001b]0;x\\u0007'],
  ['a return that overwrites its line', 'failed\rpassed', 'failed\\u000dpassed'],
  ['a control of one byte (C1)', '\u009B2J', '\\u009b2J'],
  ['backspaces and DEL', 'a\b\u007F', 'a\\u0008\\u007f'],
  ['text that is turned around', 'a\u202Eb\u2066c\u200Fd', 'a\\u202eb\\u2066c\\u200fd'],
  ['a line separator', 'a\u2028b', 'a\\u2028b'],
])('%s is shown', (_what, text, expected) => {
  expect(visible(text)).toBe(expected)
  expect(toTerminal(text)).toBe(expected)
})

test('lines, tabs, line ends of Windows and every script stay as they are', () => {
  expect(visible('a\tb\r\nc\nпроверка 測試 بناء 👩‍🚀')).toBe('a\tb\nc\nпроверка 測試 بناء 👩‍🚀')
})

test('what a program has printed in several lines is read in one', () => {
  const printed = 'fatal: not a repository\n\n  fatal: check it\r\n'
  expect(oneLine(joinedLines(printed))).toBe('fatal: not a repository fatal: check it')
})

test('a title with a line end begins no row of its own', () => {
  expect(oneLine('fix\n#7  MERGED\t')).toBe('fix\\u000a#7  MERGED\\u0009')
  expect(
    columns([
      ['#1', 'fix\n#7'],
      ['#22', 'b'],
    ]),
  ).toBe('#1   fix\\u000a#7\n#22  b\n')
})

test('JSON with such characters stays the same JSON', () => {
  const value = { title: 'a\u009Bb\u202Ec\u007F' }
  const text = visible(JSON.stringify(value))
  expect(text).toBe('{"title":"a\\u009bb\\u202ec\\u007f"}')
  expect(JSON.parse(text)).toEqual(value)
})

test('on a terminal the colours of a command are obeyed, and those in a title are not', async () => {
  const below = new PassThrough()
  const stream = outputOf(Object.assign(below, { isTTY: true }))
  const { red, bold } = colorsFor(stream, {})
  stream.write(`${own('[H')}${bold(`#1 ${red('\u001B[32mpassed')}`)}\n`)
  await finished(stream.end())
  expect(String(below.read())).toBe(
    '\u001B[H\u001B[1m#1 \u001B[31m\\u001b[32mpassed\u001B[39m\u001B[22m\n',
  )
})

test('what is no terminal gets the bytes as they are', () => {
  const pipe = new PassThrough()
  expect(outputOf(pipe)).toBe(pipe)
})

test.for([
  ['scenarios/try.json', 'scenarios/try.json'],
  ["my team's.json", `"my team's.json"`],
  ['', '""'],
  ['suite.minutes={"median":5}', `'suite.minutes={"median":5}'`],
  ["o'clock; $(exit 3) `exit 4` \\ !", String.raw`'o'\''clock; $(exit 3) ${'`'}exit 4${'`'} \ !'`],
] as const)('a shell reads %j as one word from %s', ([text, word]) => {
  expect(shellWord(text)).toBe(word)
  expect(execFileSync('sh', ['-c', `printf %s ${word}`], { encoding: 'utf8' })).toBe(text)
})
