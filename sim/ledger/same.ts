/** Whether two lists hold the same numbers in the same order. */
export function isSame(some: readonly number[], others: readonly number[]): boolean {
  if (some.length !== others.length) return false
  // A pull request that was never submitted has NaN as its content, which must equal itself.
  return some.every((number, index) => Object.is(number, others[index]))
}
