import { expect, test } from 'vitest'
import { isBranchName } from './branch-name.ts'

/** As `git check-ref-format --branch` has it; but for `@`, which it takes for HEAD. */
const good = [
  'main',
  'release/1.0',
  'a',
  'a-b',
  'feature/ä',
  'x@y',
  'a.b',
  '@a',
  'a{b',
  'a/@',
  'a-',
]

const bad = [
  [
    '-a',
    'HEAD',
    '.a',
    'a/.b',
    'a..b',
    'a.',
    'a.lock',
    'a.lock/b',
    'a/',
    '/a',
    'a//b',
    '@',
    'a@{b',
    '',
  ],
  [
    'a b',
    'a~b',
    'a^b',
    'a:b',
    'a?b',
    'a*b',
    'a[b',
    'a\\b',
    'a\tb',
    'a\u0000b',
    'a\u007fb',
    'a\ud83db',
  ],
].flat()

test.each(good)('%j is a branch name', (name) => {
  expect(isBranchName(name)).toBe(true)
})

test.each(bad)('%j is none', (name) => {
  expect(isBranchName(name)).toBe(false)
})

test('a name that no file system takes is none', () => {
  expect(isBranchName('x'.repeat(1000))).toBe(true)
  expect(isBranchName('x'.repeat(1001))).toBe(false)
})
