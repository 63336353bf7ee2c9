/**
 * The composition of a test run: the tip it was made on plus the ordered pull requests in it.
 *
 * Two runs test the same thing when one has merged what the other still has on top. So the key is
 * a running hash over the whole history: on tip X holding [A B] and on tip X+A holding [B] give
 * the same key. Two 32-bit halves, so that a clash is not a worry; plain text, so that it is JSON.
 */

export type CompositionKey = string

/** The key of a branch on which nothing has happened yet. */
export const emptyComposition: CompositionKey = '0.0'

/**
 * The key of `below` with all of the given elements on top, in order.
 * An element stands for one content: the sequence number of a submission, not a pull request's
 * number, because a push keeps the number and changes the content.
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

/** One round of a multiply-and-shift hash of 32 bits. */
function mix(hash: number, element: number, multiplier: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 15) ^ element, multiplier) + 0x9e3779b9
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0x27d4eb2f)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
