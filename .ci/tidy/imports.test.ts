import { expect, test } from 'vitest'
import { recordAt } from './contents.ts'
import {
  importsOf,
  lostImports,
  missingInProduction,
  repositoryImports,
  type Import,
  jsonOf,
  repositoryFiles,
  parse,
} from './repository.ts'

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
