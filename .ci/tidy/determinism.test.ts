import { expect, test } from 'vitest'
import { chanceIn } from './determinism.ts'
import { repositoryFiles } from './repository.ts'
import { parse, sourcesOf } from './source.ts'

const inEngine = (text: string): string[] => chanceIn(parse({ path: 'engine/x.ts', text }))

test('the engine uses no clock, no chance, no locale, and never waits', () => {
  const engine = repositoryFiles().filter(({ path }) => path.startsWith('engine/'))
  expect(engine.length).toBeGreaterThan(0)
  expect(sourcesOf(engine).flatMap(chanceIn)).toEqual([])
})

test.each([
  'const now = Date.now()',
  'let at: Date',
  'const t = performance.now()',
  'setTimeout(() => 1, 5)',
  'const { env } = process',
  'const id = { process }',
  'const x = Math.random()',
  'import x from "x"\nx.sort((a, b) => a.name.localeCompare(b.name))',
  'const text = (5).toLocaleString()',
  'const all: Promise<void>[] = []',
  'const f = async () => 1',
  'class A { async f() {} }',
  'await f()',
  'const x = await import("./y.ts")',
  'const here = import.meta.url',
  'console.log(1)',
])('%s is found', (text) => {
  expect(inEngine(text)).not.toEqual([])
})

test('a name that only labels a member is no clock', () => {
  const text = [
    'type Options = { Date: number; process(): void }',
    'const options = { Date: 1, console: 2 }',
    'const sum = options.Date + options.console + Math.max(1, 2)',
    'class A { crypto = 1; process() { return this.crypto } }',
    '// Date.now() in a comment, and',
    "const word = 'Date.now()'",
  ].join('\n')
  expect(inEngine(text)).toEqual([])
})

test('a test may read a file, and still has no clock', () => {
  const inTest = (text: string): string[] => chanceIn(parse({ path: 'engine/x.test.ts', text }))
  expect(inTest('await read(process.cwd(), import.meta.url)')).toEqual([])
  expect(inTest('const now = Date.now()')).toHaveLength(1)
})

test('a fault names its place and what to do instead', () => {
  expect(inEngine('\nconst now = Date.now()')).toEqual([
    'engine/x.ts:2 uses Date: the time comes with each command, as `at`',
  ])
})
