import { rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import {
  compiledPaths,
  type RepositoryFile,
  repositoryFiles,
  topLevelEntries,
  isTestCode,
  jsonOf,
  importsOf,
  lostImports,
  missingInProduction,
  repositoryImports,
  type Import,
  parse,
  jsonFaultIn,
  machineNamesIn,
  missingInLock,
  resolvedIn,
  unpinnedIn,
  recordAt,
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

test('the model can be read in an hour: at most 2,160 lines, blank ones too', () => {
  const advice = 'say it in fewer lines: the model must be plain, and need not be fast'
  expect(linesOf(files, 'sim/model/'), advice).toBeLessThanOrEqual(2160)
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

const namesIn = (text: string): string[] => machineNamesIn({ path: 'sim/x.ts', text })
const slash = '/'

test('no file contains a path of a machine or a registry', () => {
  expect(files.flatMap(machineNamesIn)).toEqual([])
})

test.each(['home/ada', 'root/x', 'Users/ada', 'tmp/x', 'work/x'])(
  '/%s is a machine path',
  (path) => {
    expect(namesIn(`\nread('${slash}${path}')`)[0]).toContain('sim/x.ts:2 names /')
  },
)

test('given the host of a registry, it is reported', () => {
  expect(namesIn(`https:${slash}/registry.npmjs.org/ajv`)).toHaveLength(1)
  expect(namesIn(`http:${slash}/npm-registry.example:4873/ajv`)).toHaveLength(1)
})

test('addresses, relative paths and routes are not machine paths', () => {
  const text = 'see https://example.org/home/ada, ../tmp/x, engine/tmp/x and registry.contentType'
  expect(namesIn(text)).toEqual([])
})

test('every JSON file parses', () => {
  expect(files.map(jsonFaultIn).filter((fault) => fault !== null)).toEqual([])
  expect(jsonFaultIn({ path: 'scenarios/x.json', text: '{ "a": 1, }' })).toContain('is not JSON')
  expect(jsonFaultIn({ path: 'README.md', text: '{ "a": 1, }' })).toBeNull()
})

test('every dependency is pinned to one version', () => {
  expect(unpinnedIn(jsonOf('package.json')), 'npm install --save-exact').toEqual([])
  const manifest = { dependencies: { ajv: '8.20.0' }, devDependencies: { vitest: '^4.1.12' } }
  expect(unpinnedIn(manifest)).toEqual(['vitest ^4.1.12'])
})

test('the lock file does not name a registry', () => {
  const advice = 'npm install --package-lock-only --omit-lockfile-registry-resolved'
  expect(resolvedIn(jsonOf('package-lock.json')), advice).toEqual([])
  const lock = { packages: { '': {}, 'node_modules/ajv': { resolved: 'x', integrity: 'y' } } }
  expect(resolvedIn(lock)).toEqual(['node_modules/ajv'])
})

test('the lock file has every package that one in it needs', () => {
  const advice = 'npm ci refuses it: take a version of which every dependency can be had'
  expect(missingInLock(jsonOf('package-lock.json')), advice).toEqual([])
  const needs = (name: string) => ({ optionalDependencies: { [name]: '1.0.0' } })
  const packages = {
    '': {},
    'node_modules/vite': needs('a'),
    'node_modules/vite/node_modules/b': {},
  }
  expect(missingInLock({ packages })).toEqual(['a'])
  const within = { ...packages, 'node_modules/vite/node_modules/b': needs('vite') }
  expect(missingInLock({ packages: { ...within, 'node_modules/a': {} } })).toEqual([])
})

const imports = repositoryImports()

const from = (path: string, specifier: string): Import => ({ from: path, specifier, place: path })

test('every relative import names an existing source', () => {
  // The build makes one of them.
  const paths = [...repositoryFiles().map(({ path }) => path), 'server/contract/wire.ts']
  const advice = 'write the full file name with .ts; read data files at run time'
  expect(lostImports(imports, paths), advice).toEqual([])
  const lost = ['./b.js', './b', '../b.ts', '../c.json'].map((each) => from('sim/a/a.ts', each))
  const found = ['./b.ts', '../d.ts', 'ajv'].map((each) => from('sim/a/a.ts', each))
  expect(lostImports([...lost, ...found], ['sim/a/b.ts', 'sim/c.json', 'sim/d.ts'])).toEqual(lost)
})

test('server and simulator run without development dependencies', () => {
  const dependencies = ['dependencies', 'peerDependencies'].flatMap((kind) =>
    Object.keys(recordAt(jsonOf('package.json'), kind)),
  )
  const places = missingInProduction(imports, dependencies).map(
    ({ place, specifier }) => `${place} imports ${specifier}`,
  )
  expect(places, 'move the package from devDependencies to dependencies').toEqual([])
  const names = ['ajv', 'ajv/dist/2020.js', 'node:fs', './x.ts', 'fast-check', 'ajv-formats']
  const missing = missingInProduction(
    [...names.map((name) => from('sim/x.ts', name)), from('sim/x.test.ts', 'fast-check')],
    ['ajv'],
  )
  expect(missing.map(({ specifier }) => specifier)).toEqual(['fast-check', 'ajv-formats'])
})

test('all forms of imports are found', () => {
  const text = [
    `import type { A } from './a.ts'`,
    `import { type B } from './b.ts'`,
    `export * from './c.ts'`,
    `export type { C, D } from './d.ts'`,
    `import './e.ts'`,
    `const f = () => import("./f.ts")`,
    `const g = () => import(g)`,
    `const h = "import './h.ts'" // import './i.ts'`,
  ].join('\n')
  const seen = importsOf(parse({ path: 'sim/x.ts', text })).map((each) => each.specifier)
  expect(seen.sort()).toEqual(['./a.ts', './b.ts', './c.ts', './d.ts', './e.ts', './f.ts'])
})
