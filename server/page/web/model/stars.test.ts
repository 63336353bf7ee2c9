import { expect, test } from 'vitest'
import { starsIn } from './stars.ts'

test('the stars that are stored are read', () => {
  expect(starsIn('{"q1":[3,1042],"q2":[]}')).toEqual({ q1: [3, 1042], q2: [] })
})

test('what another version or somebody else has stored is left out', () => {
  for (const text of ['', 'null', '7', '[', '{"q1"']) expect(starsIn(text), text).toEqual({})
  expect(starsIn('{"q1":[1,"2",null,-3,1.5,4],"q2":{"a":1}}')).toEqual({ q1: [1, 4], q2: [] })
})

test('at most 50 are kept, the newest', () => {
  const all = Array.from({ length: 80 }, (_, index) => index + 1)
  expect(starsIn(JSON.stringify({ q1: all }))).toEqual({ q1: all.slice(30) })
})
