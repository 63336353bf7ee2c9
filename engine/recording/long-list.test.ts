import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonWithTargets } from './long-list.ts'
import { inPieces } from './testing/pieces.ts'

test('targets with any names, in pieces of any size, are read as written', () => {
  const names = fc.array(
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(',', '"', '\\', ']', '","', '[]', '')),
    { minLength: 1 },
  )
  fc.assert(
    fc.property(
      names,
      fc.string(),
      fc.integer({ min: 20_000, max: 40_000 }),
      (some, sha, bytes) => {
        const targets = Array.from({ length: 25_000 }, (_, index) => some[index % some.length])
        const command = { type: 'setImpactedTargets', number: 7, targets, sha }
        const { text, revive } = jsonWithTargets(inPieces(JSON.stringify({ command }), bytes))
        expect(text.length).toBeLessThan(1000)
        // `toEqual` takes a second for so many, and fast-check prints what was not equal.
        expect(isDeepStrictEqual(JSON.parse(text, revive), { command })).toBe(true)
      },
    ),
    { numRuns: 3 },
  )
})

test('a long text without targets is read unchanged, in pieces of any size', () => {
  const json = JSON.stringify({ names: ['[', 'targets', '"targets":[', 'x'.repeat(100_000)] })
  for (const bytes of [1000, 1001, 1 << 16, 1 << 20]) {
    expect(jsonWithTargets(inPieces(json, bytes))).toEqual({ text: json })
  }
})

test('a list that opens behind the first piece is read as written, in pieces of any size', () => {
  const targets = ['a', 'b,c', ']"', '']
  const command = { type: 'setImpactedTargets', sha: 'x'.repeat(100_000), targets, number: 7 }
  for (const bytes of [1000, 1001, 1 << 16, 100_060, 1 << 20]) {
    const { text, revive } = jsonWithTargets(inPieces(JSON.stringify({ command }), bytes))
    expect(text).toContain('"targets":[]')
    expect(JSON.parse(text, revive)).toEqual({ command })
  }
})

test('a short text is read at once and unchanged, so several of its lists may be called targets', () => {
  const json = JSON.stringify({ groups: [{ targets: ['a', 'b'] }, { targets: ['c'] }] })
  expect(jsonWithTargets(inPieces(json, 10))).toEqual({ text: json })
})

test('a name that is longer than several pieces, and space between names, are read as written', () => {
  const targets = ['a', 'x'.repeat(100_000), 'b']
  const json = JSON.stringify({ targets, sha: '1' }).replaceAll('","', '" , "')
  for (const bytes of [1000, 1 << 16, 1 << 20]) {
    const { text, revive } = jsonWithTargets(inPieces(json, bytes))
    expect(text).toBe('{"targets":[],"sha":"1"}')
    expect(JSON.parse(text, revive)).toEqual({ targets, sha: '1' })
  }
})
