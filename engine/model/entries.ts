/**
 * Pull requests in ascending order of a key, as plain JSON. Two parallel lists, because they take
 * little memory for a hundred thousand entries. Entries before `head` are removed, and are freed in
 * bulk.
 */

import { firstIndex } from './first-index.ts'
import type { PullRequestNumber } from './ids.ts'

export type Entries = { numbers: PullRequestNumber[]; keys: number[]; head: number }

export const noEntries = (): Entries => ({ numbers: [], keys: [], head: 0 })

/** One entry, in lists without spare capacity, because there may be one such object per target. */
export const onlyEntry = (number: PullRequestNumber, key: number): Entries => ({
  numbers: [number],
  keys: [key],
  head: 0,
})

/** Adds an entry at the end. The key must not be below any other. */
export function append(entries: Entries, number: PullRequestNumber, key: number): void {
  entries.numbers.push(number)
  entries.keys.push(key)
}

/**
 * Inserts an entry at the position of its key, nearly always the end. Does nothing if the key
 * exists.
 */
export function insert(entries: Entries, number: PullRequestNumber, key: number): void {
  const at = positionOf(entries, key)
  if (at === entries.keys.length) {
    append(entries, number, key)
    return
  }
  if (entries.keys[at] === key) return
  entries.numbers.splice(at, 0, number)
  entries.keys.splice(at, 0, key)
}

/** Removes the entry with this key, if there is one. */
export function remove(entries: Entries, key: number): void {
  const at = positionOf(entries, key)
  if (entries.keys[at] !== key) return
  if (at === entries.head) {
    entries.head++
    freeRemoved(entries)
    return
  }
  entries.numbers.splice(at, 1)
  entries.keys.splice(at, 1)
}

type IsValid = (number: PullRequestNumber, key: number) => boolean

/**
 * Moves the head past entries that are no longer valid. Behind a head that stays for long they are freed too, if at
 * least 64 entries are left and more than half of them must be invalid, because at most `most` are valid.
 */
export function trim(entries: Entries, isValid: IsValid, most: number): void {
  for (; entries.head < entries.numbers.length; entries.head++) {
    const number = entries.numbers[entries.head]
    const key = entries.keys[entries.head]
    if (number !== undefined && key !== undefined && isValid(number, key)) break
  }
  const left = entries.numbers.length - entries.head
  if (left >= 64 && left > 2 * most) freeInvalid(entries, isValid)
  freeRemoved(entries)
}

/** Of several valid entries of one pull request the first is kept. */
function freeInvalid(entries: Entries, isValid: IsValid): void {
  const kept = new Map<PullRequestNumber, number>()
  for (let index = entries.head; index < entries.numbers.length; index++) {
    const [number = 0, key = 0] = [entries.numbers[index], entries.keys[index]]
    if (!kept.has(number) && isValid(number, key)) kept.set(number, key)
  }
  entries.numbers = [...kept.keys()]
  entries.keys = [...kept.values()]
  entries.head = 0
}

/** The index of the first entry whose key is not below `key`. */
export function positionOf(
  { keys, head }: { readonly keys: readonly number[]; readonly head: number },
  key: number,
): number {
  return firstIndex(head, keys.length, (index) => (keys[index] ?? key) >= key)
}

/** Frees removed entries if all entries are removed, or if at least 64 and more than half are. */
function freeRemoved(entries: Entries): void {
  const { head } = entries
  const { length } = entries.numbers
  if (head < length && (head < 64 || head * 2 <= length)) return
  entries.numbers.splice(0, head)
  entries.keys.splice(0, head)
  entries.head = 0
}
