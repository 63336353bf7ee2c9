/**
 * The truth about pull requests, which the engine never sees: which ones break, alone or together,
 * and which ones fix others. Flakes are not part of it.
 */

/** A branch with the pull requests merged into it, and whether its tests would pass. */
export type Branch = {
  /** Adds a pull request as the next commit. */
  add(number: number): void
  /** Adds a commit from outside: a push. */
  addForeign(): void
  holds(number: number): boolean
  /** Whether the tests would fail on the current branch. */
  readonly isBroken: boolean
  /** Whether a push has mended what was on it, also what pull requests broke. */
  readonly wasMended: boolean
  /** Whether a push breaks its first `length` commits, with these pull requests on top. */
  isBrokenByPush(added?: readonly number[], length?: number): boolean
  /**
   * Whether the tests would fail with these pull requests on top: of the current branch, or of its
   * first `length` commits.
   */
  wouldBreak(added: readonly number[], length?: number): boolean
}

export type Truth = {
  /** Returns a branch without commits. */
  emptyBranch(): Branch
  /** Calls `listen` before anything of it changes: somebody loses clashes, or the quarantine is another one. */
  beforeChange(listen: () => void): void
  /** Calls `listen` before a pull request that comes again loses clashes that it had (S-270). */
  beforeRenewal(listen: (number: number) => void): void
  /** Whether the two conflict as text. */
  conflict(a: number, b: number): boolean
  /**
   * The pull requests that can change the outcome of its tests or of its merge: those that it
   * breaks with or conflicts with, those that fix it, and those that it fixes.
   */
  relativesOf(number: number): readonly number[]
}
