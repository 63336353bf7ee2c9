/** The name of a test is chosen by whoever opens a pull request: in a comment it stays in its code span. */

import { expect, test } from 'vitest'
import { codeSpan } from './news.ts'

test.each([
  ['adds two numbers', '`adds two numbers`'],
  ['a\n\n@everyone', '`a @everyone`'],
  ['a`b` @everyone', '`` a`b` @everyone ``'],
  ['```\n# big', '```` ``` # big ````'],
  ['a\u202Eb\u001B[31m', '`a b [31m`'],
  ['', '`  `'],
])('%j is written as %s', (name, written) => {
  expect(codeSpan(name)).toBe(written)
})

test('a long name is cut', () => {
  expect(codeSpan('x'.repeat(5_000))).toBe(`\`${'x'.repeat(199)}…\``)
})
