import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/running.ts'
import { linesOfFile, textOf } from './lines-of-file.ts'

const chunk = 1 << 20

test('lines of any length come as they were written, each with its place', () => {
  const path = join(temporaryFolder(), 'lines')
  const length = fc.oneof(
    fc.nat(100),
    fc.integer({ min: chunk - 3, max: chunk + 3 }),
    fc.integer({ min: 2 * chunk - 3, max: 3 * chunk }),
  )
  fc.assert(
    fc.property(fc.array(length, { maxLength: 6 }), fc.nat(100), (lengths, torn) => {
      const lines = lengths.map((each, index) => String(index).repeat(each))
      writeFileSync(path, [...lines, '#'.repeat(torn)].join('\n'))
      let offset = 0
      const expected = [...lines, ...(torn === 0 ? [] : ['#'.repeat(torn)])].map((text, index) => {
        const line = { text, number: index + 1, offset, isWhole: index < lines.length }
        offset += text.length + 1
        return line
      })
      const found = Array.from(linesOfFile(path), ({ pieces, length: bytes, ...place }) => ({
        text: textOf({ pieces, length: bytes }),
        ...place,
      }))
      expect(found.map(({ text: { length: long }, ...place }) => ({ long, ...place }))).toEqual(
        expected.map(({ text: { length: long }, ...place }) => ({ long, ...place })),
      )
      expect(found.every(({ text }, index) => text === expected[index]?.text)).toBe(true)
    }),
    { numRuns: 60 },
  )
})
