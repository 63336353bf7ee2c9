import { rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import {
  crowdedFolders,
  linesOf,
  missingReadmes,
  staleTests,
  strayEntries,
  uncompiledTests,
} from './layout.ts'
import { compiledPaths, repositoryFiles, topLevelEntries } from './repository.ts'

const files = repositoryFiles()

const filesAt = (...paths: string[]): { path: string; text: string }[] =>
  paths.map((path) => ({ path, text: '' }))

test('the top level has only expected entries', () => {
  const advice =
    'move it into a folder, or list it in .ci/tidy/layout.ts if a tool requires it there'
  expect(strayEntries(topLevelEntries()), advice).toEqual([])
  expect(strayEntries(['engine', 'notes.md', 'src'])).toEqual(['notes.md', 'src'])
})

test("a file of the user's own in the folder fails nothing", () => {
  const own = fileURLToPath(new URL('../../../engine/notes.own.md', import.meta.url))
  writeFileSync(own, 'My notes.\n')
  try {
    const paths = repositoryFiles().map(({ path }) => path)
    expect(paths).toContain('engine/README.md')
    expect(paths).not.toContain('engine/notes.own.md')
  } finally {
    rmSync(own)
  }
})

test('every folder has a README', () => {
  expect(missingReadmes(files), 'describe what the folder contains and how to use it').toEqual([])
  expect(missingReadmes(filesAt('README.md', 'sim/cli.ts'))).toEqual(['sim/README.md'])
  expect(missingReadmes(filesAt('README.md', 'sim/README.md'))).toEqual([])
  expect(missingReadmes([])).toEqual(['README.md'])
})

test('a top-level folder has at most thirty sources outside of rooms', () => {
  expect(crowdedFolders(files), 'move them into rooms by topic').toEqual([])
  const loose = Array.from({ length: 31 }, (_, index) => `sim/${index}.ts`)
  const others = ['sim/a.test.ts', 'sim/README.md', 'sim/run/a.ts', 'server/a.ts']
  expect(crowdedFolders(filesAt(...loose.slice(1), ...others))).toEqual([])
  expect(crowdedFolders(filesAt(...loose, ...others))).toEqual([
    'sim/ has 31 sources outside of rooms, at most 30 are allowed',
  ])
})

test('the model can be read in an hour: at most 2,150 lines, blank ones too', () => {
  const advice = 'say it in fewer lines: the model must be plain, and need not be fast'
  expect(linesOf(files, 'sim/model/'), advice).toBeLessThanOrEqual(2150)
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
