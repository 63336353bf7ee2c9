import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { isCheckedLine } from '../../engine/index.ts'
import { checkedLine } from '../files/checked-line.ts'
import { entryLine } from './segment.ts'
import { textOfLine } from './snapshot-file.ts'

test.each([0, 1, 4_095, 4_096, 4_097, 10_000])(
  'the pieces of a line with %i targets form its JSON',
  (count) => {
    const targets = Array.from({ length: count }, (_, index) => `//lib/"${index}", ü`)
    const line = { impactedTargets: 7, targets }
    expect([...textOfLine(line)].join('')).toBe(JSON.stringify(line))
  },
)

test('the line of a pull request that impacts everything is its JSON', () => {
  const line = { impactedTargets: 7, targets: 'ALL' } as const
  expect([...textOfLine(line)].join('')).toBe('{"impactedTargets":7,"targets":"ALL"}')
})

test('a long line of the log is JSON with its checksum, like a short one', () => {
  const targets = Array.from({ length: 10_000 }, (_, index) => `"targets":[] //lib/${index}, ü`)
  const command = { type: 'setImpactedTargets', number: 7, targets, sha: '"targets":[]' } as const
  const entry = { sequence: 1, at: 2, queue: 'github.com/acme/shop:main', command }
  const line = Buffer.concat([...entryLine(entry)])
  expect(line.toString()).toBe(checkedLine(entry))
  const bytes = { pieces: [line.subarray(0, -1)], length: line.length - 1 }
  expect(isCheckedLine(bytes, crc32)).toBe(true)
})
