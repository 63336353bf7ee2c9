/** The name of a test is chosen by the author of a pull request: in a comment it stays in its code span. */

import { expect, test } from 'vitest'
import { codeSpan } from './report.ts'

test.each([
  ['a\n\n@everyone', '`a @everyone`'],
  ['a`b` @everyone', '`` a`b` @everyone ``'],
  ['```\n# big', '```` ``` # big ````'],
  ['a\u202Eb\u001B[31m', '`a b [31m`'],
  ['', '`  `'],
])('%j is written as %s', (name, written) => {
  expect(codeSpan(name)).toBe(written)
})

test.each([
  ['x', 199],
  ['\u{1F9EA}', 99],
])('a long name of %s is cut, and never in the middle of a character', (character, count) => {
  expect(codeSpan(character.repeat(5_000))).toBe(`\`${character.repeat(count)}…\``)
})
