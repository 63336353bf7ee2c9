import { expect, test } from 'vitest'
import { arrowsOf, cyclesIn, cycleText } from './cycles.ts'
import { importsOf, repositoryImports } from './imports.ts'
import { parse } from './source.ts'

/** The cycles between the folders of files that each import one other file. */
const cyclesOf = (imports: Readonly<Record<string, string>>): string[] => {
  const sources = Object.entries(imports).map(([path, to]) =>
    parse({ path, text: `\nimport type { A } from '${to}'` }),
  )
  return cyclesIn(arrowsOf(sources.flatMap(importsOf))).map(cycleText)
}

test('there are no import cycles between folders', () => {
  const arrows = arrowsOf(repositoryImports())
  expect(arrows.length).toBeGreaterThan(50)
  const advice = 'move the shared code into a separate folder below them'
  expect(cyclesIn(arrows).map(cycleText), advice).toEqual([])
})

test('given a cycle, even of type imports, its folders and imports are reported', () => {
  const cycle = { 'sim/a/1.ts': '../b/2.ts', 'sim/b/3.ts': '../c/4.ts', 'sim/c/5.ts': '../a/6.ts' }
  expect(cyclesOf(cycle)).toEqual([
    `sim/a -> sim/b -> sim/c -> sim/a
  sim/a/1.ts:2 imports sim/b/2.ts
  sim/b/3.ts:2 imports sim/c/4.ts
  sim/c/5.ts:2 imports sim/a/6.ts`,
  ])
})

test('given a folder and one inside it, they can form a cycle', () => {
  expect(cyclesOf({ 'sim/a/1.ts': './b/2.ts', 'sim/a/b/3.ts': '../4.ts' })[0]).toContain(
    'sim/a -> sim/a/b -> sim/a\n',
  )
})

test('given imports in one folder, of packages, or in one direction only, there is no cycle', () => {
  expect(cyclesOf({ 'sim/a/1.ts': './2.ts', 'sim/a/2.ts': './1.ts' })).toEqual([])
  expect(cyclesOf({ 'sim/a/1.ts': 'ajv', 'sim/b/1.ts': '../a/1.ts' })).toEqual([])
  expect(cyclesOf({ 'sim/a/1.ts': '../b/1.ts', 'sim/b/1.ts': '../c/1.ts' })).toEqual([])
})

test.each(['sim/b/3.test.ts', 'sim/b/3.contract.ts'])('%s may import in any direction', (path) => {
  expect(cyclesOf({ 'sim/a/1.ts': '../b/2.ts', [path]: '../a/1.ts' })).toEqual([])
})

test('a folder named testing may import in any direction', () => {
  expect(cyclesOf({ 'sim/a/1.ts': '../testing/2.ts', 'sim/testing/3.ts': '../a/1.ts' })).toEqual([])
})
