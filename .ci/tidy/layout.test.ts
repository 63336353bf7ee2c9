import { rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import {
  compiledPaths,
  type RepositoryFile,
  repositoryFiles,
  topLevelEntries,
  isTestCode,
} from './repository.ts'

/**
 * The top level is a table of contents: six folders, each with a README, and the files that tools
 * require there. Within a folder, the rooms are the table of contents.
 */
const folders = ['engine', 'server', 'sim', 'scenarios', 'bench', 'reports']

/** The maximum number of sources of a folder outside of its rooms. */
const mostLooseFiles = 30

const expected = new Set([
  ...folders,
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  '.ci',
  '.gitattributes',
  '.github',
  '.gitignore',
  // Tools look for these files only at the top level.
  '.c8rc.json',
  '.oxlintrc.jsonc',
  '.oxfmtrc.jsonc',
  'knip.jsonc',
  'vitest.config.ts',
])

/** Returns unexpected entries of the top level. */
function strayEntries(entries: readonly string[]): string[] {
  return entries.filter((entry) => !expected.has(entry))
}

/** Returns missing READMEs: the top level and each of its folders need one. */
function missingReadmes(files: readonly RepositoryFile[]): string[] {
  const paths = files.map(({ path }) => path)
  const present = folders.filter((folder) => paths.some((path) => path.startsWith(`${folder}/`)))
  return ['README.md', ...present.map((folder) => `${folder}/README.md`)].filter(
    (readme) => !paths.includes(readme),
  )
}

/** Returns folders with too many sources outside of rooms. Tests do not count. */
function crowdedFolders(files: readonly RepositoryFile[]): string[] {
  return folders.flatMap((folder) => {
    const loose = files
      .map(({ path }) => path)
      .filter((path) => new RegExp(`^${folder}/[^/]+\\.ts$`).test(path) && !isTestCode(path))
    if (loose.length <= mostLooseFiles) return []
    return [
      `${folder}/ has ${loose.length} sources outside of rooms, at most ${mostLooseFiles} are allowed`,
    ]
  })
}

/** Returns how many lines the sources below a path have, as `wc -l` counts. Tests do not count. */
function linesOf(files: readonly RepositoryFile[], below: string): number {
  const sources = files.filter(({ path }) => path.startsWith(below) && !isTestCode(path))
  return sources.flatMap(({ text }) => text.split('\n').slice(1)).length
}

/** Returns tests that never run: tests run from dist/, and these are not compiled. */
function uncompiledTests(files: readonly RepositoryFile[], compiled: readonly string[]): string[] {
  const runnable = new Set(compiled)
  return files
    .map(({ path }) => path)
    .filter((path) => /\.test\.\w+$/.test(path))
    .filter((path) => !path.endsWith('.ts') || !runnable.has(path.replace(/\.ts$/, '.js')))
}

/** Returns compiled tests without a source. */
function staleTests(files: readonly RepositoryFile[], compiled: readonly string[]): string[] {
  const sources = new Set(files.map(({ path }) => path.replace(/\.ts$/, '.js')))
  return compiled.filter((path) => path.endsWith('.test.js') && !sources.has(path))
}

const files = repositoryFiles()

const filesAt = (...paths: string[]): { path: string; text: string }[] =>
  paths.map((path) => ({ path, text: '' }))

test('the top level has only expected entries', () => {
  const advice = 'move it into a folder, or list it above if a tool requires it there'
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
