/**
 * The truth about pull requests, which the engine never sees: what breaks, with what, and what
 * mends it. Flakes are not part of it.
 */

/** A branch that pull requests are merged into, and whether its tests would pass. */
export type Branch = {
  add(number: number): void
  holds(number: number): boolean
  /** Whether the tests would fail on the branch as it is. */
  readonly isBroken: boolean
  /** Whether the tests would fail with these on top as well. Costs by what is added. */
  wouldBreak(added: readonly number[]): boolean
}

export type Truth = {
  /** A branch that holds nothing yet. */
  emptyBranch(): Branch
  /** Whether the two do not merge as text. */
  conflict(a: number, b: number): boolean
  /**
   * Whose presence can change how its tests end, or whether it merges: those that it breaks or
   * conflicts with, those that mend it and those that it mends.
   */
  relativesOf(number: number): readonly number[]
}
