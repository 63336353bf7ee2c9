import { expect, test } from 'vitest'
import { repositoryFiles, type RepositoryFile } from './repository.ts'
import { idleReasons, largeFiles, longFunctions } from './sizes.ts'
import { parse, sourcesOf } from './source.ts'

const files = repositoryFiles()

const ofLines = (lines: number, path = 'sim/x.ts'): RepositoryFile => ({
  path,
  text: '//\n'.repeat(lines),
})

const functionOf = (lines: number, before = 'const f ='): string =>
  `${before} () => {${'\n'.repeat(lines - 1)}}`

const longIn = (text: string): string[] => longFunctions(parse({ path: 'sim/x.ts', text }))

test('no file is larger than it has a reason for', () => {
  expect(largeFiles(files)).toEqual([])
  expect(idleReasons(files), 'take out reasons for files that are gone').toEqual([])
})

test('no function is longer than a screen', () => {
  expect(sourcesOf(files).flatMap(longFunctions)).toEqual([])
})

test('250 lines need no reason, 251 do, and 401 are not helped by one', () => {
  const allowed = { 'sim/x.ts': 'one long table' }
  expect(largeFiles([ofLines(250)], {})).toEqual([])
  expect(largeFiles([ofLines(251)], {})[0]).toContain('251 lines: split it, or say')
  expect(largeFiles([ofLines(251)], allowed)).toEqual([])
  expect(largeFiles([ofLines(400)], allowed)).toEqual([])
  expect(largeFiles([ofLines(401)], allowed)[0]).toContain('at most 400 fit')
})

test('data may be of any size', () => {
  expect(largeFiles([ofLines(999, 'scenarios/x.json'), ofLines(999, 'README.md')], {})).toEqual([])
})

test('a reason that is not needed any more has to go', () => {
  const allowed = { 'sim/x.ts': 'one long table' }
  expect(largeFiles([ofLines(250)], allowed)[0]).toContain('can go')
  expect(idleReasons([], allowed)).toEqual(['sim/x.ts'])
})

test('70 lines are the longest function, in whatever form', () => {
  expect(longIn(functionOf(70))).toEqual([])
  expect(longIn(functionOf(71))).toEqual([
    'sim/x.ts:1 begins a function of 71 lines: split it, 70 fit',
  ])
  expect(longIn(`class A {\nmethod() {${'\n'.repeat(70)}}}`)).toHaveLength(1)
  expect(longIn(`function f() {${'\n'.repeat(70)}}`)).toHaveLength(1)
})

test('a function that holds others is measured without them', () => {
  const holding = (own: number): string => `const f = () => {${'\n'.repeat(own)}${functionOf(60)}}`
  expect(longIn(holding(69))).toEqual([])
  expect(longIn(holding(70))).toHaveLength(1)
  expect(longIn(`const f = () => {${functionOf(71)}}`)).toHaveLength(1)
})
