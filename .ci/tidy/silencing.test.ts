import { expect, test } from 'vitest'
import { lineAt, parse, repositorySources, type Source } from './source.ts'

/**
 * No comment disables a check. Instead, fix the finding or change the rule for all files. Oxlint
 * cannot report these comments, because they disable the rule that would report them.
 */
const silencers = /(?:ox|es)lint-disable\S*|(?:c8|v8|istanbul) ignore/

/** Returns the comments of a source that disable a check. */
function silencedIn(source: Source): string[] {
  return source.comments.flatMap(({ value, start }) => {
    const [silencer] = silencers.exec(value) ?? []
    if (silencer === undefined) return []
    return [`${source.path}:${lineAt(source, start)} has ${silencer}: fix the finding`]
  })
}

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
