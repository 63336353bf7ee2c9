import { expect, test } from 'vitest'
import { missingReadmes, staleTests, strayEntries, uncompiledTests } from './layout.ts'
import { compiledPaths, repositoryFiles, topLevelEntries } from './repository.ts'

const files = repositoryFiles()

const filesAt = (...paths: string[]): { path: string; text: string }[] =>
  paths.map((path) => ({ path, text: '' }))

test('the top level holds nothing unexpected', () => {
  const advice = 'move it into a folder, or list it in .ci/tidy/layout.ts if a tool insists on it'
  expect(strayEntries(topLevelEntries()), advice).toEqual([])
  expect(strayEntries(['engine', 'notes.md', 'src'])).toEqual(['notes.md', 'src'])
})

test('every folder has a README', () => {
  expect(missingReadmes(files), 'write it: what the folder is, and how to use it').toEqual([])
  expect(missingReadmes(filesAt('README.md', 'sim/cli.ts'))).toEqual(['sim/README.md'])
  expect(missingReadmes(filesAt('README.md', 'sim/README.md'))).toEqual([])
  expect(missingReadmes([])).toEqual(['README.md'])
})

test('every test runs', () => {
  const advice = 'put it into a folder that tsconfig.json includes, and run npm run build'
  expect(uncompiledTests(files, compiledPaths()), advice).toEqual([])
  const tests = filesAt('sim/a.test.ts', 'sim/b.test.ts', 'scenarios/c.test.mjs')
  expect(uncompiledTests(tests, ['sim/a.test.js'])).toEqual([
    'sim/b.test.ts',
    'scenarios/c.test.mjs',
  ])
})

test('no test runs whose source is gone', () => {
  expect(staleTests(files, compiledPaths()), 'run npm run build').toEqual([])
  const compiled = ['sim/a.test.js', 'sim/old.test.js', 'sim/old.js']
  expect(staleTests(filesAt('sim/a.test.ts'), compiled)).toEqual(['sim/old.test.js'])
})
