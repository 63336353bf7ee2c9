/** Identifiers: instants, numbers, the keys of tests, and the composition of a test run. */

/** An instant or a duration in milliseconds; the engine only compares and adds them. */
export type Millis = number
export type PullRequestNumber = number
export type GroupId = number
export type BisectionId = number
export type TestRunId = number

/** A test, named as the test runner names it. */
export type TestName = { readonly name: string; readonly file?: string }

// Keys of tests.

/** Returns one text per test, so that the same test is recognised in different runs. */
export function testKey(test: TestName): string {
  return test.file === undefined || test.file === '' ? test.name : `${test.file} > ${test.name}`
}

// The composition of a test run: its tip plus the ordered pull requests tested on it.
//
// Two runs test the same content if pull requests are merged in one and still on top in the other.
// So the key is a running hash over the whole history: [A B] on tip X and [B] on tip X + A have the
// same key. The key has two 32-bit halves, so that a collision is very unlikely, and it is text, so
// that it is JSON.

export type CompositionKey = string

/** The key of a branch without any commit. */
export const emptyComposition: CompositionKey = '0.0'

/**
 * Returns the key of `below` with the given elements on top, in order. An element identifies one
 * content. It is the sequence number of a submission, not the number of a pull request, because a
 * push keeps the number and changes the content.
 */
export function extend(below: CompositionKey, elements: readonly number[]): CompositionKey {
  const dot = below.indexOf('.')
  let high = Number(below.slice(0, dot))
  let low = Number(below.slice(dot + 1))
  for (const element of elements) {
    high = mix(high, element, 0x85ebca6b)
    low = mix(low, element, 0xc2b2ae35)
  }
  return `${high}.${low}`
}

/**
 * The low half of a key. Different marks tell two compositions apart without reading their keys. Equal
 * marks do not make them equal.
 */
export function markOf(composition: CompositionKey): number {
  return Number(composition.slice(composition.indexOf('.') + 1))
}

/** One round of a 32-bit multiply-and-shift hash. */
function mix(hash: number, element: number, multiplier: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 15) ^ element, multiplier) + 0x9e3779b9
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0x27d4eb2f)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
