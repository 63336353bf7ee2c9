import { expect, test } from 'vitest'
import { isBranchName } from './schema.ts'

/** Valid for `git check-ref-format --branch`. `@` is not listed, because git reads it as HEAD. */
const good = 'main release/1.0 a a-b feature/ä x@y a.b @a a{b a/@ a-'.split(' ')

const bad = [
  ...'-a HEAD .a a/.b a..b a. a.lock a.lock/b a/ /a a//b @ a@{b'.split(' '),
  ...'a b,a~b,a^b,a:b,a?b,a*b,a[b,a\\b,a\tb,a\u0000b,a\u007fb,a\ud83db,'.split(','),
]

test.each(good)('%j is a valid branch name', (name) => {
  expect(isBranchName(name)).toBe(true)
})

test.each(bad)('%j is not a valid branch name', (name) => {
  expect(isBranchName(name)).toBe(false)
})

test('a name longer than 1000 bytes is not valid', () => {
  expect(isBranchName('x'.repeat(1000))).toBe(true)
  expect(isBranchName('x'.repeat(1001))).toBe(false)
})
