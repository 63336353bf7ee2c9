import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkedLine, isCheckedLine } from './checked-line.ts'
import type { Bytes } from './lines-of-file.ts'
import { jsonWithTargets } from './pieces.ts'
import { entryLine } from './segment.ts'
import { lineIn, textOfLine } from './snapshot-lines.ts'

/** Text as a file gives it, in pieces of so many bytes. */
function inPieces(text: string, pieceBytes = 1 << 20): Bytes {
  const bytes = Buffer.from(text)
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    pieces.push(bytes.subarray(at, at + pieceBytes))
  }
  return { pieces, length: bytes.length }
}

test.each([0, 1, 4_095, 4_096, 4_097, 10_000])(
  'the pieces of a line with %i targets are its JSON, and say the same when they are read',
  (count) => {
    const targets = Array.from({ length: count }, (_, index) => `//lib/"${index}", ü`)
    const line = { impactedTargets: 7, targets }
    const text = [...textOfLine(line)].join('')
    expect(text).toBe(JSON.stringify(line))
    expect(lineIn(inPieces(text))).toEqual(line)
    expect(lineIn(inPieces(`${text},`))).toEqual(line)
  },
)

test('so is that of one that touches everything', () => {
  const line = { impactedTargets: 7, targets: 'ALL' } as const
  expect([...textOfLine(line)].join('')).toBe('{"impactedTargets":7,"targets":"ALL"}')
})

test('a long line of the log is what a short one is: JSON with its checksum', () => {
  const targets = Array.from({ length: 10_000 }, (_, index) => `"targets":[] //lib/${index}, ü`)
  const command = { type: 'setImpactedTargets', number: 7, targets, sha: '"targets":[]' } as const
  const entry = { sequence: 1, at: 2, queue: 'github.com/acme/shop:main', command }
  const line = Buffer.concat([...entryLine(entry)]).toString()
  expect(line).toBe(checkedLine(entry))
  expect(isCheckedLine(inPieces(line.slice(0, -1)))).toBe(true)
  expect(isCheckedLine(inPieces(line.slice(0, -1), 10))).toBe(true)
})

test('whatever targets are called, and wherever a piece ends, they are read as they were written', () => {
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
        const targets = Array.from({ length: 70_000 }, (_, index) => some[index % some.length])
        const command = { type: 'setImpactedTargets', number: 7, targets, sha }
        const { text, revive } = jsonWithTargets(inPieces(JSON.stringify({ command }), bytes))
        expect(text.length).toBeLessThan(1000)
        expect(JSON.parse(text, revive)).toEqual({ command })
      },
    ),
    { numRuns: 10 },
  )
})
