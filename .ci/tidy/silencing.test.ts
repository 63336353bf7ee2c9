import { expect, test } from 'vitest'
import { repositoryFiles } from './repository.ts'
import { silencedIn } from './silencing.ts'
import { parse, sourcesOf } from './source.ts'

const silenced = (text: string): string[] => silencedIn(parse({ path: 'sim/x.ts', text }))

test('no source silences a check', () => {
  expect(sourcesOf(repositoryFiles()).flatMap(silencedIn)).toEqual([])
})

test.each([
  ['const a = b as any', 'any'],
  ['const a = b as unknown as C', 'a type assertion'],
  ['const a = <C>b', 'a type assertion'],
  ['const a = b!', 'a non-null assertion'],
  ['const a = b!.c', 'a non-null assertion'],
  ['let a: any', 'any'],
  ['// @ts-ignore\nconst a = 1', '@ts-ignore'],
  ['// @ts-expect-error\nconst a = 1', '@ts-expect-error'],
  ['/* @ts-nocheck */', '@ts-nocheck'],
  ['// oxlint-disable-next-line eqeqeq', 'oxlint-disable-next-line'],
  ['/* c8 ignore next */', 'c8 ignore'],
])('%s is found', (text, what) => {
  expect(silenced(text).join()).toContain(what)
})

test('what only looks like it is left alone', () => {
  const text = [
    "const a = ['x'] as const",
    'const b = { x: 1 } satisfies C',
    "import { x as y } from './z.ts'",
    "const c = '@ts-ignore any !'",
    'const d = !a && a !== b',
  ].join('\n')
  expect(silenced(text)).toEqual([])
})
