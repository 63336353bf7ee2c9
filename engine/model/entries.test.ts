import { describe, expect, test } from 'vitest'
import { append, insert, noEntries, remove, type Entries } from './entries.ts'

/** Entries with these keys. Each number is its key with a minus. */
function withKeys(...keys: number[]): Entries {
  const entries = noEntries()
  for (const key of keys) append(entries, -key, key)
  return entries
}

const upTo = (count: number): Entries =>
  withKeys(...Array.from({ length: count }, (_, index) => index + 1))

const removeUpTo = (entries: Entries, last: number): void => {
  for (let key = 1; key <= last; key++) remove(entries, key)
}

describe('entries in the order of a key', () => {
  test('a new entry is inserted at the position of its key', () => {
    const entries = withKeys(1, 5)
    insert(entries, -3, 3)
    insert(entries, -9, 9)
    expect(entries).toEqual({ numbers: [-1, -3, -5, -9], keys: [1, 3, 5, 9], head: 0 })
  })

  test('an entry with a key that exists is not inserted again', () => {
    const entries = withKeys(1, 5)
    insert(entries, -7, 5)
    expect(entries).toEqual(withKeys(1, 5))
  })

  test('an entry in the middle is removed with its key', () => {
    const entries = withKeys(1, 3, 5)
    remove(entries, 3)
    expect(entries).toEqual(withKeys(1, 5))
  })

  test('a key that no entry has removes nothing, at the head, in the middle and at the end', () => {
    const entries = withKeys(2, 4)
    for (const key of [1, 3, 5]) remove(entries, key)
    expect(entries).toEqual(withKeys(2, 4))
  })
})

test('removed entries are freed in bulk when at least 64 are', () => {
  const entries = upTo(100)
  removeUpTo(entries, 63)
  expect([entries.head, entries.numbers.length, entries.keys.length]).toEqual([63, 100, 100])
  remove(entries, 64)
  expect([entries.head, entries.numbers.length, entries.keys.length]).toEqual([0, 36, 36])
  expect(entries.numbers[0]).toBe(-65)
})
