/** A commit as its message tells it, and the shape of the rules that read it. */

/** A commit on the first-parent line. */
export type Commit = {
  readonly hash: string
  readonly parents: readonly string[]
  readonly atMs: number
  /** Names, without addresses. */
  readonly author: string
  readonly committer: string
  readonly subject: string
  readonly body: string
  /** The message of the second parent, where a rule needs it. */
  readonly mergedBody?: string
}

/** One pull request as a commit names it. */
export type Change = {
  /** Null if the message has no number. */
  readonly number: number | null
  /** The Change-Id of Gerrit, where there is no number. */
  readonly name?: string
  readonly title: string
  /** Who wrote it; null if the commit does not tell. */
  readonly author: string | null
  readonly branch?: string
  /** Its part of the message, where several share one. */
  readonly text?: string
}

export type Rule = {
  /** What it finds, for one and for several: `bors batch`, `bors batches`. */
  readonly names: readonly [one: string, many: string]
  /**
   * What was tested and merged together: the pull requests of one commit, or the commits that follow
   * each other within this time.
   */
  readonly batch: 'commit' | { readonly withinMs: number }
  /** A whole sentence about what the log cannot tell. */
  readonly caveat?: string
  /** Returns the pull requests of the commit; null if the rule does not fit. */
  readonly read: (commit: Commit) => readonly Change[] | null
}

export const isMerge = ({ parents }: Commit): boolean => parents.length > 1

export const firstLine = (text: string): string => text.trimStart().split('\n', 1)[0] ?? ''

/** Returns the value of the last trailer with this name. */
export function trailer(text: string, name: string): string | null {
  const found = [...text.matchAll(new RegExp(`^${name}:[ \\t]*(\\S+)[ \\t]*$`, 'gm'))]
  return found.at(-1)?.[1] ?? null
}
