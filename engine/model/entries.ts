/**
 * Pull requests in ascending order of a key, as plain JSON: parallel lists, because that is what
 * grows to a hundred thousand without weighing much. What lies before `head` is spent, and is
 * dropped in bulk.
 */

import type { PullRequestNumber } from './ids.ts'

export type Entries = { numbers: PullRequestNumber[]; keys: number[]; head: number }

export const noEntries = (): Entries => ({ numbers: [], keys: [], head: 0 })

/** One entry, in lists without room for more: there may be as many of these as there are targets. */
export const onlyEntry = (number: PullRequestNumber, key: number): Entries => ({
  numbers: [number],
  keys: [key],
  head: 0,
})

/** The key must not be below any other. */
export function append(entries: Entries, number: PullRequestNumber, key: number): void {
  entries.numbers.push(number)
  entries.keys.push(key)
}

/** Puts it where its key belongs; nearly always that is at the very end. Not doubled if it is there. */
export function insert(entries: Entries, number: PullRequestNumber, key: number): void {
  const at = placeOf(entries, key)
  if (at === entries.keys.length) {
    append(entries, number, key)
    return
  }
  if (entries.keys[at] === key) return
  entries.numbers.splice(at, 0, number)
  entries.keys.splice(at, 0, key)
}

/** Takes out the entry with this key, if there is one. */
export function remove(entries: Entries, key: number): void {
  const at = placeOf(entries, key)
  if (entries.keys[at] !== key) return
  if (at === entries.head) {
    entries.head++
    dropSpent(entries)
    return
  }
  entries.numbers.splice(at, 1)
  entries.keys.splice(at, 1)
}

/** Moves the head past entries that no longer hold. */
export function trim(
  entries: Entries,
  holds: (number: PullRequestNumber, key: number) => boolean,
): void {
  for (; entries.head < entries.numbers.length; entries.head++) {
    const number = entries.numbers[entries.head]
    const key = entries.keys[entries.head]
    if (number !== undefined && key !== undefined && holds(number, key)) break
  }
  dropSpent(entries)
}

/** The index of the first entry whose key is not below `key`. */
export function placeOf(
  { keys, head }: { readonly keys: readonly number[]; readonly head: number },
  key: number,
): number {
  let low = head
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((keys[middle] ?? key) < key) low = middle + 1
    else high = middle
  }
  return low
}

/** Spent entries are freed when there are none but them, or so many that it pays. */
function dropSpent(entries: Entries): void {
  const { head } = entries
  const { length } = entries.numbers
  if (head === 0) return
  if (head < length && (head < 64 || head * 2 <= length)) return
  entries.numbers.splice(0, head)
  entries.keys.splice(0, head)
  entries.head = 0
}
