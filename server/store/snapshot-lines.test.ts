import { expect, test } from 'vitest'
import { checkedLine, readCheckedLine } from './checked-line.ts'
import { entryLine } from './segment.ts'
import { textOfLine } from './snapshot-lines.ts'

test.each([0, 1, 4_095, 4_096, 4_097, 10_000])(
  'the pieces of a line with %i targets are its JSON',
  (count) => {
    const targets = Array.from({ length: count }, (_, index) => `//lib/"${index}", ü`)
    const line = { impactedTargets: 7, targets }
    expect([...textOfLine(line)].join('')).toBe(JSON.stringify(line))
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
  const line = Buffer.concat([...entryLine(entry)])
  expect(line.toString()).toBe(checkedLine(entry))
  expect(readCheckedLine(line.subarray(0, -1))).not.toBeNull()
})
