import { expect, test } from 'vitest'
import { nearestOf } from './nearest.ts'

const long = 'a'.repeat(150)

test.each([
  ['concurency', ['mode', 'concurrency'], 'concurrency'],
  ['TARGETBRANCH', ['targetBranch'], 'targetBranch'],
  // One letter of a short one.
  ['no', ['on', 'to'], 'to'],
  // A third of the letters and no more.
  ['maxxyz', ['max', 'maximum'], null],
  ['mayixum', ['maximum'], 'maximum'],
  ['x', ['mode', 'concurrency'], null],
  ['', [], null],
  [`${long}b`, [`${long}c`], `${long}c`],
  ['mode'.repeat(5_000_000), ['mode'], null],
])('of %.20s and %j, %j may be meant', (written, known, meant) => {
  expect(nearestOf(written, known)).toBe(meant)
})
