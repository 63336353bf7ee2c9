import { expect, test } from 'vitest'
import { recordAt } from './contents.ts'
import { cyclesIn } from './cycles.ts'
import {
  exceptions,
  faultOf,
  idleExceptions,
  importsOf,
  missingInProduction,
  type Import,
} from './imports.ts'
import { jsonOf, repositoryFiles } from './repository.ts'
import { parse, sourcesOf } from './source.ts'

const imports = sourcesOf(repositoryFiles()).flatMap(importsOf)

const from = (path: string, specifier: string): Import => ({ from: path, specifier, place: path })

test('every import runs the one way', () => {
  const faults = imports.flatMap((each) => {
    const fault = faultOf(each)
    return fault === null ? [] : [`${each.place} imports ${each.specifier}: ${fault}`]
  })
  expect(faults).toEqual([])
})

test('every exception is needed, and says why', () => {
  expect(idleExceptions(imports), 'take out what no import needs').toEqual([])
  expect(exceptions.filter(({ reason }) => reason.length < 20)).toEqual([])
})

test('no files import each other in a circle', () => {
  const circles = cyclesIn(imports).map((cycle) => cycle.join(' -> '))
  expect(circles, 'move what they share into a file of its own').toEqual([])
})

test('server and simulator run without the development tools', () => {
  const dependencies = Object.keys(recordAt(jsonOf('package.json'), 'dependencies'))
  const places = missingInProduction(imports, dependencies).map(
    ({ place, specifier }) => `${place} imports ${specifier}`,
  )
  expect(places, 'move the package from devDependencies to dependencies').toEqual([])
  const asked = ['ajv', 'ajv/dist/2020.js', 'node:fs', './x.ts', 'fast-check', 'ajv-formats']
  const missing = missingInProduction(
    [...asked.map((name) => from('sim/x.ts', name)), from('sim/x.test.ts', 'fast-check')],
    ['ajv'],
  )
  expect(missing.map(({ specifier }) => specifier)).toEqual(['fast-check', 'ajv-formats'])
})

test('an import is seen in each of its forms', () => {
  const text = [
    `import type { A } from './a.ts'`,
    `import { type B } from './b.ts'`,
    `export * from './c.ts'`,
    `export type { D } from './d.ts'`,
    `type E = import('./e.ts').E`,
    `const f = () => import('./f.ts')`,
    `const g = "import './g.ts'" // import './h.ts'`,
  ].join('\n')
  const seen = importsOf(parse({ path: 'sim/x.ts', text })).map((each) => each.specifier)
  expect(seen.sort()).toEqual(['./a.ts', './b.ts', './c.ts', './d.ts', './e.ts', './f.ts'])
})

test.each([
  ['engine/line/a.ts', '../model/b.ts'],
  ['engine/a.test.ts', 'vitest'],
  ['engine/a.test.ts', './testing/story.ts'],
  ['server/app.ts', '../engine/index.ts'],
  ['bench/cli.ts', '../sim/simulate.ts'],
  ['sim/cli.ts', 'node:fs'],
])('%s may import %s', (path, specifier) => {
  expect(faultOf(from(path, specifier))).toBeNull()
})

test.each([
  ['engine/a.ts', 'node:fs', 'imports no package'],
  ['engine/a.test.ts', 'seedrandom', 'import only vitest'],
  ['engine/a.ts', '../sim/b.ts', 'engine does not import sim'],
  ['engine/a.ts', './testing/story.ts', 'only tests import test code'],
  ['engine/a.ts', './b.js', 'ends in .ts'],
  ['server/a.ts', '../sim/b.ts', 'server does not import sim'],
  ['sim/a.ts', '../server/b.ts', 'sim does not import server'],
  ['sim/a.ts', '../scenarios/b.json', 'scenarios holds data'],
  ['sim/a.ts', '../package.json', 'the top level holds data'],
])('%s may not import %s', (path, specifier, fault) => {
  expect(faultOf(from(path, specifier))).toContain(fault)
})

test('an exception lets one file into one folder, for as long as it goes there', () => {
  const allowed = [{ from: 'server/demo.ts', to: 'sim', reason: 'the demo plays a scenario' }]
  const needed = from('server/demo.ts', '../sim/world.ts')
  expect(faultOf(needed, allowed)).toBeNull()
  expect(faultOf(from('server/app.ts', '../sim/world.ts'), allowed)).not.toBeNull()
  expect(idleExceptions([needed], allowed)).toEqual([])
  expect(idleExceptions([], allowed)).toEqual(allowed)
})

test('a circle is told file by file', () => {
  const circle = [from('engine/a.ts', './b.ts'), from('engine/b.ts', './c.ts')]
  expect(cyclesIn(circle)).toEqual([])
  expect(cyclesIn([...circle, from('engine/c.ts', './b.ts')])).toEqual([
    ['engine/b.ts', 'engine/c.ts', 'engine/b.ts'],
  ])
})
