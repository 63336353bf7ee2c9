import { expect, test } from 'vitest'
import {
  crowdedFolders,
  linesOf,
  missingReadmes,
  staleTests,
  strayEntries,
  uncompiledTests,
} from './layout.ts'
import { compiledPaths, keptReports, repositoryFiles, topLevelEntries } from './repository.ts'

const files = repositoryFiles()

const filesAt = (...paths: string[]): { path: string; text: string }[] =>
  paths.map((path) => ({ path, text: '' }))

test('the top level has only expected entries', () => {
  const advice =
    'move it into a folder, or list it in .ci/tidy/layout.ts if a tool requires it there'
  expect(strayEntries(topLevelEntries()), advice).toEqual([])
  expect(strayEntries(['engine', 'notes.md', 'src'])).toEqual(['notes.md', 'src'])
})

test('only the reports that git tracks are checked', () => {
  const isKept = keptReports('/reports/*\n!/reports/README.md\n!/reports/sample/\n')
  const paths = ['README.md', 'sample/report.html', 'sample-2/report.html', 'mine/report.html']
  expect(paths.filter((path) => isKept(`reports/${path}`))).toEqual([
    'README.md',
    'sample/report.html',
  ])
})

test('every folder has a README', () => {
  expect(missingReadmes(files), 'describe what the folder contains and how to use it').toEqual([])
  expect(missingReadmes(filesAt('README.md', 'sim/cli.ts'))).toEqual(['sim/README.md'])
  expect(missingReadmes(filesAt('README.md', 'sim/README.md'))).toEqual([])
  expect(missingReadmes([])).toEqual(['README.md'])
})

test('a top-level folder has at most twelve sources outside of rooms', () => {
  expect(crowdedFolders(files), 'move them into rooms by topic').toEqual([])
  const loose = Array.from({ length: 13 }, (_, index) => `sim/${index}.ts`)
  const others = ['sim/a.test.ts', 'sim/README.md', 'sim/run/a.ts', 'server/a.ts']
  expect(crowdedFolders(filesAt(...loose.slice(1), ...others))).toEqual([])
  expect(crowdedFolders(filesAt(...loose, ...others))).toEqual([
    'sim/ has 13 sources outside of rooms, at most 12 are allowed',
  ])
})

test('the model can be read in an hour: at most 1,500 lines, blank ones too', () => {
  const advice = 'say it in fewer lines: the model must be plain, and need not be fast'
  expect(linesOf(files, 'sim/model/'), advice).toBeLessThanOrEqual(1500)
  const one = [{ path: 'sim/model/a.ts', text: 'one\n\ntwo\n' }]
  expect(linesOf([...one, ...filesAt('sim/model/a.test.ts', 'sim/a.ts')], 'sim/model/')).toBe(3)
})

test('every test runs', () => {
  const advice = 'move it to a folder that tsconfig.json includes, and run npm run build'
  expect(uncompiledTests(files, compiledPaths()), advice).toEqual([])
  const tests = filesAt('sim/a.test.ts', 'sim/b.test.ts', 'scenarios/c.test.mjs')
  expect(uncompiledTests(tests, ['sim/a.test.js'])).toEqual([
    'sim/b.test.ts',
    'scenarios/c.test.mjs',
  ])
})

test('no compiled test is without a source', () => {
  expect(staleTests(files, compiledPaths()), 'run npm run build').toEqual([])
  const compiled = ['sim/a.test.js', 'sim/old.test.js', 'sim/old.js']
  expect(staleTests(filesAt('sim/a.test.ts'), compiled)).toEqual(['sim/old.test.js'])
})
