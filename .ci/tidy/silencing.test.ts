import { expect, test } from 'vitest'
import { silencedIn } from './silencing.ts'
import { parse, repositorySources } from './source.ts'

const silenced = (text: string): string[] => silencedIn(parse({ path: 'sim/x.ts', text }))

test('no comment disables a check', () => {
  expect(repositorySources().flatMap(silencedIn)).toEqual([])
})

test.each([
  ['// oxlint-disable-next-line eqeqeq', 'oxlint-disable-next-line'],
  ['/* oxlint-disable */', 'oxlint-disable'],
  ['const a = 1 // eslint-disable-line', 'eslint-disable-line'],
  ['/* c8 ignore next */', 'c8 ignore'],
])('%s is reported', (text, silencer) => {
  expect(silenced(`\n${text}`)).toEqual([`sim/x.ts:2 has ${silencer}: fix the finding`])
})

test('given such a comment inside a string, it is not reported', () => {
  expect(silenced("const a = '// oxlint-disable'")).toEqual([])
})
