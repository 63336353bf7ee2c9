import { expect, test } from 'vitest'
import { fold } from './fold.ts'
import { aGroup, aHead, anEnd, aRow, aWhole } from '../testing/frames.ts'

const now = '2026-03-18T09:00:00.000Z'

test('a whole replaces everything', () => {
  const before = fold(null, aWhole({ rows: [aRow(1), aRow(2)], sequence: 5 }))
  const after = fold(before, aWhole({ rows: [aRow(3)], sequence: 9 }))
  expect([...(after?.rows.keys() ?? [])]).toEqual([3])
  expect(after?.sequence).toBe(9)
})

test('a change alters only what it names', () => {
  const before = fold(null, aWhole({ rows: [aRow(1), aRow(2), aRow(3)], sequence: 5 }))
  const second = before?.rows.get(2)
  const row = aRow(3, { state: 'TESTING' })
  const line = { groups: [aGroup(1, [3])], bisections: [] }
  const after = fold(before, {
    kind: 'change',
    sequence: 6,
    now,
    rows: [row],
    gone: [1],
    line,
    ended: [anEnd(1)],
  })
  expect(after).toEqual({
    ...before,
    sequence: 6,
    rows: new Map([
      [2, second],
      [3, row],
    ]),
    line,
    ended: [anEnd(1)],
  })
  // Unchanged rows stay the same objects, so that the page draws only the others again.
  expect(after?.rows.get(2)).toBe(second)
})

test('a change of the head leaves the rows as they are', () => {
  const before = fold(null, aWhole({ rows: [aRow(1)] }))
  const queue = aHead({ state: 'PAUSED' })
  const after = fold(before, {
    kind: 'change',
    sequence: 6,
    now,
    queue,
    rows: [],
    gone: [],
    ended: [],
  })
  expect(after?.queue.state).toBe('PAUSED')
  expect(after?.rows).toBe(before?.rows)
})

test('a change without a whole before it is not understood', () => {
  expect(
    fold(null, { kind: 'change', sequence: 6, now, rows: [aRow(1)], gone: [], ended: [] }),
  ).toBeNull()
})

test('the newest ends come first, each once, and at most 100', () => {
  let state = fold(null, aWhole({ ended: [anEnd(1)] }))
  for (let number = 1; number <= 150; number += 1) {
    const ended = [anEnd(number)]
    state = fold(state, { kind: 'change', sequence: number, now, rows: [], gone: [], ended })
  }
  const numbers = state?.ended.map((row) => row.number) ?? []
  expect(numbers).toEqual(Array.from({ length: 100 }, (_, index) => 150 - index))
})
