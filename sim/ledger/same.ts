/** Whether two lists hold the same numbers in the same order. */
export function isSame(some: readonly number[], others: readonly number[]): boolean {
  if (some.length !== others.length) return false
  for (let index = 0; index < some.length; index++) {
    // A pull request that was never submitted has NaN as its content, which must equal itself.
    if (!Object.is(some[index], others[index])) return false
  }
  return true
}
