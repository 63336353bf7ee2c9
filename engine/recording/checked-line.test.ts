import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCheckedLine } from './checked-line.ts'
import { checkedText } from './testing/written.ts'
import { inPieces } from './testing/pieces.ts'

const line = Buffer.from(checkedText({ sequence: 7, text: 'a "quoted" ü text' }).trimEnd())

test('a line matches its checksum, for pieces of any size', () => {
  for (let bytes = 1; bytes <= line.length; bytes++) {
    expect(isCheckedLine(inPieces(line, bytes), crc32)).toBe(true)
  }
})

test('every changed byte of a line is detected', () => {
  fc.assert(
    fc.property(fc.nat(line.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const changed = Buffer.from(line)
      changed[at] = (changed[at] ?? 0) ^ change
      expect(isCheckedLine(inPieces(changed), crc32)).toBe(false)
    }),
  )
})

test('every missing or surplus byte at the end is detected', () => {
  for (const text of ['', '{}', line.subarray(0, -1), line.subarray(1), `${line.toString()} `]) {
    expect(isCheckedLine(inPieces(text), crc32)).toBe(false)
  }
})
