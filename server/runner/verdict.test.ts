import { expect, test } from 'vitest'
import { verdictOf, type Exit } from './verdict.ts'

const none = { failed: [], flaky: [] }
const exit = (code: number): Exit => ({ code, signal: null })
const signalled = (signal: string): Exit => ({ code: null, signal })

test.each<[string, Exit, string]>([
  ['success', exit(0), 'passed'],
  ['failure', exit(1), 'failed'],
  ['a crash of the tests', signalled('SIGSEGV'), 'failed'],
  ['a crash that the shell reports', exit(139), 'failed'],
  ['too little memory', signalled('SIGKILL'), 'errored'],
  ['too little memory, that the shell reports', exit(137), 'errored'],
  ['an end from outside', signalled('SIGTERM'), 'errored'],
  ['a command that does not exist', exit(127), 'errored'],
  ['a command that is not a program', exit(126), 'errored'],
])('%s: %o is %s', (_, end, outcome) => {
  const verdict = verdictOf(end, none, 'npm test')
  expect(verdict.outcome).toBe(outcome)
  expect(verdict.failedTests).toEqual(outcome === 'failed' ? [{ name: 'npm test' }] : [])
})

test('a report names the tests, and its failures count against the exit code', () => {
  const reports = { failed: [{ name: 'pays twice' }], flaky: [{ name: 'opens' }] }
  expect(verdictOf(exit(0), reports, 'npm test')).toEqual({
    outcome: 'failed',
    failedTests: [{ name: 'pays twice' }],
    flakyTests: [{ name: 'opens' }],
    words: 'the test command succeeded, but its report has failures',
  })
})

test('a test that failed in one report is not flaky because of another one', () => {
  const reports = { failed: [{ name: 'pays' }], flaky: [{ name: 'pays' }, { name: 'opens' }] }
  expect(verdictOf(exit(1), reports, 'npm test').flakyTests).toEqual([{ name: 'opens' }])
})

test('of very many failed tests, as many are told as the API takes', () => {
  const failed = Array.from({ length: 100_000 }, (_, index) => ({ name: `test ${index}` }))
  const verdict = verdictOf(exit(1), { failed, flaky: failed }, 'npm test')
  expect(verdict.failedTests).toEqual(failed.slice(0, 3_000))
})

//
test('a name that a pull request has made as long as a book is cut', () => {
  const failed = [
    { name: 'n'.repeat(12_000_000), file: 'f'.repeat(901) },
    { name: 'n'.repeat(900) },
  ]
  expect(verdictOf(exit(1), { failed, flaky: [] }, 'npm test').failedTests).toEqual([
    { name: `${'n'.repeat(899)}…`, file: `${'f'.repeat(899)}…` },
    { name: 'n'.repeat(900) },
  ])
})
