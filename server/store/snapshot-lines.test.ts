import { expect, test } from 'vitest'
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
