import { expect, test } from 'vitest'
import { safeUrl, shownLines, shownText } from './shown-text.ts'

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
